/* SPDX-License-Identifier: MIT */
/* Particles of a world as bytes, with their contacts: the format, and what reading shares.
 *
 * In the frame of packed.h: section "laws", pairs of materials with the names and versions of their
 * laws; section "particle", the particles and the columns of what they carry; section "contacts".
 * Reading goes over the bytes twice: it checks all of them, and then changes the world. */
#ifndef DEMI_PARTICLES_H
#define DEMI_PARTICLES_H

#include "io/model_table.h"
#include "io/packed.h"
#include "world/fields.h"
#include "world/incoming.h"

#define DEMI_LAWS_TAG "laws    "
#define DEMI_PARTICLES_TAG "particle"
#define DEMI_CONTACTS_TAG "contacts"

/* Words before the particles, of a particle without columns, and of a contact without its state. */
enum { DEMI_PACKED_COLUMNS = 4, DEMI_PACKED_PARTICLE = 22, DEMI_PACKED_CONTACT = 6 };

extern const demi_packed demi_packed_particles;

/* So many particles or contacts ahead the memory of one is asked for. */
enum { DEMI_PACKED_AHEAD = 8 };

/* Whether particles carry a field from world to world beside what all of them have. */
int demi_column_travels(const demi_field *of);
/* Doubles of these columns: bits of fields. */
uint64_t demi_columns_width(const dem_world *w, uint64_t columns);

/* Bytes that are read, and what they say at first. */
typedef struct demi_unpack {
    dem_world *w;
    demi_reader in;
    uint64_t count, columns, width; /* particles, their columns, doubles of these */
    uint64_t named;                 /* ids in the table of ids */
    uint64_t made;                  /* columns that the world had not */
    double lag;                     /* by which velocities are late then */
    demi_reader particles, contacts;
    uint64_t contact_count;
    DEMI_ARRAY(demi_incoming) incoming;
    DEMI_ARRAY(uint32_t) seen; /* [seen_size]: one of `incoming` + 1 or 0, by its ends */
    uint64_t seen_size;        /* a power of two */
    DEMI_ARRAY(uint64_t) pair;
    demi_model_table table;
} demi_unpack;

/* Leaves the function where the bytes say something that cannot be. */
#define DEMI_PACKED_REFUSE(condition, ...)                                                         \
    do {                                                                                           \
        if (condition)                                                                             \
            return demi_fail(&w->context, DEM_ERROR_FORMAT, "particles: " __VA_ARGS__);            \
    } while (0)

/* Looks at the section of contacts; room for them. */
dem_status demi_packed_contacts_read(demi_unpack *call);
dem_status demi_packed_contacts_reserve(demi_unpack *call);
/* When the particles are there, from row `first` on: finds the contacts for the list. */
dem_status demi_packed_contacts_place(demi_unpack *call, uint64_t first, uint64_t *count);
/* Writes the states of the contacts where the list has them. */
void demi_packed_contacts_fill(const demi_unpack *call, uint64_t count);

#endif
