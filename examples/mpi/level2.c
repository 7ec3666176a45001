/* SPDX-License-Identifier: MIT */
/* An MPI host at level 2: each rank has a world with ghosts, and forces on ghosts travel between
 * the halves of a step. Grains as those of level1.c fall on a floor in a box that is periodic in x
 * and y, while layers slide over each other. With exact sums the hash is the same for any number of
 * ranks.
 *
 *     mpirun -n 4 level2 [law=linear|mindlin|m4|jkr] [side=12] [layers=8] [height=8] [steps=2000]
 *                        [fluid=STEPS] [write=FILE] [read=FILE from=RANKS]
 *
 * fluid: every so many steps a fluid solver would write drag and velocity of the fluid, and take
 * the impulses that it gets back. Here they are functions of time and place.
 */
#include "host.h"

#include <dem/dem.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double MARGIN = 0.3, GRAVITY = 20.0, DT = 5e-4;

typedef struct options {
    const char *law, *read, *write;
    int side, layers, height, steps, from; /* height: of the box, in layers */
    int fluid;                             /* steps in one of the fluid; 0: there is none */
} options;

/* Bytes for each rank, or of each. */
typedef struct mail {
    bytes all;
    int *size, *begin; /* [ranks] */
} mail;

typedef struct run {
    host host; /* who owns which place */
    dem_world *world;
    dem_particle_handle *own, *ghost, *seen; /* seen: own ones that others have as ghosts */
    uint64_t owned, ghosts;
    mail out, in; /* forces: of `seen` for others, of ghosts from their owners */
    uint64_t sets, moved;
    int fluid, steps, summed; /* steps in one of the fluid, and made; impulses are summed */
    double given[3];          /* to the fluid, N s */
} run;

static void check(const run *r, dem_status status)
{
    if (status != DEM_OK)
        host_fail(dem_status_string(status), dem_world_error(r->world));
}

static void *room_for(uint64_t count, size_t size)
{
    void *room = malloc((size_t)count * size + 1);
    if (room == NULL)
        host_fail("memory", "there is none left");
    return room;
}

/* ------------------------------------------------------------------ messages */

static mail mail_new(const host *h)
{
    mail m = {.size = room_for((uint64_t)h->ranks, sizeof(int)),
              .begin = room_for((uint64_t)h->ranks, sizeof(int))};
    return m;
}

static void mail_free(mail *m)
{
    free(m->all.data);
    free(m->size);
    free(m->begin);
}

/* Sends each rank its part, and takes those of all. */
static mail mail_send(const host *h, const mail *out)
{
    mail in = mail_new(h);
    MPI_Alltoall(out->size, 1, MPI_INT, in.size, 1, MPI_INT, MPI_COMM_WORLD);
    for (int rank = 0; rank < h->ranks; ++rank) {
        in.begin[rank] = (int)in.all.count;
        (void)bytes_add(&in.all, NULL, (uint64_t)in.size[rank]);
    }
    MPI_Alltoallv(out->all.data, out->size, out->begin, MPI_BYTE, in.all.data, in.size, in.begin,
                  MPI_BYTE, MPI_COMM_WORLD);
    return in;
}

/* ------------------------------------------------------------------ who is where */

/* Whether a ghost, or an image of it, is nearer to the block of a rank than `far`. */
static int is_near(const host *h, int rank, const dem_ghost *g, double far)
{
    const int at[3] = {rank % h->blocks[0], rank / h->blocks[0] % h->blocks[1],
                       rank / (h->blocks[0] * h->blocks[1])};
    for (int c = 0; c < 3; ++c) {
        const double width = h->box[c] / h->blocks[c], low = at[c] * width;
        double x = g->position[c] - low;
        if (c < 2) /* from the middle of the block the near image is less than half a box away */
            x -= h->box[c] * floor((x - 0.5 * width) / h->box[c] + 0.5);
        /* the last blocks along z own what is beyond */
        const int below = c < 2 || at[c] > 0, above = c < 2 || at[c] < h->blocks[c] - 1;
        if ((below && x < -far) || (above && x > width + far))
            return 0;
    }
    return 1;
}

/* The rank that owns a place, in the box along x and y. */
static int rank_of(const host *h, const dem_ghost *g)
{
    double x[3];
    for (int c = 0; c < 3; ++c)
        x[c] =
            c < 2 ? g->position[c] - h->box[c] * floor(g->position[c] / h->box[c]) : g->position[c];
    return host_rank_at(h, x);
}

