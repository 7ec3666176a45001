/* SPDX-License-Identifier: MIT */
/**
 * @file memory.c
 * The host's memory: every allocation fails once, in every call that allocates. The call says
 * DEM_ERROR_MEMORY, leaks nothing, and the object goes on as if it had not been made.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <string.h>

#define BLOCKS 4096

/** An allocator that counts, checks sizes, and fails on command. */
typedef struct heap {
    void *block[BLOCKS];
    uint64_t size[BLOCKS];
    uint64_t live, bytes, calls, wrong;
    int64_t fail_at; /**< call that fails, counted from 0; negative: none */
} heap;

static void *heap_allocate(void *user, uint64_t size, uint64_t alignment)
{
    heap *h = user;
    if (size == 0 || alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0)
        ++h->wrong;
    if ((int64_t)h->calls++ == h->fail_at)
        return NULL;
    void *p = NULL;
    for (int k = 0; k < BLOCKS; ++k)
        if (h->block[k] == NULL) {
            if (posix_memalign(&p, 64, size) != 0)
                abort();
            memset(p, 0xA5, size); /* fresh memory is not zero */
            h->block[k] = p;
            h->size[k] = size;
            ++h->live;
            h->bytes += size;
            return p;
        }
    abort();
}

static void heap_release(void *user, void *pointer, uint64_t size)
{
    heap *h = user;
    for (int k = 0; k < BLOCKS; ++k)
        if (pointer != NULL && h->block[k] == pointer) {
            if (h->size[k] != size)
                ++h->wrong;
            h->block[k] = NULL;
            --h->live;
            h->bytes -= h->size[k];
            free(pointer);
            return;
        }
    ++h->wrong;
}

static dem_allocator heap_start(heap *h)
{
    memset(h, 0, sizeof(*h));
    h->fail_at = -1;
    const dem_allocator allocator = {h, heap_allocate, heap_release};
    return allocator;
}

static void heap_end(const heap *h)
{
    assert_int_equal(h->live, 0);
    assert_int_equal(h->bytes, 0);
    assert_int_equal(h->wrong, 0);
}

/** Makes the k-th allocation from now on fail. */
static void heap_fail(heap *h, uint64_t k)
{
    h->fail_at = (int64_t)(h->calls + k);
}

/** Whether the failure that was asked for has happened. */
static int heap_failed(const heap *h)
{
    return h->fail_at >= 0 && (int64_t)h->calls > h->fail_at;
}

