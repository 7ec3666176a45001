/* SPDX-License-Identifier: MIT */
/* Grains in a box that is periodic in x and y, with a floor, on any number of ranks. The host owns
 * grains, ghosts and time; libdem computes contacts (level 1). Exact sums give the same bits on any
 * number of ranks. The last line has a hash of them.
 *
 *     mpirun -n 4 level1 [law=linear|mindlin|m4|jkr] [side=12] [layers=8] [height=8] [steps=2000]
 *         [write=FILE] [read=FILE from=RANKS] */
#include "host.h"

#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOOR_ID UINT64_C(0xFFFFFFFF) /* no grain has it */

/* A restart makes lists anew. So all runs do at these steps, and a state is written at them. */
enum { AGREED = 250 };

static const double SKIN = 0.2, GRAVITY = 20.0, DT = 5e-4;

typedef struct options {
    const char *law, *read, *write;
    int side, layers, height, steps, from; /* height: of the box, in layers */
} options;

typedef struct run {
    host host;
    dem_contact_history *grains, *floor;
    double *force, *torque; /* of own grains */
    double *radius, *mass;  /* packed, of all rows and the floor */
    uint64_t *id;
    uint64_t room;
    uint64_t done; /* steps, since the first start */
    dem_contact_totals totals;
} run;

static void check(dem_status status, const char *message)
{
    if (status != DEM_OK)
        host_fail(dem_status_string(status), message);
}

/* ------------------------------------------------------------------ contacts */

static dem_contact_history *history_make(const char *law)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    dem_contact_model model;
    dem_linear linear;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    check(dem_contact_history_config_init(&config), "history");
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e5;
    check(dem_contact_history_create(&config, &history, NULL), "history");
    check(dem_contact_model_init(&model), "model");
    check(dem_linear_init(&linear), "model");
    linear.stiffness_normal = 2e4;
    linear.friction = 0.4;
    linear.restitution = 0.7;
    check(dem_hertz_init(&hertz), "model");
    hertz.young[0] = hertz.young[1] = 2e5;
    hertz.restitution = 0.7;
    check(dem_mindlin_init(&mindlin), "model");
    mindlin.friction = 0.4;
    check(dem_adhesion_init(&adhesion), "model");
    adhesion.young[0] = adhesion.young[1] = 2e5;
    adhesion.work_of_adhesion = 2.0;
    adhesion.restitution = 0.7;
    dem_status status = DEM_ERROR_UNKNOWN;
    if (strcmp(law, "linear") == 0)
        status = dem_contact_model_add_linear_csds(&model, &linear);
    else if (strcmp(law, "jkr") == 0)
        status = dem_contact_model_add_jkr(&model, &adhesion);
    else if (strcmp(law, "mindlin") == 0 || strcmp(law, "m4") == 0)
        status = dem_contact_model_add_hertz(&model, &hertz);
    check(status, "law");
    if (strcmp(law, "m4") == 0)
        check(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin), "law");
    else if (strcmp(law, "linear") != 0)
        check(dem_contact_model_add_mindlin(&model, &mindlin), "law");
    check(dem_contact_history_model_set(history, 0, 0, &model), dem_contact_history_error(history));
    return history;
}

/* Contacts go with their grains: those with grains, then those with the floor. */
static void pack(void *user, const uint64_t *ids, uint64_t count, bytes *to)
{
    const run *r = user;
    dem_contact_history *histories[2] = {r->grains, r->floor};
    for (int k = 0; k < 2; ++k) {
        dem_contact_history *h = histories[k];
        uint64_t size = 0;
        check(dem_contact_history_pack(h, count, ids, NULL, 0, &size),
              dem_contact_history_error(h));
        (void)bytes_add(to, &size, sizeof size);
        check(dem_contact_history_pack(h, count, ids, bytes_add(to, NULL, size), size, NULL),
              dem_contact_history_error(h));
    }
}

static void unpack(void *user, const unsigned char *from, uint64_t count)
{
    const run *r = user;
    dem_contact_history *histories[2] = {r->grains, r->floor};
    for (int k = 0; k < 2; ++k) {
        uint64_t size;
        memcpy(&size, from, sizeof size);
        if (size + sizeof size > count)
            host_fail("message", "it is cut off");
        check(dem_contact_history_unpack(histories[k], from + sizeof size, size),
              dem_contact_history_error(histories[k]));
        from += sizeof size + size;
        count -= sizeof size + size;
    }
}