/* Grains go to the ranks of their places, with their contacts. */
static mail leave(run *r, const dem_ghost *all)
{
    const host *h = &r->host;
    mail out = mail_new(h);
    dem_particle_handle *some = room_for(r->owned, sizeof *some);
    for (int rank = 0; rank < h->ranks; ++rank) {
        uint64_t count = 0, size = 0;
        out.begin[rank] = (int)out.all.count;
        for (uint64_t n = 0; n < r->owned; ++n)
            if (rank != h->rank && rank_of(h, &all[n]) == rank)
                some[count++] = r->own[n];
        if (count > 0) {
            check(r, dem_particles_pack(r->world, count, some, NULL, 0, &size));
            unsigned char *to = bytes_add(&out.all, NULL, size);
            check(r, dem_particles_pack(r->world, count, some, to, size, NULL));
            check(r, dem_particles_release(r->world, count, some));
        }
        out.size[rank] = (int)size;
        r->moved += count;
    }
    free(some);
    return out;
}

/* Each rank gets as ghosts what is near to its block and will be another rank's. */
static mail show(const run *r, const dem_ghost *all)
{
    const host *h = &r->host;
    mail out = mail_new(h);
    for (int rank = 0; rank < h->ranks; ++rank) {
        out.begin[rank] = (int)out.all.count;
        for (uint64_t n = 0; n < r->owned; ++n)
            if (rank_of(h, &all[n]) != rank && is_near(h, rank, &all[n], h->reach))
                (void)bytes_add(&out.all, &all[n], sizeof *all);
        out.size[rank] = (int)out.all.count - out.begin[rank];
    }
    return out;
}

/* Tells owners which of theirs are ghosts here, and learns the same: forces travel in this order
 * from now on. */
static void agree(run *r, const dem_ghost *ghosts)
{
    const host *h = &r->host;
    mail ask = mail_new(h);
    dem_particle_handle *sorted = room_for(r->ghosts, sizeof *sorted);
    uint64_t count = 0;
    mail_free(&r->in);
    mail_free(&r->out);
    r->in = mail_new(h);
    for (int rank = 0; rank < h->ranks; ++rank) {
        ask.begin[rank] = (int)ask.all.count;
        r->in.begin[rank] = (int)r->in.all.count;
        for (uint64_t n = 0; n < r->ghosts; ++n)
            if (rank_of(h, &ghosts[n]) == rank) {
                (void)bytes_add(&ask.all, &ghosts[n].id, sizeof ghosts[n].id);
                (void)bytes_add(&r->in.all, NULL, 6 * sizeof(double));
                sorted[count++] = r->ghost[n];
            }
        ask.size[rank] = (int)ask.all.count - ask.begin[rank];
        r->in.size[rank] = (int)r->in.all.count - r->in.begin[rank];
    }
    free(r->ghost);
    r->ghost = sorted;
    mail asked = mail_send(h, &ask);
    const uint64_t wanted = asked.all.count / sizeof(uint64_t);
    r->seen = realloc(r->seen, (size_t)wanted * sizeof *r->seen + 1);
    r->out = mail_new(h);
    for (uint64_t n = 0; n < wanted; ++n) {
        uint64_t id;
        memcpy(&id, asked.all.data + n * sizeof id, sizeof id);
        check(r, dem_particle_find(r->world, id, &r->seen[n]));
    }
    for (int rank = 0; rank < h->ranks; ++rank) {
        r->out.begin[rank] = 6 * asked.begin[rank];
        r->out.size[rank] = 6 * asked.size[rank];
    }
    (void)bytes_add(&r->out.all, NULL, 6 * asked.all.count);
    mail_free(&ask);
    mail_free(&asked);
}

/* The handles of own grains, which a view tells. */
static void find_own(run *r)
{
    dem_view view = {.struct_size = sizeof view};
    check(r, dem_world_view(r->world, DEM_FIELD_POSITION, &view));
    r->own = realloc(r->own, (size_t)view.count * sizeof *r->own + 1);
    r->owned = 0;
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0)
            check(r, dem_particle_find(r->world, view.id[row], &r->own[r->owned++]));
}