/** One attempt per k until the call gets along without its k-th allocation being refused. */
#define EVERY(h, call, unchanged)                                                                  \
    do {                                                                                           \
        uint64_t k = 0;                                                                            \
        for (;; ++k) {                                                                             \
            assert_true(k < 1000);                                                                 \
            heap_fail(h, k);                                                                       \
            const dem_status got = (call);                                                         \
            if (!heap_failed(h)) {                                                                 \
                if (got != DEM_OK)                                                                 \
                    fail_msg("%s: status %d", #call, (int)got);                                    \
                break;                                                                             \
            }                                                                                      \
            if (got != DEM_ERROR_MEMORY)                                                           \
                fail_msg("%s: status %d when allocation %d fails", #call, (int)got, (int)k);       \
            unchanged;                                                                             \
        }                                                                                          \
        (h)->fail_at = -1;                                                                         \
        refused += k;                                                                              \
    } while (0)

static void creates_fail_cleanly(void **state)
{
    (void)state;
    uint64_t refused = 0;
    heap h;
    dem_world_config wc;
    OK(dem_world_config_init(&wc));
    wc.allocator = heap_start(&h);
    wc.material_count = 3;
    dem_world *world = NULL;
    dem_error error;
    memset(&error, 0, sizeof(error));
    EVERY(&h, dem_world_create(&wc, &world, &error), {
        assert_null(world);
        assert_int_equal(h.live, 0);
        assert_int_equal(error.status, DEM_ERROR_MEMORY);
        assert_true(error.message[0] != 0);
    });
    dem_world_destroy(world);
    heap_end(&h);

    dem_contact_history_config hc;
    OK(dem_contact_history_config_init(&hc));
    hc.allocator = heap_start(&h);
    dem_contact_history *history = NULL;
    EVERY(&h, dem_contact_history_create(&hc, &history, NULL), {
        assert_null(history);
        assert_int_equal(h.live, 0);
    });
    dem_contact_history_destroy(history);
    heap_end(&h);

    dem_integrator_config ic;
    OK(dem_integrator_config_init(&ic));
    ic.allocator = heap_start(&h);
    dem_integrator *integrator = NULL;
    EVERY(&h, dem_integrator_create(&ic, &integrator, NULL), {
        assert_null(integrator);
        assert_int_equal(h.live, 0);
    });
    dem_integrator_destroy(integrator);
    heap_end(&h);
    assert_true(refused >= 3);
}

/** Builds and runs a little world; with `refuse`, every allocation of every call fails once. */
static uint64_t run_world(int refuse, uint64_t *refusals)
{
    uint64_t refused = 0;
    heap h;
    dem_world_config config = scene_config();
    config.allocator = heap_start(&h);
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 4.0;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.7;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    dem_particle p[48];
    for (int n = 0; n < 48; ++n) {
        p[n] = scene_particle(n % 4 + 0.5, n / 4 % 4 + 0.5 + 0.01 * (n / 16),
                              n < 32 ? 0.99 * (n / 16) + 0.495 : 3.5);
        p[n].velocity[n % 3] = 0.5;
    }
    dem_wall wall;
    OK(dem_wall_init(&wall));
    uint64_t before = scene_hash(world), wall_id = 0;
#define TRY(call)                                                                                  \
    do {                                                                                           \
        before = scene_hash(world);                                                                \
        const dem_world_counts counts = scene_counts(world);                                       \
        if (refuse)                                                                                \
            EVERY(&h, call, {                                                                      \
                assert_int_equal(scene_hash(world), before);                                       \
                const dem_world_counts now = scene_counts(world);                                  \
                assert_int_equal(now.particles, counts.particles);                                 \
                assert_int_equal(now.walls, counts.walls);                                         \
                assert_int_equal(now.contacts, counts.contacts);                                   \
                assert_int_equal(now.steps, counts.steps);                                         \
                assert_true(dem_world_error(world)[0] != 0);                                       \
            });                                                                                    \
        else if ((call) != DEM_OK)                                                                 \
            fail_msg("%s: %s", #call, dem_world_error(world));                                     \
    } while (0)
    TRY(dem_contact_model_set(world, 0, 0, &model));
    TRY(dem_wall_add(world, &wall, &wall_id));
    TRY(dem_particles_add(world, 32, p, NULL));
    TRY(dem_step(world, 1e-3, 1));
    for (int n = 0; n < 100; ++n)
        TRY(dem_step(world, 1e-3, 1));
    TRY(dem_particles_add(world, 16, p + 32, NULL));
    dem_view view = {.struct_size = sizeof(view)};
    TRY(dem_world_view(world, DEM_FIELD_POSITION, &view));
    TRY(dem_step(world, 1e-3, 1));
    for (int n = 0; n < 200; ++n)
        TRY(dem_step(world, 1e-3, 1));
    dem_particle_handle handle;
    OK(dem_particle_find(world, p[0].id != 0 ? p[0].id : 5, &handle));
    TRY(dem_particle_remove(world, handle));
    TRY(dem_step(world, 1e-3, 1));
    TRY(dem_contact_model_set(world, 0, 0, &model));
    TRY(dem_wall_remove(world, wall_id));
    TRY(dem_step(world, 1e-3, 1));
#undef TRY
    assert_true(scene_counts(world).contacts > 0);
    const uint64_t hash = scene_hash(world);
    dem_world_destroy(world);
    heap_end(&h);
    *refusals = refused;
    return hash;
}

static void world_survives_every_refusal(void **state)
{
    (void)state;
    uint64_t none = 0, refused = 0;
    const uint64_t plain = run_world(0, &none);
    const uint64_t tried = run_world(1, &refused);
    printf("# %llu allocations refused\n", (unsigned long long)refused);
    assert_true(none == 0 && refused > 20);
    assert_int_equal(plain, tried);
}

/** Whether a window of `size` bytes lies in memory that was given and not taken back. */
static int heap_holds(const heap *h, const void *window, uint64_t size)
{
    const uintptr_t begin = (uintptr_t)window;
    for (int k = 0; k < BLOCKS; ++k) {
        const uintptr_t block = (uintptr_t)h->block[k];
        if (block != 0 && begin >= block && begin + size <= block + h->size[k])
            return 1;
    }
    return 0;
}

enum { FIELDS = DEM_FIELD_CONTACT_ANGULAR_IMPULSE + 1 };

/** What a view shows is there, or the view says that it is stale. */
static void assert_views_honest(const heap *h, const dem_world *world, const dem_view *views)
{
    for (int32_t f = DEM_FIELD_POSITION; f < FIELDS; ++f) {
        const dem_view *v = &views[f];
        const uint64_t size = (v->count - 1) * v->stride + sizeof(double);
        if (!dem_world_view_stale(world, v) &&
            (!heap_holds(h, v->data, size) || !heap_holds(h, v->id, v->count * sizeof(*v->id))))
            fail_msg("the view of field %d shows memory that is gone", (int)f);
    }
}

static void open_views(dem_world *world, dem_view *views)
{
    OK(dem_world_impulses_reset(world));
    for (int32_t f = DEM_FIELD_POSITION; f < FIELDS; ++f) {
        views[f].struct_size = sizeof(views[f]);
        OK(dem_world_view(world, f, &views[f]));
    }
}

/** A world of FIRST particles with all views open, from which the k-th allocation of adding MORE is
 * refused; returns whether it was. */
enum { FIRST = 100, MORE = 400 };
static int add_refused(heap *h, uint64_t k, dem_world **world, dem_view *views)
{
    dem_world_config config = scene_config();
    config.allocator = heap_start(h);
    *world = scene_world(&config);
    static dem_particle p[FIRST + MORE];
    for (int n = 0; n < FIRST + MORE; ++n)
        p[n] = scene_particle(2.0 * n, 0.0, 0.0);
    OK(dem_particles_add(*world, FIRST, p, NULL));
    OK(dem_step(*world, 1e-3, 1));
    open_views(*world, views);
    heap_fail(h, k);
    const dem_status got = dem_particles_add(*world, MORE, p + FIRST, NULL);
    const int refused = heap_failed(h);
    h->fail_at = -1;
    assert_int_equal(got, refused ? DEM_ERROR_MEMORY : DEM_OK);
    return refused;
}

/** A call that fails half-way has moved some columns and not others; views tell. */
static void views_are_stale_where_storage_moved(void **state)
{
    (void)state;
    heap h;
    dem_world *world;
    dem_view views[FIELDS];
    int fresh = 0, stale = 0, refused = 1;
    for (uint64_t k = 0; refused; ++k) {
        refused = add_refused(&h, k, &world, views);
        assert_views_honest(&h, world, views);
        stale += dem_world_view_stale(world, &views[0]);
        fresh += !dem_world_view_stale(world, &views[0]);
        dem_world_destroy(world);
        heap_end(&h);
    }
    assert_int_equal(fresh, 1); /* where nothing moved, views stay */
    assert_true(stale >= 12);   /* columns, handles, ids; and the call that succeeds */
}

/** A failed call leaves the host's forces with less room than the other columns; what then gives
 * them room moves them. */
static void views_of_forces_are_stale_where_they_moved(void **state)
{
    (void)state;
    heap h;
    dem_world *world;
    dem_view views[FIELDS];
    for (uint64_t k = 0; add_refused(&h, k, &world, views); ++k) {
        open_views(world, views);
        dem_particle_handle handle;
        OK(dem_particle_find(world, 1, &handle));
        const double force[3] = {1.0, 0.0, 0.0};
        OK(dem_particle_set_force(world, handle, force, force));
        assert_views_honest(&h, world, views);
        dem_world_destroy(world);
        heap_end(&h);
    }
    dem_world_destroy(world);
    heap_end(&h);
}

/** A force and a torque are set together or not at all: without memory for torques no forces are
 * there either, which a snapshot would have. */
static void a_refused_force_leaves_nothing(void **state)
{
    (void)state;
    heap h;
    const dem_allocator allocator = heap_start(&h);
    dem_world *world = scene_packing(2, 1, NULL, &allocator);
    dem_particle_handle handle;
    OK(dem_particle_find(world, 2, &handle));
    const double some[3] = {1.0, 0.0, 0.0};
    uint64_t before, after;
    OK(dem_world_snapshot_size(world, &before));
    for (uint64_t k = 0; k < 2; ++k) {
        heap_fail(&h, k);
        assert_int_equal(dem_particle_set_force(world, handle, some, some), DEM_ERROR_MEMORY);
        OK(dem_world_snapshot_size(world, &after));
        assert_int_equal(after, before);
    }
    h.fail_at = -1;
    OK(dem_particle_set_force(world, handle, some, some));
    dem_world_destroy(world);
    heap_end(&h);
}

static void counts_report_the_bytes_held(void **state)
{
    (void)state;
    heap h;
    const dem_allocator allocator = heap_start(&h);
    dem_world *world = scene_packing(4, 4, NULL, &allocator);
    assert_int_equal(scene_counts(world).bytes, h.bytes);
    OK(dem_step(world, 5e-4, 50));
    assert_int_equal(scene_counts(world).bytes, h.bytes);
    /* a world that neither grows nor rebuilds its search allocates nothing in a step */
    dem_world_destroy(world);
    heap_end(&h);
}

/** Many calls of several steps, in place, take what the first one took. */
static void calls_of_several_steps_take_no_more_memory(void **state)
{
    (void)state;
    heap h;
    const dem_allocator allocator = heap_start(&h);
    dem_world *world = scene_packing(4, 4, NULL, &allocator);
    OK(dem_step(world, 1e-5, 40));
    for (int n = 0; n < 200; ++n) { /* arrays grow beyond what they were */
        const dem_particle p = scene_particle(0.0, 0.0, 100.0 + 2.0 * n);
        OK(dem_particle_add(world, &p, NULL));
    }
    for (int n = 0; n < 12; ++n)
        OK(dem_step(world, 1e-7, 12 + (uint64_t)n % 3));
    const uint64_t bytes = h.bytes, calls = h.calls;
    for (int n = 0; n < 200; ++n)
        OK(dem_step(world, 1e-7, 12 + (uint64_t)n % 3));
    assert_true(scene_counts(world).contacts > 0);
    assert_int_equal(h.bytes, bytes);
    assert_int_equal(h.calls, calls);
    dem_world_destroy(world);
    heap_end(&h);
}

/** Rebuilds of the list use memory again, also where the host's forces change places in it. */
static void rebuilds_take_no_more_memory(void **state)
{
    (void)state;
    enum { REBUILDS = 64 };
    heap h;
    dem_world_config config = scene_config();
    config.allocator = heap_start(&h);
    dem_world *world = scene_world(&config);
    uint64_t bytes = 0;
    for (int n = 0; n < FIRST + REBUILDS; ++n) {
        dem_particle_handle handle;
        const dem_particle p = scene_particle(2.0 * n, 0.0, 0.0);
        OK(dem_particle_add(world, &p, &handle));
        const double force[3] = {1.0, 0.0, 0.0};
        OK(dem_particle_set_force(world, handle, force, n % 2 == 0 ? force : NULL));
        if (n >= FIRST)
            OK(dem_particle_remove(world, handle));
        OK(dem_step(world, 1e-3, 1));
        assert_true(h.bytes < 1 << 20);
        if (n < FIRST + 8) /* buffers that change places have all grown by then */
            bytes = h.bytes;
    }
    assert_true(scene_counts(world).rebuilds >= REBUILDS);
    assert_int_equal(h.bytes, bytes);
    dem_world_destroy(world);
    heap_end(&h);
}

/** A chain of spheres of a host, stepped by libdem's integrator; returns a sum of their bits. */
static uint64_t run_host(int refuse, uint64_t *refusals)
{
    enum { N = 100 };
    uint64_t refused = 0;
    heap h;
    const dem_allocator allocator = heap_start(&h);
    dem_contact_history_config hc;
    OK(dem_contact_history_config_init(&hc));
    hc.allocator = allocator;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_create(&hc, &history, NULL));
    dem_integrator_config ic;
    OK(dem_integrator_config_init(&ic));
    ic.allocator = allocator;
    dem_integrator *integrator = NULL;
    OK(dem_integrator_create(&ic, &integrator, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.7;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    double x[N][3], v[N][3], w[N][3], f[N][3], t[N][3], mass[N], inertia[N], radius[N];
    uint32_t pairs[N - 1][2];
    memset(v, 0, sizeof(v));
    memset(w, 0, sizeof(w));
    memset(f, 0, sizeof(f));
    memset(t, 0, sizeof(t));
    for (int n = 0; n < N; ++n) {
        x[n][0] = 0.98 * n;
        x[n][1] = x[n][2] = 0.0;
        v[n][1] = 0.1 * (n % 3);
        radius[n] = 0.5;
        mass[n] = 0.1;
        inertia[n] = 0.4 * 0.1 * 0.25;
        if (n > 0) {
            pairs[n - 1][0] = (uint32_t)(n - 1);
            pairs[n - 1][1] = (uint32_t)n;
        }
    }
    dem_integrator_arrays arrays;
    OK(dem_integrator_arrays_init(&arrays));
    arrays.count = N;
    arrays.position = x[0];
    arrays.velocity = v[0];
    arrays.angular_velocity = w[0];
    arrays.force = f[0];
    arrays.torque = t[0];
    arrays.mass = mass;
    arrays.inertia = inertia;
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = N;
    in.position = x[0];
    in.velocity = v[0];
    in.angular_velocity = w[0];
    in.radius = radius;
    in.mass = mass;
    in.pairs = pairs[0];
    in.force = f[0];
    in.torque = t[0];
    in.dt = 1e-3;
    in.velocity_lag = 0.5e-3;
    if (refuse)
        EVERY(&h, dem_contact_history_model_set(history, 0, 0, &model), (void)0);
    else
        OK(dem_contact_history_model_set(history, 0, 0, &model));
    for (uint64_t step = 0; step < 50; ++step) {
        in.pair_count = 1 + 2 * step; /* more contacts step by step */
        in.absent = DEM_ABSENT_KEEP;
        double kept[2][N][3];
        memcpy(kept[0], x, sizeof(x));
        memcpy(kept[1], v, sizeof(v));
        if (refuse)
            EVERY(&h, dem_integrator_begin(integrator, &arrays, 1e-3), {
                assert_memory_equal(kept[0], x, sizeof(x));
                assert_memory_equal(kept[1], v, sizeof(v));
            });
        else
            OK(dem_integrator_begin(integrator, &arrays, 1e-3));
        OK(dem_integrator_accelerations(integrator, &in.acceleration, &in.angular_acceleration));
        memset(f, 0, sizeof(f));
        memset(t, 0, sizeof(t));
        const uint64_t contacts = dem_contact_history_count(history);
        if (refuse)
            EVERY(&h, dem_contacts_evaluate(history, &in, NULL), {
                for (int n = 0; n < N; ++n)
                    assert_true(f[n][0] == 0.0 && f[n][1] == 0.0 && t[n][2] == 0.0);
                assert_int_equal(dem_contact_history_count(history), contacts);
            });
        else
            OK(dem_contacts_evaluate(history, &in, NULL));
        OK(dem_integrator_end(integrator, &arrays));
    }
    assert_true(dem_contact_history_count(history) > 20);
    dem_contact_history_destroy(history);
    dem_integrator_destroy(integrator);
    heap_end(&h);
    *refusals = refused;
    uint64_t sum = 0, bits[N][3];
    memcpy(bits, x, sizeof(bits));
    for (int n = 0; n < N; ++n)
        for (int c = 0; c < 3; ++c)
            sum = sum * UINT64_C(1099511628211) ^ bits[n][c];
    return sum;
}

static void host_survives_every_refusal(void **state)
{
    (void)state;
    uint64_t none = 0, refused = 0;
    const uint64_t plain = run_host(0, &none);
    const uint64_t tried = run_host(1, &refused);
    printf("# %llu allocations refused\n", (unsigned long long)refused);
    assert_true(none == 0 && refused > 5);
    assert_int_equal(plain, tried);
}

/* One of the two functions alone is no allocator. */
static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    heap h;
    dem_allocator half[2];
    half[0] = half[1] = heap_start(&h);
    half[0].allocate = NULL;
    half[1].release = NULL;
    for (int n = 0; n < 2; ++n) {
        dem_world_config wc;
        OK(dem_world_config_init(&wc));
        wc.allocator = half[n];
        dem_world *world = NULL;
        dem_error error;
        assert_int_equal(dem_world_create(&wc, &world, &error), DEM_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "allocator"));
        assert_null(world);
    }
}

/* ------------------------------------------------------------------ room for contacts */

enum { PAIRS = 64, STEPS = 16 };

/** Pairs of spheres of which half begin to touch in one step, and half in a later one, the list
 * being as it was: so many at once that their states lack room. */
static dem_world *approaching(heap *h)
{
    dem_world_config config = scene_config();
    config.allocator = heap_start(h);
    config.gravity[2] = 0.0;
    config.skin = 0.2;
    dem_world *world = scene_world(&config);
    for (int n = 0; n < 2 * PAIRS; ++n) {
        dem_particle p = scene_particle(2.0 * (n / 2), 0.0,
                                        n % 2 == 0   ? 0.0
                                        : n % 4 == 1 ? 1.0045
                                                     : 1.0105);
        p.velocity[2] = n % 2 == 0 ? 0.5 : -0.5;
        p.velocity[0] = n % 2 == 0 ? 0.1 : 0.0;
        p.angular_velocity[1] = 0.01 * n;
        OK(dem_particles_add(world, 1, &p, NULL));
    }
    return world;
}

/** The steps, of which each is refused every allocation once; tells how many lacked room. `marked`:
 * a mark is set before the later ones begin to touch, and gone back to at the end. */
static uint64_t run_approaching(int refuse, int marked, uint64_t *refusals, uint64_t *widened)
{
    heap h;
    dem_world *world = approaching(&h);
    uint64_t refused = 0, at_mark = 0, hash = 0;
    *widened = 0;
    OK(dem_step(world, 1e-3, 1)); /* builds the list */
    for (int turn = 0; turn < 1 + marked; ++turn) {
        while (scene_counts(world).steps < STEPS) {
            const dem_world_counts before = scene_counts(world);
            if (marked && turn == 0 && before.contacts < PAIRS) {
                OK(dem_world_mark(world));
                at_mark = scene_hash(world);
            }
            const uint64_t was = scene_hash(world), refused_before = refused;
            if (refuse)
                EVERY(&h, dem_step(world, 1e-3, 1), {
                    assert_int_equal(scene_hash(world), was);
                    assert_int_equal(scene_counts(world).contacts, before.contacts);
                });
            else
                OK(dem_step(world, 1e-3, 1));
            *widened += refused > refused_before;
        }
        assert_int_equal(scene_counts(world).rebuilds, 1);
        assert_int_equal(scene_counts(world).contacts, PAIRS);
        const uint64_t now = scene_hash(world);
        if (turn == 1) /* the same again */
            assert_int_equal(now, hash);
        hash = now;
        if (marked) {
            OK(dem_world_rewind(world));
            assert_int_equal(scene_hash(world), at_mark);
            assert_int_equal(scene_counts(world).contacts, PAIRS / 2);
        }
    }
    dem_world_destroy(world);
    heap_end(&h);
    *refusals = refused;
    return hash;
}

/** A step that lacks room for contacts and gets none fails, and nothing is changed. */
static void contacts_lack_room_and_memory(void **state)
{
    (void)state;
    uint64_t none, refused, widened;
    const uint64_t plain = run_approaching(0, 0, &none, &widened);
    assert_int_equal(plain, run_approaching(1, 0, &refused, &widened));
    assert_int_equal(none, 0);
    assert_true(refused >= 4); /* the states of either side */
    assert_int_equal(widened, 2);
    assert_int_equal(plain, run_approaching(0, 1, &none, &widened));
    assert_int_equal(plain, run_approaching(1, 1, &refused, &widened));
    assert_true(refused >= 4);
    assert_int_equal(widened, 2);
}

enum { CHUNK_PAIRS = 256, APART = 128 };

/** A world of pairs with long states, one behind the other, in chunks. */
static dem_world *long_states(heap *h)
{
    dem_world_config config = scene_config();
    config.allocator = heap_start(h);
    config.gravity[2] = 0.0;
    config.skin = 0.5;
    config.chunk_rows = 2 * CHUNK_PAIRS;
    dem_world *world = scene_world(&config);
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    hertz.young[0] = 1.0; /* too soft to turn them back */
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_mindlin_deresiewicz_32(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
    return world;
}

/** Adds pair n, which overlaps so much, and parts at this speed. */
static void long_pair(dem_world *world, int n, double overlap, double speed)
{
    for (int end = 0; end < 2; ++end) {
        dem_particle p = scene_particle(2.0 * n, 0.0, end * (1.0 - overlap));
        p.velocity[2] = end * speed;
        OK(dem_particle_add(world, &p, NULL));
    }
}

/** In each chunk half of the pairs part one after the other, but in the last one so many begin to
 * touch instead. */
static dem_world *parting(heap *h, int chunks)
{
    dem_world *world = long_states(h);
    for (int n = 0; n < chunks * CHUNK_PAIRS; ++n) {
        const int k = n % CHUNK_PAIRS, comes = n / CHUNK_PAIRS == chunks - 1;
        const double speed = k >= APART ? 0.0 : comes ? -0.1 : 0.1;
        /* the k-th passes the distance of contact after the time (k + 1)/80 */
        long_pair(world, n, speed == 0.0 ? 0.001 : speed * (k + 1) / 80.0, speed);
    }
    return world;
}

/** Contacts with long states that begin after others have ended take no more memory. */
static void long_states_leave_their_room(void **state)
{
    (void)state;
    enum { CHUNKS = 8 };
    heap h;
    dem_world *world = parting(&h, CHUNKS);
    OK(dem_step(world, 1e-3, 50));
    const uint64_t first = h.bytes;
    OK(dem_step(world, 1e-3, 550));
    const uint64_t bytes = h.bytes, contacts = scene_counts(world).contacts;
    assert_true(bytes - first < first / 128); /* not twice the spare room of all */
    OK(dem_step(world, 1e-3, 1100));
    const dem_world_counts counts = scene_counts(world);
    assert_int_equal(counts.rebuilds, 1);
    assert_true(contacts > counts.contacts + CHUNKS * APART / 4);
    assert_int_equal(h.bytes, bytes);
    dem_world_destroy(world);
    heap_end(&h);
}

/** Room that one chunk lacks in a step is not taken from another one, which needs it then: in the
 * last two chunks half of the pairs begin to touch in the same step, and only in one of them others
 * had touched before. */
static void room_is_not_taken_in_turns(void **state)
{
    (void)state;
    enum { CHUNKS = 40 };
    heap h;
    dem_world *world = long_states(&h);
    for (int n = 0; n < CHUNKS * CHUNK_PAIRS; ++n) {
        const int chunk = n / CHUNK_PAIRS;
        if (chunk < CHUNKS - 2)
            long_pair(world, n, 0.001, 0.0);
        else if (n % CHUNK_PAIRS >= APART)
            long_pair(world, n, -0.00205, -0.1);
        else
            long_pair(world, n, chunk == CHUNKS - 1 ? 0.00045 : -0.1, 0.1);
    }
    for (int step = 0; step < 30; ++step)
        OK(dem_step(world, 1e-3, 1));
    const dem_world_counts counts = scene_counts(world);
    assert_int_equal(counts.rebuilds, 1);
    assert_int_equal(counts.contacts, (CHUNKS - 2) * CHUNK_PAIRS + 2 * APART);
    dem_world_destroy(world);
    heap_end(&h);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creates_fail_cleanly),
        cmocka_unit_test(world_survives_every_refusal),
        cmocka_unit_test(views_are_stale_where_storage_moved),
        cmocka_unit_test(views_of_forces_are_stale_where_they_moved),
        cmocka_unit_test(a_refused_force_leaves_nothing),
        cmocka_unit_test(counts_report_the_bytes_held),
        cmocka_unit_test(calls_of_several_steps_take_no_more_memory),
        cmocka_unit_test(rebuilds_take_no_more_memory),
        cmocka_unit_test(host_survives_every_refusal),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(contacts_lack_room_and_memory),
        cmocka_unit_test(long_states_leave_their_room),
        cmocka_unit_test(room_is_not_taken_in_turns),
    };
    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
