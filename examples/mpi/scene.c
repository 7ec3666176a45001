/* SPDX-License-Identifier: MIT */
/* Usage, with level2 likewise:
 *
 *     mpirun -n 4 level1 [law=linear|mindlin|m4|jkr] [side=12] [deep=12] [layers=8] [height=8]
 *         [exact=0|1] [warm=0] [steps=2000] [write=FILE] [read=FILE]
 *         [fluid=STEPS]                                       level2 alone
 *
 * The line that it prints has a hash of all bits of all grains. With exact sums it is the same for
 * any number of ranks. */
#include "scene.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 10 }; /* the median of so many is the time of a step */

void scene_check(dem_status status, const char *message)
{
    if (status != DEM_OK)
        host_fail(dem_status_string(status), message);
}

void scene_model(const char *law, dem_contact_model *model)
{
    static dem_linear linear; /* the model points to these */
    static dem_hertz hertz;
    static dem_mindlin mindlin;
    static dem_adhesion adhesion;
    dem_status status = DEM_ERROR_UNKNOWN;
    scene_check(dem_contact_model_init(model), "model");
    scene_check(dem_linear_init(&linear), "model");
    scene_check(dem_hertz_init(&hertz), "model");
    scene_check(dem_mindlin_init(&mindlin), "model");
    scene_check(dem_adhesion_init(&adhesion), "model");
    linear.stiffness_normal = 2e4;
    linear.friction = mindlin.friction = 0.4;
    linear.restitution = hertz.restitution = adhesion.restitution = 0.7;
    hertz.young[0] = hertz.young[1] = adhesion.young[0] = adhesion.young[1] = 2e5;
    adhesion.work_of_adhesion = 2.0;
    if (strcmp(law, "linear") == 0)
        status = dem_contact_model_add_linear_csds(model, &linear);
    else if (strcmp(law, "jkr") == 0)
        status = dem_contact_model_add_jkr(model, &adhesion);
    else if (strcmp(law, "mindlin") == 0 || strcmp(law, "m4") == 0)
        status = dem_contact_model_add_hertz(model, &hertz);
    scene_check(status, "law");
    if (strcmp(law, "m4") == 0)
        scene_check(dem_contact_model_add_mindlin_deresiewicz(model, &mindlin), "law");
    else if (strcmp(law, "linear") != 0)
        scene_check(dem_contact_model_add_mindlin(model, &mindlin), "law");
}

static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A loose lattice of grains of two sizes with random velocities. */
static void fill(level *l, const host *h, const options *o)
{
    uint64_t random = 1;
    for (int n = 0; n < o->side * o->deep * o->layers; ++n) {
        const int at[3] = {n % o->side, n / o->side % o->deep, n / (o->side * o->deep)};
        grain g = {.id = (uint64_t)n + 1};
        g.radius = n % 3 == 0 ? 0.5 : 0.45;
        g.mass = 4.0 * g.radius * g.radius * g.radius;
        for (int c = 0; c < 3; ++c) {
            g.x[c] = 1.05 * (at[c] + 0.5) + 0.04 * random_number(&random);
            g.v[c] = random_number(&random) - 0.5;
        }
        g.v[0] += at[2] % 2 ? 4.0 : 0.0;
        g.v[1] += at[2] % 3 ? 2.0 : -1.0;
        if (host_rank_at(h, g.x) == h->rank)
            level_add(l, &g);
    }
}

/* ------------------------------------------------------------------ restart */

/* What the files of a run begin with, one of each rank: all the same. */
typedef struct state {
    uint64_t files, grains, steps; /* grains of all files */
    double time;                   /* s */
} state;

static FILE *state_open(const char *name, int rank, const char *mode)
{
    char path[512];
    snprintf(path, sizeof path, "%s.%d", name, rank);
    FILE *file = fopen(path, mode);
    if (file == NULL)
        host_fail(path, "cannot be opened");
    return file;
}

