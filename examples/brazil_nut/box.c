/* SPDX-License-Identifier: MIT */
/* The box and what is in it: sizes and masses of Table 2 of the paper, where sizes are half axes.
 * Where the box turns, its lid, and the starting positions are not stated: it turns about the
 * middle of its floor, is closed, and all bodies fall from a lattice, turned at random, the nut
 * first. */
#include "brazil_nut.h"

#include <math.h>
#include <string.h>

const double nut_box[3] = {0.0275, 0.020, 0.200};

static const double PEANUT[3] = {6e-3, 5e-3, 5e-3}, NUT[3] = {12e-3, 9e-3, 9e-3},
                    MASS[2] = {0.0019, 0.012};

enum { STEPS = 50, STEPS_VERTICAL = 20 };

/* ------------------------------------------------------------------ the box */

static double angle_of(double t)
{
    return 15.0 / 180.0 * SCENE_PI * sin(2.0 * SCENE_PI * t / 3.0);
}

static double height_of(double t)
{
    return 7.5e-3 * (1.0 - cos(2.0 * SCENE_PI * 10.0 * t));
}

static int walls_add(scene *s)
{
    static const double normals[NUT_WALLS][3] = {{0, 0, 1},  {0, 0, -1}, {1, 0, 0},
                                                 {-1, 0, 0}, {0, 1, 0},  {0, -1, 0}};
    for (int k = 0; k < NUT_WALLS; ++k) {
        dem_wall wall;
        if (scene_check(s, dem_wall_init(&wall), "wall") != 0)
            return -1;
        for (int c = 0; c < 3; ++c) {
            wall.normal[c] = normals[k][c];
            wall.point[c] = -nut_box[c] * normals[k][c];
        }
        wall.point[2] = k == 0 ? 0.0 : k == 1 ? nut_box[2] : 0.0;
        for (int c = 0; c < 3; ++c)
            wall.pivot[c] = -wall.point[c];
        wall.id = (uint64_t)k + 1;
        if (scene_check(s, dem_wall_add(s->world, &wall, NULL), "wall") != 0)
            return -1;
    }
    return 0;
}

static int model_set(scene *s, const nut_case *c)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    if (scene_check(s, dem_contact_model_init(&model), "model") != 0 ||
        scene_check(s, dem_hertz_init(&hertz), "model") != 0 ||
        scene_check(s, dem_mindlin_init(&mindlin), "model") != 0)
        return -1;
    hertz.young[0] = 50e6;
    hertz.poisson[0] = 0.2;
    hertz.restitution = 0.5;
    mindlin.friction = 0.8;
    mindlin.restitution = 0.5;
    dem_status status = dem_contact_model_add_hertz(&model, &hertz);
    if (status == DEM_OK)
        status = strcmp(c->law, "M1") == 0
                     ? dem_contact_model_add_mindlin(&model, &mindlin)
                     : dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin);
    if (scene_check(s, status, "model") != 0)
        return -1;
    return scene_check(s, dem_contact_model_set(s->world, 0, 0, &model), "model");
}

int nut_world(scene *s, const nut_case *c)
{
    dem_world_config config;
    if (scene_check(s, dem_world_config_init(&config), "world") != 0)
        return -1;
    config.gravity[2] = -SCENE_GRAVITY;
    config.threads = c->threads;
    if (scene_check(s, dem_world_create(&config, &s->world, NULL), "world") != 0)
        return -1;
    s->dt = c->dt;
    return 0;
}

/* ------------------------------------------------------------------ bodies */

static int body_add(scene *s, dem_polyhedron *shape, double mass, const double at[3], int turned)
{
    dem_polyhedron_properties is = {.struct_size = sizeof is};
    dem_body body;
    dem_body_part part;
    double square = 0.0;
    if (scene_check(s, dem_polyhedron_properties_get(shape, &is), "body") != 0 ||
        scene_check(s, dem_body_init(&body), "body") != 0 ||
        scene_check(s, dem_body_part_init(&part), "body") != 0)
        return -1;
    body.mass = mass;
    for (int c = 0; c < 3; ++c) {
        body.inertia[c] = mass / is.volume * is.inertia[c];
        body.position[c] = at[c];
    }
    memcpy(body.orientation, is.orientation, sizeof body.orientation);
    while (turned && (square < 0.01 || square > 1.0)) {
        square = 0.0;
        for (int c = 0; c < 4; ++c) {
            body.orientation[c] = 2.0 * scene_random(s) - 1.0;
            square += body.orientation[c] * body.orientation[c];
        }
    }
    for (int c = 0; c < 4 && turned; ++c)
        body.orientation[c] /= sqrt(square);
    part.shape = shape;
    return scene_check(s, dem_body_add(s->world, &body, 1, &part, NULL), "body");
}

