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
    DEMI_KIND_GHOST, /* free; another world owns it and tells the forces on it */
    DEMI_KIND_PART,  /* moved by its body, which gets the forces on it */
    DEMI_KIND_GHOST_FIXED,
    DEMI_KIND_GHOST_KINEMATIC,
    DEMI_KIND_GHOST_PART, /* of a body that another world owns and tells the load of */
    DEMI_KINDS
};

typedef struct demi_kind_rule {
    unsigned char mobility;   /* that the host sees; free for parts */
    unsigned char offered;    /* hosts may add it */
    unsigned char moves;      /* it may have velocities */
    unsigned char responds;   /* what acts on it changes how it, or its body, moves */
    unsigned char integrated; /* steps change its velocities by the forces on it */
    unsigned char counted;    /* its energies are in the sums of the world */
    unsigned char carried;    /* a body moves it, with or without forces */
    unsigned char ghost;      /* another world owns it */
} demi_kind_rule;

extern const demi_kind_rule demi_kinds[DEMI_KINDS];

/* Whether rows of two kinds make pairs: one of them responds, and one is owned. */
static inline int demi_kinds_interact(int32_t a, int32_t b)
{
    const demi_kind_rule *p = &demi_kinds[a], *q = &demi_kinds[b];
    return (p->responds | q->responds) & ~(p->ghost & q->ghost);
}

/* Whether rows of a kind make pairs with walls, which never respond. */
static inline int demi_kind_meets_walls(int32_t kind)
{
    return demi_kinds[kind].responds & ~demi_kinds[kind].ghost;
}

/* The kind of the ghosts of particles of a mobility. */
static inline int16_t demi_kind_of_ghost(int32_t mobility)
{
    return mobility == DEM_MOBILITY_FREE    ? DEMI_KIND_GHOST
           : mobility == DEM_MOBILITY_FIXED ? DEMI_KIND_GHOST_FIXED
                                            : DEMI_KIND_GHOST_KINEMATIC;
}

/* The kind of the ghosts of rows of a kind that is owned. */
static inline int16_t demi_kind_of_ghosts(int32_t kind)
{
    return kind == DEMI_KIND_PART ? DEMI_KIND_GHOST_PART : demi_kind_of_ghost(kind);
}

/* The kind that a row has where it is owned. */
static inline int32_t demi_kind_owned(int32_t kind)
{
    const demi_kind_rule *rule = &demi_kinds[kind];
    return !rule->ghost ? kind : rule->carried ? DEMI_KIND_PART : rule->mobility;
}

/* Whether a host may give this DEM_MOBILITY_ value. */
static inline int demi_kind_offered(int32_t mobility)
{
    return mobility >= 0 && mobility < DEMI_KINDS && demi_kinds[mobility].offered;
}

/* Whether a row of a snapshot may be of this kind. */
static inline int demi_kind_known(int32_t kind)
{
    return kind >= 0 && kind < DEMI_KINDS;
}

#endif
