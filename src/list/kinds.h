/* SPDX-License-Identifier: MIT */
/* Kinds of rows, and the rule for each: nobody asks which kind a row is. */
#ifndef DEMI_KINDS_H
#define DEMI_KINDS_H

#include <dem/world.h>

#include <stdint.h>

/* The first ones are what a host may ask for. Values of snapshots. */
enum {
    DEMI_KIND_FREE = DEM_MOBILITY_FREE,
    DEMI_KIND_FIXED = DEM_MOBILITY_FIXED,
    DEMI_KIND_KINEMATIC = DEM_MOBILITY_KINEMATIC,
    DEMI_KIND_GHOST, /* another rank owns it and says how it moves */
    DEMI_KIND_PART,  /* moved by its body, which gets the forces on it */
    DEMI_KINDS
};

typedef struct demi_kind_rule {
    unsigned char offered;    /* hosts may add it */
    unsigned char moves;      /* it may have velocities */
    unsigned char responds;   /* what acts on it changes how it, or its body, moves */
    unsigned char integrated; /* steps change its velocities by the forces on it */
    unsigned char counted;    /* its energies are in the sums of the world */
    unsigned char carried;    /* a body moves it, with or without forces */
} demi_kind_rule;

extern const demi_kind_rule demi_kinds[DEMI_KINDS];

/* Whether rows of two kinds make pairs: one of them responds. A wall never does. */
static inline int demi_kinds_interact(int32_t a, int32_t b)
{
    return demi_kinds[a].responds | demi_kinds[b].responds;
}

/* Whether a host may give this DEM_MOBILITY_ value. */
static inline int demi_kind_offered(int32_t mobility)
{
    return mobility >= 0 && mobility < DEMI_KINDS && demi_kinds[mobility].offered;
}

/* Whether a row of a snapshot may be of this kind: parts come with their bodies. */
static inline int demi_kind_known(int32_t kind)
{
    return kind >= 0 && kind < DEMI_KINDS && (demi_kinds[kind].offered | demi_kinds[kind].carried);
}

#endif