int nut_shapes(scene *s, nut_case *c)
{
    c->shape[0] = nut_shape(s, c->vertices[0], PEANUT);
    c->shape[1] = nut_shape(s, c->vertices[1], NUT);
    return c->shape[0] == NULL || c->shape[1] == NULL ? -1 : 0;
}

int nut_fill(scene *s, const nut_case *c)
{
    enum { X = 4, Y = 3 };
    const double apart = 2.02 * PEANUT[0];
    const double bottom[3] = {0.0, 0.0, NUT[2] + 2e-4};
    s->random = c->seed;
    int bad = walls_add(s) != 0 || model_set(s, c) != 0 ||
              body_add(s, c->shape[1], MASS[1], bottom, 0) != 0;
    /* each layer at random within the room that the lattice leaves */
    const double room[2] = {2.0 * nut_box[0] - X * apart, 2.0 * nut_box[1] - Y * apart};
    double from[2] = {0.0, 0.0};
    for (int k = 0; k < c->ellipsoids && !bad; ++k) {
        for (int a = 0; a < 2 && k % (X * Y) == 0; ++a)
            from[a] = room[a] * scene_random(s) - nut_box[a];
        const double at[3] = {from[0] + (k % X + 0.5) * apart, from[1] + (k / X % Y + 0.5) * apart,
                              2.0 * NUT[2] + 4e-4 + (k / X / Y + 0.5) * apart};
        bad = body_add(s, c->shape[0], MASS[0], at, 1) != 0;
    }
    return bad ? -1 : 0;
}

/* ------------------------------------------------------------------ run */

int nut_run(scene *s, const nut_case *c, double until)
{
    while (dem_world_time(s->world) < until - 0.5 * c->dt) {
        const double t = dem_world_time(s->world), left = (until - t) / c->dt;
        const uint64_t most = c->vertical ? STEPS_VERTICAL : STEPS,
                       steps = left < (double)most ? (uint64_t)(left + 0.5) : most;
        const double h = (double)steps * c->dt;
        /* so that angle and height are exact at the end of each stretch */
        const double spin[3] = {0.0, c->vertical ? 0.0 : (angle_of(t + h) - angle_of(t)) / h, 0.0};
        const double velocity[3] = {0.0, 0.0,
                                    c->vertical ? (height_of(t + h) - height_of(t)) / h : 0.0};
        for (uint64_t id = 1; id <= NUT_WALLS; ++id)
            if (scene_check(s, dem_wall_set_motion(s->world, id, velocity, spin, NULL), "box") != 0)
                return -1;
        if (scene_check(s, dem_step(s->world, c->dt, steps), "step") != 0)
            return -1;
    }
    return 0;
}

int nut_look(scene *s, const nut_case *c, nut_state *state)
{
    dem_world_energies e = {.struct_size = sizeof e};
    dem_world_counts counts = {.struct_size = sizeof counts};
    memset(state, 0, sizeof *state);
    if (scene_check(s, dem_world_energies_get(s->world, &e), "energies") != 0 ||
        scene_check(s, dem_world_counts_get(s->world, &counts), "counts") != 0)
        return -1;
    for (uint64_t id = 1; id <= (uint64_t)c->ellipsoids + 1; ++id) {
        dem_body_handle handle;
        dem_body body = {.struct_size = sizeof body};
        if (scene_check(s, dem_body_find(s->world, id, &handle), "body") != 0 ||
            scene_check(s, dem_body_get(s->world, handle, &body), "body") != 0)
            return -1;
        if (id > 1) {
            state->others += body.position[2] / c->ellipsoids;
            continue;
        }
        state->nut = body.position[2];
        state->speed =
            sqrt(body.velocity[0] * body.velocity[0] + body.velocity[1] * body.velocity[1] +
                 body.velocity[2] * body.velocity[2]);
    }
    state->time = dem_world_time(s->world);
    state->angle = c->vertical ? 0.0 : angle_of(state->time) * 180.0 / SCENE_PI;
    state->kinetic = e.kinetic_translation + e.kinetic_rotation;
    state->potential = e.potential;
    state->dissipated =
        e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip + e.dissipated_rolling;
    state->balance = state->kinetic + e.potential + e.elastic + state->dissipated -
                     e.work_external - e.work_boundary;
    state->contacts = (unsigned long long)counts.contacts;
    return 0;
}