static void room(run *r, uint64_t rows)
{
    if (rows <= r->room)
        return;
    r->room = 2 * rows;
    r->force = realloc(r->force, (size_t)r->room * 3 * sizeof *r->force);
    r->torque = realloc(r->torque, (size_t)r->room * 3 * sizeof *r->torque);
    r->radius = realloc(r->radius, (size_t)r->room * sizeof *r->radius);
    r->mass = realloc(r->mass, (size_t)r->room * sizeof *r->mass);
    r->id = realloc(r->id, (size_t)r->room * sizeof *r->id);
    if (r->force == NULL || r->torque == NULL || r->radius == NULL || r->mass == NULL ||
        r->id == NULL)
        host_fail("memory", "there is none left");
}

/* What both evaluations read: rows of grains and ghosts, and forces of own rows. */
static void input_fill(run *r, dem_contacts_input *in)
{
    grain *g = r->host.grain;
    check(dem_contacts_input_init(in), "input");
    in->particle_count = r->host.count;
    in->ghost_count = r->host.count - r->host.own;
    in->id = r->id;
    in->radius = r->radius;
    in->mass = r->mass;
    in->position = g->x;
    in->velocity = g->v;
    in->angular_velocity = g->w;
    in->acceleration = g->a;
    in->angular_acceleration = g->wa;
    in->position_stride = in->velocity_stride = in->angular_velocity_stride =
        in->acceleration_stride = in->angular_acceleration_stride = sizeof *g;
    in->force = r->force;
    in->torque = r->torque;
    in->dt = DT;
    in->velocity_lag = 0.5 * DT;
}

/* The floor is one more row, which nobody owns. */
static void floor_evaluate(run *r)
{
    host *h = &r->host;
    const grain plane = {.id = FLOOR_ID, .radius = 1.0, .mass = 1e30};
    const uint64_t count = h->count;
    uint32_t(*pair)[2] = malloc((size_t)(h->own + 1) * sizeof *pair);
    double *shape = malloc((size_t)(h->own + 1) * 8 * sizeof *shape);
    double *overlap = shape, *star = overlap + h->own + 1;
    double(*normal)[3] = (double(*)[3])(star + h->own + 1), (*point)[3] = normal + h->own + 1;
    dem_contacts_input in;
    dem_contacts_geometry geometry;
    uint64_t n = 0;
    if (pair == NULL || shape == NULL)
        host_fail("memory", "there is none left");
    (void)host_add(h, &plane);
    for (uint32_t i = 0; i < h->own; ++i) {
        const grain *g = &h->grain[i];
        const double deep = g->radius - g->x[2];
        if (deep < -0.5 * SKIN)
            continue;
        pair[n][0] = i;
        pair[n][1] = (uint32_t)count;
        overlap[n] = deep;
        star[n] = g->radius;
        normal[n][0] = normal[n][1] = 0.0;
        normal[n][2] = 1.0;
        point[n][0] = g->x[0];
        point[n][1] = g->x[1];
        point[n++][2] = 0.0;
    }
    input_fill(r, &in);
    in.pairs = pair[0];
    in.pair_count = n;
    check(dem_contacts_geometry_init(&geometry), "floor");
    geometry.overlap = overlap;
    geometry.normal = normal[0];
    geometry.point = point[0];
    geometry.radius = star;
    check(dem_contacts_evaluate_geometry(r->floor, &in, &geometry, NULL),
          dem_contact_history_error(r->floor));
    h->count = count;
    free(pair);
    free(shape);
}

