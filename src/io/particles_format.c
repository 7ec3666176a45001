/* SPDX-License-Identifier: MIT */
/* What writing and reading particles as bytes share. */
#include "io/particles.h"

#include <dem/distribution.h>

#include <string.h>

const demi_packed demi_packed_particles = {"particles",
                                           "\x89"
                                           "DEMP\r\n\x1a",
                                           "dem_particles_pack", DEM_PARTICLES_VERSION};
const demi_packed demi_packed_ghosts = {"ghosts",
                                        "\x89"
                                        "DEMG\r\n\x1a",
                                        "dem_ghost_bodies_get", DEM_PARTICLES_VERSION};

int demi_column_travels(const demi_field *of)
{
    const int kinds = DEMI_FIELD_ON_DEMAND | DEMI_FIELD_SUMMED | DEMI_FIELD_HOSTS;
    return (of->traits & kinds) != 0;
}

uint64_t demi_columns_width(const dem_world *w, uint64_t columns)
{
    uint64_t width = 0;
    for (int f = 0; f < DEMI_FIELDS; ++f)
        width += (columns >> f & 1u) != 0 ? demi_field_width(w, &demi_fields[f]) : 0;
    return width;
}

void demi_packed_particle_read(demi_reader *in, demi_packed_particle *p)
{
    uint32_t half[6];
    memset(p, 0, sizeof *p);
    p->particle.struct_size = sizeof p->particle;
    p->particle.id = demi_read_u64(in);
    for (int k = 0; k < 6; k += 2)
        demi_read_u32(in, &half[k], &half[k + 1]);
    p->particle.material = (int32_t)half[0];
    p->kind = (int32_t)half[1];
    p->particle.mobility = p->kind == DEMI_KIND_PART ? DEM_MOBILITY_FREE : p->kind;
    for (int c = 0; c < 3; ++c)
        p->image[c] = (int32_t)half[2 + c];
    p->particle.mass = demi_read_double(in);
    demi_read_doubles(in, p->particle.position, 3);
    p->particle.radius = demi_read_double(in);
    demi_read_doubles(in, p->particle.velocity, 3);
    p->inverse_mass = demi_read_double(in);
    demi_read_doubles(in, p->particle.angular_velocity, 3);
    demi_read_doubles(in, p->load, 6);
}