static uint64_t over_ranks(uint64_t mine)
{
    uint64_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void state_write(level *l, const host *h, const char *name)
{
    bytes out = {0};
    const state s = {(uint64_t)h->ranks, over_ranks(level_write(l, &out)), h->steps, h->time};
    FILE *file = state_open(name, h->rank, "wb");
    if (fwrite(&s, sizeof s, 1, file) != 1 ||
        fwrite(out.data, 1, (size_t)out.count, file) != out.count || fclose(file) != 0)
        host_fail(name, "cannot be written");
    free(out.data);
}

/* The number of grains that a file has. */
static uint64_t state_read_one(level *l, const char *name, int rank, const state *first)
{
    bytes in = {0};
    state s = {0};
    unsigned char piece[4096];
    FILE *file = state_open(name, rank, "rb");
    if (fread(&s, sizeof s, 1, file) != 1 || memcmp(&s, first, sizeof s) != 0)
        host_fail(name, "its files are not of one run");
    for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
        (void)bytes_add(&in, piece, got);
    fclose(file);
    const uint64_t grains = level_read(l, in.data, in.count);
    free(in.data);
    return grains;
}

/* Grains of a file may be anywhere: the first step sends each one where it belongs. */
static void state_read(level *l, host *h, const char *name)
{
    state s = {0};
    FILE *file = state_open(name, 0, "rb");
    if (fread(&s, sizeof s, 1, file) != 1 || s.files > INT_MAX)
        host_fail(name, "is not a state");
    fclose(file);
    const int files = (int)s.files, every = level_shares ? h->ranks : 1;
    uint64_t grains = 0;
    for (int k = h->rank; k < files && (level_shares || h->rank == 0); k += every)
        grains += state_read_one(l, name, k, &s);
    if (over_ranks(grains) != s.grains)
        host_fail(name, "its files have too few grains, or too many");
    h->steps = s.steps;
    h->time = s.time;
}

/* ------------------------------------------------------------------ a run */

static options options_read(int argc, char **argv)
{
    options o = {.law = "linear", .side = 12, .layers = 8, .height = 8, .steps = 2000, .exact = 1};
    const struct {
        const char *name;
        const char **text;
        int *number;
    } known[] = {
        {"law=", &o.law, NULL},       {"read=", &o.read, NULL},   {"write=", &o.write, NULL},
        {"side=", NULL, &o.side},     {"deep=", NULL, &o.deep},   {"layers=", NULL, &o.layers},
        {"height=", NULL, &o.height}, {"steps=", NULL, &o.steps}, {"warm=", NULL, &o.warm},
        {"exact=", NULL, &o.exact},   {"fluid=", NULL, &o.fluid}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    for (int k = 1; k < argc; ++k) {
        size_t n = 0;
        while (n < KNOWN && strncmp(argv[k], known[n].name, strlen(known[n].name)) != 0)
            ++n;
        if (n == KNOWN)
            host_fail(argv[k], "is unknown");
        const char *value = argv[k] + strlen(known[n].name);
        if (known[n].text != NULL)
            *known[n].text = value;
        else
            *known[n].number = atoi(value);
    }
    o.deep = o.deep > 0 ? o.deep : o.side;
    if (o.steps < PIECES || o.steps % PIECES != 0)
        host_fail("steps", "must be a multiple of 10");
    return o;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void step(level *l, host *h)
{
    level_step(l);
    ++h->steps;
    h->time += DT;
}

/* Median time of a step, s. */
static double run(level *l, host *h, const options *o)
{
    double piece[PIECES], spent[TIMES];
    for (int k = 0; k < o->warm; ++k)
        step(l, h);
    scene_clock_read(spent);
    h->rebuilds = 0;
    for (int n = 0; n < PIECES; ++n) {
        const double begin = MPI_Wtime();
        for (int k = 0; k < o->steps / PIECES; ++k)
            step(l, h);
        piece[n] = (MPI_Wtime() - begin) * PIECES / o->steps;
    }
    qsort(piece, PIECES, sizeof piece[0], ascending);
    return 0.5 * (piece[PIECES / 2 - 1] + piece[PIECES / 2]);
}

uint64_t scene_hash(const grain *g)
{
    uint64_t word[12], hash = g->id;
    for (int c = 0; c < 3; ++c) {
        memcpy(&word[c], &g->x[c], 8);
        memcpy(&word[3 + c], &g->v[c], 8);
        memcpy(&word[6 + c], &g->w[c], 8);
    }
    word[9] = (uint64_t)g->turns[0];
    word[10] = (uint64_t)g->turns[1];
    word[11] = g->id;
    for (int k = 0; k < 12; ++k) { /* sums have no order, so the hash of each is mixed well */
        hash = (hash ^ word[k]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void print(level *l, const host *h, const options *o, double seconds)
{
    report r = {0};
    double spent[TIMES], work = 0.0, most = 0.0;
    scene_clock_read(spent);
    level_report(l, &r);
    double mine[5 + TIMES] = {r.grains, r.contacts, (double)h->sent, r.ghosts, r.bytes},
                    all[5 + TIMES];
    for (int k = 0; k < TIMES; ++k) {
        mine[5 + k] = 1e6 * spent[k] / o->steps;
        work += k != TIME_WAIT ? mine[5 + k] : 0.0;
    }
    MPI_Reduce(mine, all, 5 + TIMES, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&work, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    const uint64_t hash = over_ranks(r.hash);
    if (h->rank != 0)
        return;
    for (int k = 3; k < 5 + TIMES; ++k)
        all[k] /= h->ranks;
    printf("mpi=%s law=%s exact=%d ranks=%d blocks=%dx%dx%d grains=%.0f contacts=%.0f "
           "rebuilds=%llu moved=%.0f ghosts=%.0f bytes=%.0f ",
           level_name, o->law, o->exact, h->ranks, h->blocks[0], h->blocks[1], h->blocks[2], all[0],
           all[1], (unsigned long long)h->rebuilds, all[2], all[3], all[4]);
    printf("forces_us=%.1f exchange_us=%.1f rebuild_us=%.1f wait_us=%.1f work_us=%.1f "
           "step_us=%.1f hash=%016llx\n",
           all[5], all[6], all[7], all[8], most, 1e6 * seconds, (unsigned long long)hash);
}

int main(int argc, char **argv)
{
    host h;
    MPI_Init(&argc, &argv);
    const options o = options_read(argc, argv);
    const double box[3] = {1.05 * o.side, 1.05 * o.deep, 1.05 * o.height};
    host_start(&h, box, 1.0 + level_reach);
    level *l = level_start(&h, &o);
    if (o.read != NULL)
        state_read(l, &h, o.read);
    else
        fill(l, &h, &o);
    level_begin(l, o.read != NULL);
    print(l, &h, &o, run(l, &h, &o));
    if (o.write != NULL)
        state_write(l, &h, o.write);
    level_end(l);
    return MPI_Finalize();
}