static void evaluate(run *r)
{
    host *h = &r->host;
    dem_contacts_input in;
    room(r, h->count + 1);
    for (uint64_t n = 0; n < h->count; ++n) {
        r->id[n] = h->grain[n].id;
        r->radius[n] = h->grain[n].radius;
        r->mass[n] = h->grain[n].mass;
    }
    r->id[h->count] = FLOOR_ID;
    r->radius[h->count] = 1.0;
    r->mass[h->count] = 1e30;
    memset(r->force, 0, (size_t)h->own * 3 * sizeof *r->force);
    memset(r->torque, 0, (size_t)h->own * 3 * sizeof *r->torque);
    input_fill(r, &in);
    in.pair_count = h->pairs;
    in.pairs = h->pair[0];
    in.shifts = h->shifts[0];
    in.images = h->images[0];
    r->totals = (dem_contact_totals){.struct_size = sizeof r->totals};
    check(dem_contacts_evaluate(r->grains, &in, &r->totals), dem_contact_history_error(r->grains));
    floor_evaluate(r);
}

/* ------------------------------------------------------------------ a step */

static void kick(host *h)
{
    for (uint64_t n = 0; n < h->own; ++n)
        for (int c = 0; c < 3; ++c) {
            h->grain[n].v[c] += h->grain[n].a[c] * (0.5 * DT);
            h->grain[n].w[c] += h->grain[n].wa[c] * (0.5 * DT);
        }
}

static void step(run *r)
{
    host *h = &r->host;
    kick(h);
    for (uint64_t n = 0; n < h->own; ++n)
        for (int c = 0; c < 3; ++c)
            h->grain[n].x[c] += h->grain[n].v[c] * DT;
    const int agreed = r->done++ % AGREED == 0;
    if (agreed || host_expired(h, SKIN)) { /* all ranks, or none */
        const host_cargo cargo = {r, pack, unpack};
        host_migrate(h, &cargo);
        host_ghosts(h);
        host_list(h);
    } else {
        host_ghosts_refresh(h);
    }
    evaluate(r);
    for (uint64_t n = 0; n < h->own; ++n) {
        grain *g = &h->grain[n];
        for (int c = 0; c < 3; ++c) {
            g->a[c] = r->force[3 * n + (uint64_t)c] / g->mass - (c == 2 ? GRAVITY : 0.0);
            g->wa[c] = r->torque[3 * n + (uint64_t)c] / (0.4 * g->mass * g->radius * g->radius);
        }
    }
    kick(h);
}

/* ------------------------------------------------------------------ begin, restart, end */

static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A loose lattice of grains of two sizes with random velocities; layers slide over each other, so
 * that grains change their ranks. */
static void fill(host *h, const options *o)
{
    uint64_t random = 1;
    for (int n = 0; n < o->side * o->side * o->layers; ++n) {
        const int at[3] = {n % o->side, n / o->side % o->side, n / (o->side * o->side)};
        grain g = {.id = (uint64_t)n};
        g.radius = n % 3 == 0 ? 0.5 : 0.45;
        g.mass = 4.0 * g.radius * g.radius * g.radius;
        for (int c = 0; c < 3; ++c) {
            g.x[c] = 1.05 * (at[c] + 0.5) + 0.04 * random_number(&random);
            g.v[c] = random_number(&random) - 0.5;
        }
        g.v[0] += at[2] % 2 ? 4.0 : 0.0;
        g.v[1] += at[2] % 3 ? 2.0 : -1.0;
        if (host_rank_at(h, g.x) == h->rank)
            h->own = (uint64_t)(host_add(h, &g) - h->grain) + 1;
    }
}

/* A file a rank: grains, and a message of all their contacts. */
static void state_write(run *r, const char *name)
{
    host *h = &r->host;
    char path[512];
    bytes out = {0};
    uint64_t *ids = malloc((size_t)h->own * sizeof *ids + 1);
    snprintf(path, sizeof path, "%s.%d", name, h->rank);
    FILE *file = fopen(path, "wb");
    if (file == NULL || ids == NULL)
        host_fail(path, "cannot be written");
    for (uint64_t n = 0; n < h->own; ++n)
        ids[n] = h->grain[n].id;
    (void)bytes_add(&out, &r->done, sizeof r->done);
    (void)bytes_add(&out, &h->own, sizeof h->own);
    (void)bytes_add(&out, h->grain, h->own * sizeof *h->grain);
    pack(r, ids, h->own, &out);
    if (fwrite(out.data, 1, (size_t)out.count, file) != out.count || fclose(file) != 0)
        host_fail(path, "cannot be written");
    free(out.data);
    free(ids);
}