/* New owners, and new ghosts. */
static void settle(run *r)
{
    const host *h = &r->host;
    dem_ghost *all = room_for(r->owned, sizeof *all);
    for (uint64_t n = 0; n < r->owned; ++n)
        all[n].struct_size = sizeof *all;
    check(r, dem_ghosts_get(r->world, r->owned, r->own, all));
    mail grains = leave(r, all), shown = show(r, all);
    mail arrived = mail_send(h, &grains), ghosts = mail_send(h, &shown);
    r->ghosts = ghosts.all.count / sizeof(dem_ghost);
    dem_ghost *list = room_for(r->ghosts, sizeof *list);
    if (r->ghosts > 0)
        memcpy(list, ghosts.all.data, (size_t)ghosts.all.count);
    r->ghost = realloc(r->ghost, (size_t)r->ghosts * sizeof *r->ghost + 1);
    check(r, dem_ghosts_set(r->world, r->ghosts, list, MARGIN, r->ghost));
    for (int rank = 0; rank < h->ranks; ++rank)
        if (arrived.size[rank] > 0)
            check(r, dem_particles_unpack(r->world, arrived.all.data + arrived.begin[rank],
                                          (uint64_t)arrived.size[rank], NULL));
    find_own(r);
    agree(r, list);
    ++r->sets;
    mail_free(&grains);
    mail_free(&shown);
    mail_free(&arrived);
    mail_free(&ghosts);
    free(list);
    free(all);
}

/* ------------------------------------------------------------------ a step */

static void half_steps(run *r, double dt)
{
    /* where one rank fails, host_fail ends all; a host that goes on would let the others call
     * dem_step_cancel */
    check(r, dem_step_begin(r->world, dt));
    check(r, dem_particles_forces_get(r->world, r->out.all.count / 48, r->seen,
                                      (double *)(void *)r->out.all.data));
    MPI_Alltoallv(r->out.all.data, r->out.size, r->out.begin, MPI_BYTE, r->in.all.data, r->in.size,
                  r->in.begin, MPI_BYTE, MPI_COMM_WORLD);
    check(r, dem_ghosts_forces_set(r->world, r->ghosts, r->ghost,
                                   (const double *)(const void *)r->in.all.data));
    check(r, dem_step_end(r->world));
}

/* ------------------------------------------------------------------ a step of the fluid */

/* Drag and velocity of the fluid at a height: it has the same bits in all images. */
static void fluid_at(double time, double z, int32_t field, double *value)
{
    if (field == DEM_FIELD_DRAG_COEFFICIENT) {
        value[0] = 1.0 + 0.5 * sin(z + 5.0 * time);
        return;
    }
    value[0] = 3.0 * sin(z + time);
    value[1] = 0.0;
    value[2] = 5.0 + 4.0 * cos(0.5 * z - 3.0 * time);
}

/* Sends a field of own grains to where they are ghosts: in the order of forces. */
static void field_send(run *r, int32_t field, int width)
{
    const host *h = &r->host;
    const uint64_t seen = r->out.all.count / 48;
    double *out = room_for(3 * seen, sizeof *out), *in = room_for(3 * r->ghosts, sizeof *in);
    int *part = room_for(4 * (uint64_t)h->ranks, sizeof *part);
    int *const parts[4] = {part, part + h->ranks, part + 2 * h->ranks, part + 3 * h->ranks};
    const int *const forces[4] = {r->out.size, r->out.begin, r->in.size, r->in.begin};
    for (int p = 0; p < 4; ++p)
        for (int rank = 0; rank < h->ranks; ++rank)
            parts[p][rank] = forces[p][rank] / 48 * width;
    check(r, dem_particles_field_get(r->world, field, seen, r->seen, out));
    MPI_Alltoallv(out, parts[0], parts[1], MPI_DOUBLE, in, parts[2], parts[3], MPI_DOUBLE,
                  MPI_COMM_WORLD);
    check(r, dem_ghosts_field_set(r->world, field, r->ghosts, r->ghost, in));
    free(out);
    free(in);
    free(part);
}

static double *row_of(const dem_view *view, uint64_t row)
{
    return (double *)(void *)((char *)view->data + row * view->stride);
}

/* What the fluid does to own grains, and to their ghosts. */
static void field_write(run *r, int32_t field, int width)
{
    dem_view place = {.struct_size = sizeof place}, view = {.struct_size = sizeof view};
    const double time = dem_world_time(r->world);
    check(r, dem_world_view(r->world, field, &view));
    check(r, dem_world_view(r->world, DEM_FIELD_POSITION, &place));
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0) /* else it is a ghost */
            fluid_at(time, row_of(&place, row)[2], field, row_of(&view, row));
    check(r, dem_world_written_field(r->world, field));
    field_send(r, field, width);
}

