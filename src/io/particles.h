/* SPDX-License-Identifier: MIT */
/* Particles of a world as bytes, with their contacts: the format, and what reading shares.
 *
 * In the frame of packed.h: section "laws", pairs of materials with the names and versions of their
 * laws; section "particle", the particles and the columns of what they carry, parts of bodies last;
 * section "bodies", where there are any; section "contacts". Reading goes over the bytes twice: it
 * checks all of them, and then changes the world. */
#ifndef DEMI_PARTICLES_H
#define DEMI_PARTICLES_H

#include "io/model_table.h"
#include "io/packed.h"
#include "io/sections.h"
#include "world/fields.h"
#include "world/incoming.h"

#define DEMI_LAWS_TAG "laws    "
#define DEMI_PARTICLES_TAG "particle"
#define DEMI_CONTACTS_TAG "contacts"

/* With the columns: forces are older than what they follow from, and must be evaluated. */
#define DEMI_PACKED_STALE (UINT64_C(1) << 63)

/* What bytes without bodies have been from the beginning; with bodies DEM_PARTICLES_VERSION. */
enum { DEMI_PACKED_SPHERES = 1 };

/* Words before the particles, of a particle without columns, and of a contact without its state. */
enum { DEMI_PACKED_COLUMNS = 4, DEMI_PACKED_PARTICLE = 22, DEMI_PACKED_CONTACT = 6 };

/* particles_format.c */
extern const demi_packed demi_packed_particles;
/* Bodies that are to be ghosts: no laws and contacts, and no columns but those of a fluid. */
extern const demi_packed demi_packed_ghosts;

/* Mark ids of particles and of bodies that come. */
#define DEMI_COMING (DEMI_WALL_BIT - 1u)
#define DEMI_COMING_BODY UINT32_MAX

/* So many particles or contacts ahead the memory of one is asked for. */
enum { DEMI_PACKED_AHEAD = 16 };

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
    uint64_t parts;                 /* of the particles those that are parts: the last ones */
    uint64_t carried;               /* particles whose kind is that of parts */
    uint64_t bodies_count, bodies_named;
    int stale;  /* forces must be evaluated */
    int ghosts; /* bodies that are to be ghosts: ids are not entered */
    double lag; /* by which velocities are late then */
    demi_reader particles, bodies, contacts;
    uint64_t contact_count;
    DEMI_ARRAY(demi_incoming) incoming;
    DEMI_ARRAY(uint32_t) seen; /* [seen_size]: one of `incoming` + 1 or 0, by its ends */
    uint64_t seen_size;        /* a power of two */
    DEMI_ARRAY(uint64_t) pair;
    demi_model_table table;
} demi_unpack;

/* A particle of the bytes, but for its columns. */
typedef struct demi_packed_particle {
    dem_particle particle; /* free where it is a part */
    int32_t kind;          /* DEMI_KIND_ */
    int32_t image[3];
    double inverse_mass; /* as it enters contacts */
    double load[6];
} demi_packed_particle;
void demi_packed_particle_read(demi_reader *in, demi_packed_particle *p);

/* A body of the bytes, but for its parts; whether it may be one. */
typedef struct demi_packed_body {
    demi_rigid rigid;
    demi_pose pose;
    uint64_t parts;
} demi_packed_body;
int demi_packed_body_read(demi_reader *in, demi_packed_body *b);

/* What a part is beside its row. */
typedef struct demi_packed_part {
    double centre[3];
    uint64_t name; /* of its shape; 0: a sphere */
} demi_packed_part;
void demi_packed_part_read(demi_reader *in, demi_packed_part *part);

/* particles_unpack.c: looks at all that bytes say, and enters ids; frees what that took */
dem_status demi_unpack_look(demi_unpack *call, const demi_packed *packed, const void *buffer,
                            uint64_t size);
void demi_unpack_free(demi_unpack *call);

/* Leaves the function where the bytes say something that cannot be. */
#define DEMI_PACKED_REFUSE(condition, ...)                                                         \
    do {                                                                                           \
        if (condition)                                                                             \
            return demi_fail(&w->context, DEM_ERROR_FORMAT, "particles: " __VA_ARGS__);            \
    } while (0)

/* packed_bodies.c: rows of the parts of bodies */
typedef struct demi_packed_rows {
    DEMI_ARRAY(dem_particle_handle) row;
} demi_packed_rows;
dem_status demi_packed_parts(const dem_world *w, uint64_t count, const dem_body_handle *handles,
                             demi_packed_rows *part, uint64_t *parts);
/* packed_bodies.c: the section of bodies; its length */
void demi_packed_bodies_write(demi_writer *out, const dem_world *w, uint64_t count,
                              const dem_body_handle *handles);
uint64_t demi_packed_bodies_length(uint64_t bodies, uint64_t parts);
/* packed_bodies.c: looks at the section, and enters the ids of its bodies; takes them back; adds
 * the bodies, whose parts are the rows from `row` on, which cannot fail; tells rows, before they
 * are parts, that they are polyhedra */
dem_status demi_packed_bodies_read(demi_unpack *call);
void demi_packed_bodies_unname(demi_unpack *call);
void demi_packed_bodies_add(demi_unpack *call, uint64_t row);
void demi_packed_faces_mark(const demi_unpack *call, uint64_t row);

/* Looks at the section of contacts; room for them. */
dem_status demi_packed_contacts_read(demi_unpack *call);
dem_status demi_packed_contacts_reserve(demi_unpack *call);
/* When the particles are there, from row `first` on: finds the contacts for the list. */
dem_status demi_packed_contacts_place(demi_unpack *call, uint64_t first, uint64_t *count);
/* Writes the states of the contacts where the list has them. */
void demi_packed_contacts_fill(const demi_unpack *call, uint64_t count);

#endif