/* Ranks share the files; the first step sends each grain where it belongs. */
static void state_read(run *r, const options *o)
{
    host *h = &r->host;
    for (int k = h->rank; k < o->from; k += h->ranks) {
        char path[512];
        uint64_t count = 0;
        snprintf(path, sizeof path, "%s.%d", o->read, k);
        FILE *file = fopen(path, "rb");
        if (file == NULL || fread(&r->done, sizeof r->done, 1, file) != 1 ||
            fread(&count, sizeof count, 1, file) != 1)
            host_fail(path, "cannot be read");
        for (uint64_t n = 0; n < count; ++n) {
            grain g;
            if (fread(&g, sizeof g, 1, file) != 1)
                host_fail(path, "is cut off");
            (void)host_add(h, &g);
        }
        h->own = h->count;
        bytes rest = {0};
        unsigned char piece[4096];
        for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
            (void)bytes_add(&rest, piece, got);
        unpack(r, rest.data, rest.count);
        free(rest.data);
        fclose(file);
    }
    MPI_Bcast(&r->done, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD); /* some ranks read no file */
}

static options options_read(int argc, char **argv)
{
    options o = {.law = "linear", .side = 12, .layers = 8, .height = 8, .steps = 2000};
    for (int k = 1; k < argc; ++k) {
        char *value = strchr(argv[k], '=');
        if (value == NULL)
            host_fail(argv[k], "is not name=value");
        ++value;
        if (strncmp(argv[k], "law=", 4) == 0)
            o.law = value;
        else if (strncmp(argv[k], "read=", 5) == 0)
            o.read = value;
        else if (strncmp(argv[k], "write=", 6) == 0)
            o.write = value;
        else if (strncmp(argv[k], "side=", 5) == 0)
            o.side = atoi(value);
        else if (strncmp(argv[k], "layers=", 7) == 0)
            o.layers = atoi(value);
        else if (strncmp(argv[k], "height=", 7) == 0)
            o.height = atoi(value);
        else if (strncmp(argv[k], "steps=", 6) == 0)
            o.steps = atoi(value);
        else if (strncmp(argv[k], "from=", 5) == 0)
            o.from = atoi(value);
        else
            host_fail(argv[k], "is unknown");
    }
    return o;
}

int main(int argc, char **argv)
{
    static run r;
    MPI_Init(&argc, &argv);
    const options o = options_read(argc, argv);
    const double box[3] = {1.05 * o.side, 1.05 * o.side, 1.05 * o.height};
    host *h = &r.host;
    host_start(h, box, 1.0 + SKIN);
    r.grains = history_make(o.law);
    r.floor = history_make(o.law);
    if (o.read != NULL)
        state_read(&r, &o);
    else
        fill(h, &o);
    if (o.steps < 1 || (o.write != NULL && (r.done + (uint64_t)o.steps) % AGREED != 0))
        host_fail("steps", "a state is written after a multiple of 250 steps");
    const double begin = MPI_Wtime();
    for (int k = 0; k < o.steps; ++k)
        step(&r);
    const double seconds = MPI_Wtime() - begin;
    if (o.write != NULL)
        state_write(&r, o.write);
    uint64_t mine[3] = {h->own, r.totals.contacts, h->sent}, all[3];
    MPI_Reduce(mine, all, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    const uint64_t hash = host_hash(h);
    if (h->rank == 0)
        printf("mpi=level1 law=%s ranks=%d blocks=%dx%dx%d grains=%llu contacts=%llu rebuilds=%llu "
               "moved=%llu ns=%.0f hash=%016llx\n",
               o.law, h->ranks, h->blocks[0], h->blocks[1], h->blocks[2],
               (unsigned long long)all[0], (unsigned long long)all[1],
               (unsigned long long)h->rebuilds, (unsigned long long)all[2],
               1e9 * seconds / ((double)all[0] * o.steps), (unsigned long long)hash);
    dem_contact_history_destroy(r.grains);
    dem_contact_history_destroy(r.floor);
    free(r.force);
    free(r.torque);
    free(r.radius);
    free(r.mass);
    free(r.id);
    host_end(h);
    return MPI_Finalize();
}