/* What the fluid gets back from own grains: each cell would take that of its own. */
static void fluid_step(run *r)
{
    dem_view view = {.struct_size = sizeof view};
    if (r->summed) {
        check(r, dem_world_view(r->world, DEM_FIELD_DRAG_IMPULSE, &view));
        for (uint64_t row = 0; row < view.count; ++row)
            for (int c = 0; c < 3 && view.id[row] != 0; ++c)
                r->given[c] -= row_of(&view, row)[c];
    }
    check(r, dem_world_impulses_reset(r->world));
    r->summed = 1;
    field_write(r, DEM_FIELD_DRAG_COEFFICIENT, 1);
    field_write(r, DEM_FIELD_FLUID_VELOCITY, 3);
}

static void step(run *r)
{
    int mine = dem_ghosts_wanted(r->world), any;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (any)
        settle(r);
    if (r->fluid > 0 && r->steps % r->fluid == 0)
        fluid_step(r);
    half_steps(r, DT);
    ++r->steps;
}

/* ------------------------------------------------------------------ begin, restart, end */

static void set_model(run *r, const char *law)
{
    dem_contact_model model;
    dem_linear linear;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    dem_status status = DEM_ERROR_UNKNOWN;
    check(r, dem_contact_model_init(&model));
    check(r, dem_linear_init(&linear));
    check(r, dem_hertz_init(&hertz));
    check(r, dem_mindlin_init(&mindlin));
    check(r, dem_adhesion_init(&adhesion));
    linear.stiffness_normal = 2e4;
    linear.friction = mindlin.friction = 0.4;
    linear.restitution = hertz.restitution = adhesion.restitution = 0.7;
    hertz.young[0] = adhesion.young[0] = 2e5;
    adhesion.work_of_adhesion = 2.0;
    if (strcmp(law, "linear") == 0)
        status = dem_contact_model_add_linear_csds(&model, &linear);
    else if (strcmp(law, "jkr") == 0)
        status = dem_contact_model_add_jkr(&model, &adhesion);
    else if (strcmp(law, "mindlin") == 0 || strcmp(law, "m4") == 0)
        status = dem_contact_model_add_hertz(&model, &hertz);
    check(r, status);
    if (strcmp(law, "m4") == 0)
        check(r, dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    else if (strcmp(law, "linear") != 0)
        check(r, dem_contact_model_add_mindlin(&model, &mindlin));
    check(r, dem_contact_model_set(r->world, 0, 0, &model));
}

/* Every rank has the whole box. */
static void make_world(run *r, const options *o, const double box[3])
{
    dem_world_config config;
    dem_error error = {.status = DEM_OK};
    dem_wall wall;
    if (dem_world_config_init(&config) != DEM_OK)
        host_fail("configuration", "not initialized");
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e5;
    config.gravity[2] = -GRAVITY;
    for (int c = 0; c < 2; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = box[c];
    }
    if (dem_world_create(&config, &r->world, &error) != DEM_OK)
        host_fail("world", error.message);
    set_model(r, o->law);
    check(r, dem_wall_init(&wall));
    wall.id = UINT64_C(1) << 40;
    check(r, dem_wall_add(r->world, &wall, NULL));
}

static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A loose lattice of grains of two sizes with random velocities; layers slide over each other, so
 * that grains change their ranks. */
static void fill(run *r, const options *o)
{
    uint64_t random = 1;
    for (int n = 0; n < o->side * o->side * o->layers; ++n) {
        const int at[3] = {n % o->side, n / o->side % o->side, n / (o->side * o->side)};
        dem_particle p;
        check(r, dem_particle_init(&p));
        p.id = (uint64_t)n + 1;
        p.radius = n % 3 == 0 ? 0.5 : 0.45;
        p.mass = 4.0 * p.radius * p.radius * p.radius;
        for (int c = 0; c < 3; ++c) {
            p.position[c] = 1.05 * (at[c] + 0.5) + 0.04 * random_number(&random);
            p.velocity[c] = random_number(&random) - 0.5;
        }
        p.velocity[0] += at[2] % 2 ? 4.0 : 0.0;
        p.velocity[1] += at[2] % 3 ? 2.0 : -1.0;
        if (host_rank_at(&r->host, p.position) == r->host.rank)
            check(r, dem_particle_add(r->world, &p, NULL));
    }
}

/* A file a rank: its grains, packed. */
static void state_write(run *r, const char *name)
{
    char path[512];
    uint64_t size = 0;
    snprintf(path, sizeof path, "%s.%d", name, r->host.rank);
    check(r, dem_particles_pack(r->world, r->owned, r->own, NULL, 0, &size));
    void *data = room_for(size, 1);
    check(r, dem_particles_pack(r->world, r->owned, r->own, data, size, NULL));
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(data, 1, (size_t)size, file) != size || fclose(file) != 0)
        host_fail(path, "cannot be written");
    free(data);
}

