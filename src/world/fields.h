/* SPDX-License-Identifier: MIT */
/* The fields that views show, one row each. */
#ifndef DEMI_FIELDS_H
#define DEMI_FIELDS_H

#include "world/world.h"

enum {
    DEMI_FIELD_WRITTEN = 1,       /* the host may write it */
    DEMI_FIELD_MOTION = 2,        /* contact forces depend on it; fixed particles have 0 */
    DEMI_FIELD_ON_DEMAND = 4,     /* its array is there from the first use on */
    DEMI_FIELD_WITHIN = 8,        /* within DEMI_MOTION_MOST; others are finite */
    DEMI_FIELD_NOT_NEGATIVE = 16, /* and this, too */
    DEMI_FIELD_SUMMED = 32,       /* its array is there from the first reset on */
    DEMI_FIELD_HOSTS = 64,        /* the world never looks at it; it is as wide as the host says */
    DEMI_FIELD_INERTIA = 128      /* what rows keep of their masses follows from it */
};

typedef struct demi_field {
    const char *constant, *name; /* in messages */
    size_t rows;                 /* offset of the array in dem_world */
    uint32_t first, stride;      /* doubles: in a row, and from row to row */
    uint32_t width;              /* doubles of a row; see demi_field_width */
    int traits;
} demi_field;

enum { DEMI_FIELDS = DEM_FIELD_ADDED_MASS + 1 };
extern const demi_field demi_fields[DEMI_FIELDS];

/* Doubles of a row, and from row to row. */
static inline uint64_t demi_field_width(const dem_world *w, const demi_field *field)
{
    return (field->traits & DEMI_FIELD_HOSTS) != 0 ? w->config.host_doubles : field->width;
}

static inline uint64_t demi_field_stride(const dem_world *w, const demi_field *field)
{
    return (field->traits & DEMI_FIELD_HOSTS) != 0 ? w->config.host_doubles : field->stride;
}

/* Fails where no field has this number. */
dem_status demi_field_known(demi_context *context, int32_t field);
/* Its array; empty where it is not there. */
demi_buffer *demi_field_buffer(dem_world *w, const demi_field *field);
/* Where row 0 of a field is; NULL where its array is not there. */
double *demi_field_first(const dem_world *w, const demi_field *field);
/* Fails where its array is not there, in the host's hook, when none can be made. */
dem_status demi_field_in_hook(dem_world *w, const demi_field *field);
/* Fails where a world has no such field: sums before the first reset, data of no width. */
dem_status demi_field_offered(const dem_world *w, const demi_field *field);
/* write.c: fails where a row may not have these values; how they came is for the message. */
dem_status demi_field_check(const dem_world *w, const demi_field *of, uint64_t row,
                            const double *value, const char *how);
/* Makes its array where there is none yet and the host need not ask for it. */
dem_status demi_field_reserve(dem_world *w, const demi_field *field);

#endif
