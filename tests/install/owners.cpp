/* SPDX-License-Identifier: MIT */
/* dem.hpp: one owner, moves, exceptions with the object's message, and level 1 from C++. */
#include <dem/dem.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

static int failures;

static void expect(bool good, const char *what)
{
    if (!good) {
        std::printf("not ok %s\n", what);
        ++failures;
    }
}

/* Blocks that an allocator has given out and not got back. */
static int blocks;

extern "C" {
static void *count_allocate(void *, std::uint64_t size, std::uint64_t alignment)
{
    ++blocks;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void count_release(void *, void *pointer, std::uint64_t)
{
    --blocks;
    std::free(pointer);
}
}

static dem_world_config counted()
{
    dem_world_config config = dem::make<dem_world_config>();
    config.allocator.allocate = count_allocate;
    config.allocator.release = count_release;
    return config;
}

template <class Class> static void owned()
{
    static_assert(!std::is_copy_constructible<Class>::value, "copies");
    static_assert(!std::is_copy_assignable<Class>::value, "copies");
    static_assert(std::is_nothrow_move_constructible<Class>::value, "does not move");
    static_assert(std::is_nothrow_move_assignable<Class>::value, "does not move");
}

static void moves()
{
    {
        dem::world first(counted()), second(counted());
        dem_world *const object = first.get();
        dem::world third(std::move(first));
        expect(third.get() == object && first.get() == nullptr, "move construction");
        second = std::move(third);
        expect(second.get() == object && third.get() == nullptr, "move assignment");
        expect(blocks > 0, "the allocator is used");
        dem_world_destroy(second.release());
        expect(second.get() == nullptr, "release");
    }
    expect(blocks == 0, "all memory is given back");
}

static void throws()
{
    dem::world world;
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = -1.0;
    try {
        world.particle_add(particle);
        expect(false, "a negative radius throws");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_RANGE, "status of the exception");
        expect(std::string(error.what()).find("radius") != std::string::npos, "its message");
    }
    dem_world_config config = dem::make<dem_world_config>();
    config.material_count = -1;
    try {
        dem::world refused(config);
        expect(false, "a refused configuration throws");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("material_count") != std::string::npos,
               "message of a failed create");
    }
}

/* Two spheres meet head on: they part with the restitution asked for, and momentum is kept. */
static void level1()
{
    double x[2][3] = {{0.0, 0.0, 0.0}, {0.021, 0.0, 0.0}}, v[2][3] = {{1.0, 0.0, 0.0}, {}};
    double w[2][3] = {}, force[2][3] = {}, torque[2][3] = {};
    const double radius[2] = {0.01, 0.01}, mass[2] = {1e-3, 2e-3}, inertia[2] = {4e-8, 8e-8};
    const std::uint32_t pair[2] = {0, 1};
    dem_linear law = dem::make<dem_linear>();
    law.stiffness_normal = 1e4;
    law.restitution = 0.5;
    dem::contact_history history;
    history.model_set(0, 0, law);
    dem::integrator integrator;
    dem_integrator_arrays arrays = dem::make<dem_integrator_arrays>();
    arrays.count = 2;
    arrays.position = x[0];
    arrays.velocity = v[0];
    arrays.angular_velocity = w[0];
    arrays.force = force[0];
    arrays.torque = torque[0];
    arrays.mass = mass;
    arrays.inertia = inertia;
    dem_contacts_input input = dem::make<dem_contacts_input>();
    input.particle_count = 2;
    input.position = x[0];
    input.velocity = v[0];
    input.angular_velocity = w[0];
    input.radius = radius;
    input.mass = mass;
    input.pair_count = 1;
    input.pairs = pair;
    input.force = force[0];
    input.torque = torque[0];
    std::size_t met = 0;
    for (int k = 0; k < 40000; ++k) {
        integrator.begin(arrays, 1e-7);
        for (int c = 0; c < 6; ++c)
            force[c / 3][c % 3] = torque[c / 3][c % 3] = 0.0;
        integrator.prepare(input);
        history.evaluate(input);
        integrator.end(arrays);
        if (history.contacts().size() > met)
            met = history.contacts().size();
    }
    expect(met == 1 && history.count() == 0, "they meet and part");
    /* the dashpot sets in with a jump eta v0, whose instant is known to one step: eta v0 dt/m* */
    double ratio = 0.0;
    dem::check(dem_kernel_damping_ratio_cut(law.restitution, &ratio));
    const double effective = mass[0] * mass[1] / (mass[0] + mass[1]);
    const double jump = 2.0 * ratio * std::sqrt(law.stiffness_normal / effective) * 1e-7;
    expect(std::fabs(v[1][0] - v[0][0] - 0.5) < jump, "restitution");
    expect(std::fabs(1e-3 * v[0][0] + 2e-3 * v[1][0] - 1e-3) < 1e-15, "momentum");
}

/* A world comes back from memory and from a file, and what is no snapshot throws. */
static void snapshots()
{
    dem::world first, second;
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.5;
    particle.velocity[0] = 1.0;
    first.particle_add(particle);
    first.step(1e-3, 10);
    second.restore(first.snapshot());
    expect(second.hash() == first.hash() && second.counts().steps == 10, "from memory");
    first.step(1e-3, 5);
    first.save("owners.dem");
    second.load("owners.dem");
    expect(second.hash() == first.hash() && second.counts().steps == 15, "from a file");
    try {
        second.restore(std::vector<unsigned char>(100, 1));
        expect(false, "other bytes throw");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_FORMAT, "status of the exception");
    }
    expect(second.hash() == first.hash(), "nothing is changed");
}

/* A force that is written through a view acts, and a field that may not be written throws. */
static void touches()
{
    dem::world world;
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.5;
    particle.mass = 2.0;
    const dem_particle_handle handle = world.particle_add(particle);
    dem::row(world.view(DEM_FIELD_EXTERNAL_FORCE), 0)[1] = 4.0;
    world.touch_field(DEM_FIELD_EXTERNAL_FORCE);
    world.step(0.25, 2);
    expect(world.particle_get(handle).velocity[1] == 1.0, "a force through a view");
    try {
        world.touch_field(DEM_FIELD_RADIUS);
        expect(false, "a read-only field throws");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("DEM_FIELD_RADIUS") != std::string::npos,
               "the field's name");
    }
}

int main()
{
    owned<dem::world>();
    owned<dem::contact_history>();
    owned<dem::integrator>();
    moves();
    throws();
    level1();
    snapshots();
    touches();
    return failures != 0;
}