/* Ranks share the files; then each grain goes where it belongs. A contact of grains from two files
 * needs both in one world, so the first rank takes all files. */
static void state_read(run *r, const options *o)
{
    for (int k = 0; k < o->from && r->host.rank == 0; ++k) {
        char path[512];
        bytes all = {0};
        unsigned char piece[4096];
        snprintf(path, sizeof path, "%s.%d", o->read, k);
        FILE *file = fopen(path, "rb");
        if (file == NULL)
            host_fail(path, "cannot be read");
        for (size_t got; (got = fread(piece, 1, sizeof piece, file)) > 0;)
            (void)bytes_add(&all, piece, got);
        fclose(file);
        check(r, dem_particles_unpack(r->world, all.data, all.count, NULL));
        free(all.data);
    }
}

static options options_read(int argc, char **argv)
{
    options o = {.law = "linear", .side = 12, .layers = 8, .height = 8, .steps = 2000};
    const struct {
        const char *name;
        const char **text;
        int *number;
    } known[] = {
        {"law=", &o.law, NULL},     {"read=", &o.read, NULL},     {"write=", &o.write, NULL},
        {"side=", NULL, &o.side},   {"layers=", NULL, &o.layers}, {"height=", NULL, &o.height},
        {"steps=", NULL, &o.steps}, {"from=", NULL, &o.from},     {"fluid=", NULL, &o.fluid}};
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
    return o;
}

/* Own grains as the host's, for its hash; their paths are unwrapped with the period of the world,
 * which exact sums round. */
static uint64_t hash_of(run *r)
{
    for (uint64_t n = 0; n < r->owned; ++n) {
        dem_particle p = {.struct_size = sizeof p};
        check(r, dem_particle_get(r->world, r->own[n], &p));
        grain own = {.id = p.id, .radius = p.radius, .mass = p.mass};
        memcpy(own.x, p.position, sizeof own.x);
        memcpy(own.v, p.velocity, sizeof own.v);
        memcpy(own.w, p.angular_velocity, sizeof own.w);
        (void)host_add(&r->host, &own);
    }
    r->host.own = r->host.count;
    return host_hash(&r->host);
}

int main(int argc, char **argv)
{
    static run r;
    MPI_Init(&argc, &argv);
    const options o = options_read(argc, argv);
    const double box[3] = {1.05 * o.side, 1.05 * o.side, 1.05 * o.height};
    host *h = &r.host;
    host_start(h, box, 1.0 + MARGIN);
    make_world(&r, &o, box);
    r.fluid = o.fluid;
    r.in = mail_new(h);
    r.out = mail_new(h);
    if (o.read != NULL)
        state_read(&r, &o);
    else
        fill(&r, &o);
    find_own(&r);
    settle(&r);
    if (o.read == NULL)
        half_steps(&r, 0.0); /* forces came with the grains of a file */
    const double begin = MPI_Wtime();
    for (int k = 0; k < o.steps; ++k)
        step(&r);
    const double seconds = MPI_Wtime() - begin;
    if (o.write != NULL)
        state_write(&r, o.write);
    dem_world_counts counts = {.struct_size = sizeof counts};
    check(&r, dem_world_counts_get(r.world, &counts));
    uint64_t mine[3] = {counts.particles, counts.contacts, r.moved}, all[3];
    MPI_Reduce(mine, all, 3, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    const uint64_t hash = hash_of(&r);
    if (h->rank == 0)
        printf("mpi=level2 law=%s ranks=%d blocks=%dx%dx%d grains=%llu contacts=%llu sets=%llu "
               "moved=%llu ns=%.0f hash=%016llx\n",
               o.law, h->ranks, h->blocks[0], h->blocks[1], h->blocks[2],
               (unsigned long long)all[0], (unsigned long long)all[1], (unsigned long long)r.sets,
               (unsigned long long)all[2], 1e9 * seconds / ((double)all[0] * o.steps),
               (unsigned long long)hash);
    dem_world_destroy(r.world);
    mail_free(&r.in);
    mail_free(&r.out);
    free(r.own);
    free(r.ghost);
    free(r.seen);
    host_end(h);
    return MPI_Finalize();
}
