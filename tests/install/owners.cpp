/* SPDX-License-Identifier: MIT */
/* dem.hpp: one owner, moves, exceptions with the object's message, and level 1 from C++. */
#include <dem/dem.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
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

/* Whether {} makes a Class, which compilers ask for where it is a member of a struct that is. */
template <class Class> void take(Class);
template <class Class, class = void> struct by_braces : std::false_type {
};
template <class Class> struct by_braces<Class, decltype(take<const Class &>({}))> : std::true_type {
};

/* A simulation of a host: its objects begin with their defaults. */
struct simulation {
    dem::world world;
    dem::contact_history history;
    dem::integrator scheme;
    dem::polyhedron_search search;
    int steps;
};

static void members()
{
    static_assert(by_braces<dem::world>::value, "explicit");
    static_assert(by_braces<dem::contact_history>::value, "explicit");
    static_assert(by_braces<dem::integrator>::value, "explicit");
    static_assert(by_braces<dem::polyhedron_search>::value, "explicit");
    static_assert(!std::is_convertible<dem_world_config, dem::world>::value, "converts");
    simulation of_host = {};
    of_host.world.step(1e-3, 1);
    expect(of_host.world.time() == 1e-3 && of_host.history.count() == 0 && of_host.steps == 0 &&
               of_host.scheme.stage_count() == 0 && of_host.search.get() != nullptr,
           "members of a struct");
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
    const dem::world elsewhere(std::move(world));
    try {
        world.particles_add({});
        expect(false, "a world that has moved away takes not even no particles");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_ARGUMENT, "status of no world");
    }
    try {
        elsewhere.save(std::string("owners.dem\0.old", 15));
        expect(false, "a path with a zero byte throws");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_ARGUMENT, "status of such a path");
    }
}

/* Two spheres meet head on: they part with the restitution asked for, and momentum is kept. */
/** Contacts that go from one history to another. */
static void travel()
{
    double x[2][3] = {{0.0, 0.0, 0.0}, {0.019, 0.0, 0.0}}, v[2][3] = {}, force[2][3] = {};
    const double radius[2] = {0.01, 0.01}, mass[2] = {1e-3, 2e-3};
    const std::uint32_t pair[2] = {0, 1};
    dem_linear law = dem::make<dem_linear>();
    law.stiffness_normal = 1e4;
    dem::contact_history from, to;
    from.model_set(0, 0, law);
    to.model_set(0, 0, law);
    dem_contacts_input input = dem::make<dem_contacts_input>();
    input.particle_count = 2;
    input.position = x[0];
    input.velocity = v[0];
    input.radius = radius;
    input.mass = mass;
    input.force = force[0];
    input.pair_count = 1;
    input.pairs = pair;
    input.dt = 1e-6;
    from.evaluate(input);
    from.undo();
    expect(from.count() == 0, "an evaluation is taken back");
    from.evaluate(input);
    to.unpack(from.pack({1}));
    expect(to.count() == 1, "contacts are copied");
    to.forget({0});
    expect(to.count() == 0 && from.count() == 1, "and forgotten");
    to.add(from.contacts());
    to.restore(from.snapshot());
    expect(to.count() == 1, "and restored");
    to.list_begin(input);
    expect(to.list_evaluate(input).contacts == 1, "a kept list has them");
    const double overlap = 0.001, normal[3] = {-1.0, 0.0, 0.0}, point[3] = {0.0095, 0.0, 0.0};
    dem_contacts_geometry geometry = dem::make<dem_contacts_geometry>();
    geometry.overlap = &overlap;
    geometry.normal = normal;
    geometry.point = point;
    expect(to.list_evaluate_geometry(input, geometry).contacts == 1, "with geometry of the host");
}

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
    std::vector<unsigned char> bytes;
    first.snapshot_write(
        [](void *user, const void *piece, std::uint64_t size) -> dem_status {
            const unsigned char *from = static_cast<const unsigned char *>(piece);
            std::vector<unsigned char> *to = static_cast<std::vector<unsigned char> *>(user);
            to->insert(to->end(), from, from + size);
            return DEM_OK;
        },
        &bytes);
    expect(bytes == first.snapshot(), "piece by piece");
    second.snapshot_read(
        [](void *user, void *piece, std::uint64_t size) -> dem_status {
            std::vector<unsigned char> *from = static_cast<std::vector<unsigned char> *>(user);
            std::copy(from->begin(), from->begin() + static_cast<std::ptrdiff_t>(size),
                      static_cast<unsigned char *>(piece));
            from->erase(from->begin(), from->begin() + static_cast<std::ptrdiff_t>(size));
            return DEM_OK;
        },
        &bytes);
    expect(bytes.empty() && second.hash() == first.hash(), "and back");
    first.step(1e-3, 5);
    first.save(std::string("owners.dem"));
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

/* What a callable behind a snapshot throws arrives, and the world goes on. */
static void snapshots_thrown()
{
    dem::world world, other;
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.5;
    world.particle_add(particle);
    std::uint64_t pieces = 0;
    try {
        world.snapshot_write([&pieces](const void *, std::uint64_t) {
            ++pieces;
            throw std::string("no room");
        });
        expect(false, "the callable throws");
    } catch (const std::string &text) {
        expect(text == "no room" && pieces == 1, "what it threw");
    }
    world.step(1e-3, 1);
    const std::vector<unsigned char> all = world.snapshot();
    std::size_t at = 0;
    world.snapshot_write([&](const void *bytes, std::uint64_t size) {
        const unsigned char *from = static_cast<const unsigned char *>(bytes);
        expect(std::equal(from, from + size, all.begin() + static_cast<std::ptrdiff_t>(at)),
               "the bytes of a snapshot");
        at += static_cast<std::size_t>(size);
    });
    expect(at == all.size(), "all of them");
    try {
        other.snapshot_read([](void *, std::uint64_t) { throw 7; });
        expect(false, "the callable throws");
    } catch (int seven) {
        expect(seven == 7 && other.counts().particles == 0, "nothing is read");
    }
    at = 0;
    other.snapshot_read([&](void *bytes, std::uint64_t size) {
        std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(at), size,
                    static_cast<unsigned char *>(bytes));
        at += static_cast<std::size_t>(size);
    });
    expect(other.hash() == world.hash(), "and back by a callable");
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
    const double velocity[3] = {0.5, 0.0, 0.0};
    world.field_set(DEM_FIELD_VELOCITY, 1, velocity);
    expect(world.particle_get(handle).velocity[0] == 0.5, "a column of velocities");
    try {
        world.touch_field(DEM_FIELD_RADIUS);
        expect(false, "a read-only field throws");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("DEM_FIELD_RADIUS") != std::string::npos,
               "the field's name");
    }
}

static dem_status push(void *user, dem_world *world, double)
{
    dem_view force = dem::output<dem_view>();
    const dem_status status = dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &force);
    if (status != DEM_OK)
        return status;
    dem::row(force, 0)[0] = *static_cast<const double *>(user);
    return dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE);
}

static void count_contact(void *user, const dem_contact_key *key)
{
    *static_cast<std::uint64_t *>(user) += key->id_j;
}

/* Data of the host, its index, a hook in each step, and contacts that begin. */
static void hooks()
{
    double force = 4.0;
    std::uint64_t met = 0;
    dem_world_config config = dem::make<dem_world_config>();
    config.host_doubles = 2;
    config.before_forces = push;
    config.before_forces_user = &force;
    config.contact_begin = count_contact;
    config.contact_user = &met;
    dem::world world(config);
    dem_contact_model model = dem::make<dem_contact_model>();
    dem_linear linear = dem::make<dem_linear>();
    linear.stiffness_normal = 1e3;
    dem_contact_model_add_linear_csds(&model, &linear);
    world.contact_model_set(0, 0, model);
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.5;
    particle.mass = 2.0;
    const dem_particle_handle handle = world.particle_add(particle);
    particle.position[1] = 0.999;
    world.particle_add(particle);
    const dem_view host = world.view(DEM_FIELD_HOST);
    expect(dem::row_index(host, 0) == handle.index && host.index_count == 2, "index of a row");
    dem::row(host, 1)[1] = 7.0;
    world.view(DEM_FIELD_EXTERNAL_FORCE);
    world.step(1e-3, 1);
    expect(world.particle_get(handle).velocity[0] == 4.0 / 2.0 * 0.5e-3, "a force of a hook");
    expect(dem::row(world.view(DEM_FIELD_HOST), 1)[1] == 7.0, "data of the host");
    expect(met == 2, "a contact that begins");
}

/* A wall that turns, and that seeks a force. */
static void moving_walls()
{
    dem::world world;
    const double spin[3] = {0.0, 0.0, 2.0};
    const std::uint64_t id = world.wall_add(dem::make<dem_wall>());
    world.wall_set_motion(id, nullptr, spin);
    dem_wall_servo servo = dem::make<dem_wall_servo>();
    servo.target = 1.0;
    servo.speed = 0.5;
    world.wall_set_servo(id, servo);
    world.step(0.25, 2);
    expect(world.wall_get(id).angular_velocity[2] == 2.0, "a wall that turns");
    expect(world.wall_get(id).point[2] == 0.25, "a wall that seeks");
    world.wall_end_servo(id);
    const double corners[3][3] = {{0, 0, -9}, {1, 0, -9}, {0, 1, -9}};
    const double lifted[3][3] = {{0, 0, -8}, {1, 0, -8}, {0, 1, -8}};
    const std::uint32_t triangle[3] = {0, 1, 2};
    dem_mesh *mesh = nullptr;
    const dem_mesh_config of_mesh = dem::make<dem_mesh_config>();
    expect(dem_mesh_create(&of_mesh, corners[0], 3, triangle, 1, &mesh, nullptr) == DEM_OK,
           "a triangle");
    dem_wall sheet = dem::make<dem_wall>();
    sheet.shape = DEM_SHAPE_MESH;
    sheet.mesh = mesh;
    const std::uint64_t sheet_id = world.wall_add(sheet);
    dem_mesh_destroy(mesh);
    expect(world.wall_view(sheet_id, DEM_FACET_VERTEX_FORCE).count == 3, "vertices of a wall");
    world.wall_set_vertices(sheet_id, lifted[0], nullptr);
    expect(dem_mesh_vertices(world.wall_get(sheet_id).mesh)[2] == -8.0, "vertices that moved");
    world.step(0.25, 1);
    expect(world.wall_get(id).point[2] == 0.25, "a wall that stands");
}

/* A model that was moved from keeps its parameters: no others take their place in memory. */
static void moved_models()
{
    dem::world world;
    dem_linear law = dem::make<dem_linear>();
    law.stiffness_normal = 1000.0;
    dem::contact_model model, bad;
    model.linear_csds(law);
    {
        const dem::contact_model moved = std::move(model);
        world.contact_model_set(0, 0, moved);
    }
    law.stiffness_normal = -1.0;
    bad.linear_csds(law);
    world.contact_model_set(0, 0, model);
    {
        dem::contact_model assigned;
        assigned = std::move(model);
    }
    bad.linear_csds(law);
    world.contact_model_set(0, 0, model);
}

/* A sphere that lies on a floor: its contact in arrays, and one by one. */
static void contacts()
{
    dem::world world;
    dem_linear law = dem::make<dem_linear>();
    law.stiffness_normal = 1000.0;
    dem::contact_model model;
    model.linear_csds(law);
    law.stiffness_normal = -1.0; /* the model has a copy, and so has its copy */
    const dem::contact_model copy = model;
    model = dem::contact_model();
    world.contact_model_set(0, 0, copy);
    world.wall_add(dem::make<dem_wall>());
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.5;
    particle.mass = 0.1;
    particle.position[2] = 0.49;
    world.particle_add(particle);
    world.step(1e-6, 0);
    double point[2][3] = {}, force[2][3] = {};
    dem_contact_arrays arrays = dem::make<dem_contact_arrays>();
    arrays.capacity = 2;
    arrays.point = point[0];
    arrays.force_normal = force[0];
    std::uint64_t cursor = 0;
    expect(world.contacts_read(cursor, arrays) == 1, "one contact");
    expect(world.contacts().at(0).force_normal[2] == force[0][2], "its force");
    expect(std::fabs(point[0][2]) < 1e-15, "its point");
    expect(world.contacts_read(cursor, arrays) == 0, "and no other one");
    const std::vector<dem_analysis_box> boxes = world.boxes_analyse();
    expect(boxes.size() == 1 && boxes[0].contact_ends == 1, "an analysis");
    std::uint64_t ends = 0;
    dem_analysis_particles rows = dem::make<dem_analysis_particles>();
    rows.capacity = 1;
    rows.contacts = &ends;
    expect(world.particles_analyse(rows) == 1 && ends == 1, "of each particle");
    const std::uint64_t hash = world.hash();
    world.mark();
    world.step(1e-5, 3);
    world.rewind();
    expect(world.hash() == hash, "back at the mark");
    world.shrink();
    expect(world.hash() == hash, "shrunk");
}

/* A sphere for a world of its own, which has the other one as a ghost. */
static dem::world domain(std::uint64_t id, double x, dem_particle_handle &handle)
{
    dem_linear linear = dem::make<dem_linear>();
    linear.stiffness_normal = 1000.0;
    dem::world world;
    dem_contact_model model = dem::make<dem_contact_model>();
    dem::check(dem_contact_model_add_linear_csds(&model, &linear));
    world.contact_model_set(0, 0, model);
    dem_particle sphere = dem::make<dem_particle>();
    sphere.id = id;
    sphere.radius = 0.5;
    sphere.mass = 1.0;
    sphere.position[0] = x;
    handle = world.particle_add(sphere);
    return world;
}

/* Two spheres that push each other apart, each in a world of its own. */
static void domains()
{
    std::vector<dem_particle_handle> own(2), ghosts[2];
    dem::world first = domain(1, 0.0, own[0]), second = domain(2, 0.99, own[1]);
    dem::world *const worlds[2] = {&first, &second};
    for (int k = 0; k < 2; ++k)
        ghosts[k] = worlds[k]->ghosts_set(worlds[1 - k]->ghosts_get({own[1 - k]}), 0.1);
    for (int step = 0; step < 11; ++step) {
        expect(first.rebuild_wanted() == (dem_world_rebuild_wanted(first.get()) == 1),
               "whether a list is wanted");
        if (first.rebuild_wanted() || second.rebuild_wanted() || step == 5)
            for (int k = 0; k < 2; ++k)
                worlds[k]->rebuild_order();
        for (int k = 0; k < 2; ++k)
            worlds[k]->step_begin(step == 0 ? 0.0 : 1e-3);
        for (int k = 0; k < 2; ++k)
            worlds[k]->forces_set(ghosts[k], worlds[1 - k]->forces_get({own[1 - k]}));
        for (int k = 0; k < 2; ++k)
            worlds[k]->step_end();
    }
    double fluid[3] = {0.0, 2.0, 0.0}, got[3] = {0.0, 0.0, 0.0};
    first.field_set(DEM_FIELD_FLUID_VELOCITY, 2, std::vector<double>(6, 3.0).data());
    first.ghosts_field_set(DEM_FIELD_FLUID_VELOCITY, ghosts[0], fluid);
    first.particles_field_get(DEM_FIELD_FLUID_VELOCITY, {own[0]}, got);
    expect(got[1] == 3.0, "a field of an own sphere");
    first.particles_field_get(DEM_FIELD_FLUID_VELOCITY, ghosts[0], got);
    expect(got[1] == 2.0, "a field of a ghost");
    const dem_particle a = first.particle_get(own[0]), b = second.particle_get(own[1]);
    expect(a.velocity[0] < -0.05 && a.velocity[0] == -b.velocity[0], "ghosts push");
    expect(first.counts().ghosts == 1 && first.counts().contacts == 1, "one contact");
    expect(second.counts().contacts == 0 && !second.ghosts_wanted(), "counted once");
    first.step_begin(1e-3);
    first.step_cancel();
    dem_wall wall = dem::make<dem_wall>();
    wall.id = 77;
    wall.point[2] = -5.0;
    first.wall_add(wall);
    dem_wall_servo servo = dem::make<dem_wall_servo>();
    servo.speed = 0.1;
    first.wall_set_servo(77, servo);
    first.step_begin(0.0);
    first.wall_total_set(77, first.wall_part(77));
    first.step_cancel();
    first.wall_remove(77);
    try {
        first.wall_total_set(77, std::vector<double>(5));
        expect(false, "five numbers of a wall");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_RANGE, "as many as a part has");
    }
    const std::vector<unsigned char> bytes = first.particles_pack({own[0]});
    dem_particle_handle other;
    dem::world third = domain(3, 5.0, other);
    expect(third.particles_unpack(bytes) == 1 && third.counts().particles == 2, "it travels");
    first.particles_release({own[0]});
    expect(first.counts().ghosts == 2 && first.ghosts_wanted(), "given away");
    try {
        first.forces_set(ghosts[0], std::vector<double>(5));
        expect(false, "five numbers");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_RANGE, "six numbers a ghost");
    }
}

/* A square that is shared, and a mesh that is refused. */
static void meshes()
{
    const double x[4][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
    const std::uint32_t facets[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const std::string stl = "solid\nendsolid\n";
    dem::mesh second = dem::mesh::from_obj(obj.data(), obj.size());
    {
        dem::mesh first(x[0], 4, facets[0], 2);
        second = first.share();
        expect(second.get() == first.get(), "one mesh");
    }
    expect(second.properties().area == 1.0 && second.defects()[1] == DEM_MESH_OPEN, "properties");
    const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const std::uint32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    const dem::mesh closed(corner[0], 4, sides[0], 4);
    expect(closed.measure().centre[0] == 0.25, "a solid");
    const dem::polyhedron stone(closed);
    dem::polyhedron_search stones;
    dem_polyhedron_motion lower = dem::make<dem_polyhedron_motion>(), upper = lower;
    lower.shape = upper.shape = stone.share().get();
    upper.id = 1;
    upper.position[2] = 0.5;
    dem_polyhedron_law stiff = dem::make<dem_polyhedron_law>();
    stiff.modulus = 1e6;
    stiff.radius = stone.properties().equivalent_radius;
    const dem_polyhedron_contact touch = stones.pair(upper, lower);
    const dem_polyhedron_load load = dem::polyhedron_force(stiff, touch);
    expect(touch.state == DEM_POLYHEDRON_TOUCHING && load.energy > 0.0, "two stones");
    expect(dem_mesh_vertices(stone.surface()) != nullptr, "a surface");
    const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    expect(stones.plane(lower, zero, up).area > 0.0, "a stone in a floor");
    const double moments[3] = {1, 1, 1};
    expect(dem::polyhedron_mass(2.0, moments, lower.orientation, up) == 2.0 / 3.0, "a mass");
    int solid_refused = 0;
    try {
        (void)second.measure();
    } catch (const dem::error &failure) {
        solid_refused = failure.status() == DEM_ERROR_FORMAT;
    }
    expect(solid_refused, "an open mesh bounds no solid");
    expect(second.vertices()[3] == 1.0 && second.facets()[5] == 3, "vertices and facets");
    const double centres[2][3] = {{0.3, 0.2, 0.4}, {0.3, 0.2, 9.0}}, radii[2] = {0.5, 0.5};
    dem::mesh_search search(second);
    dem_mesh_spheres spheres = dem::make<dem_mesh_spheres>();
    spheres.count = 2;
    spheres.position = centres[0];
    spheres.radius = radii;
    spheres.mesh_row = 2;
    const dem_mesh_contacts found = search.spheres(spheres);
    expect(found.count == 1 && found.pairs[0] == 0 && found.pairs[1] == 2, "one contact");
    dem::contact_history history;
    dem_contacts_input input = dem::make<dem_contacts_input>();
    dem_contacts_geometry geometry = dem::make<dem_contacts_geometry>();
    input.particle_count = 3;
    input.pair_count = found.count;
    input.pairs = found.pairs;
    geometry.normal = found.normal;
    expect(history.slots(input, geometry) == std::vector<std::uint64_t>(1, 0), "its slot");
    dem_wall drum = dem::make<dem_wall>();
    drum.shape = DEM_SHAPE_CYLINDER;
    drum.side = DEM_SIDE_INSIDE;
    try {
        dem::wall_search nowhere(drum);
        expect(false, "a cylinder of radius 0 throws");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("dem_wall.size[0]") != std::string::npos, "its name");
    }
    drum.size[0] = 0.75;
    dem::wall_search around(drum);
    dem_wall_spheres rolling = dem::make<dem_wall_spheres>();
    rolling.count = 2;
    rolling.position = centres[0];
    rolling.radius = radii;
    rolling.wall_row = 2;
    const dem_wall_contacts touching = around.spheres(rolling);
    expect(touching.count == 2 && touching.pairs[3] == 2 && touching.radius[0] > 0.5, "a drum");
    spheres.reach = -1.0;
    try {
        search.spheres(spheres);
        expect(false, "a negative reach throws");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("reach") != std::string::npos, "its name");
    }
    try {
        dem::mesh::from_stl(stl.data(), stl.size());
        expect(false, "an empty mesh throws");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_RANGE, "status of the exception");
    }
    try {
        dem::mesh missing("missing.stl");
        expect(false, "a missing file throws");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("missing.stl") != std::string::npos, "its name");
    }
}

/* A dumbbell that is measured, pushed and turned: closed forms of a free body. */
static void bodies()
{
    std::vector<dem_body_part> parts(2, dem::make<dem_body_part>());
    dem_body body = dem::make<dem_body>();
    for (std::size_t k = 0; k < 2; ++k) {
        parts[k].radius = 0.5;
        parts[k].centre[0] = k == 0 ? 1.0 : 3.0;
    }
    expect(dem::clump_measure(6.0 / 3.14159265358979, parts, body) < 1e-9, "spheres apart");
    expect(std::fabs(body.mass - 2.0) < 1e-9 && std::fabs(body.position[0] - 2.0) < 1e-9,
           "two spheres of 1 kg");
    expect(std::fabs(std::fabs(parts[0].centre[0]) - 1.0) < 1e-9, "centres in the body's axes");
    dem::world world;
    const dem_body_handle handle = world.body_add(body, parts);
    expect(world.body_find(1).index == handle.index, "found by its id");
    const double force[3] = {0.0, 4.0, 0.0}, torque[3] = {0.0, 0.0, 2.2}, at[3] = {5.0, 0.0, 0.0};
    world.body_set_force(handle, force, torque);
    world.body_set_motion(handle, at, nullptr, nullptr, nullptr);
    world.step(1e-3, 100);
    const dem_body moved = world.body_get(handle);
    expect(moved.position[0] == 5.0 && std::fabs(moved.velocity[1] - 0.2) < 1e-9, "its velocity");
    /* moment of inertia 2 (0.4 0.5^2 + 1^2) = 2.2 kg m2 */
    expect(std::fabs(moved.angular_velocity[2] - 0.1) < 1e-9, "its angular velocity");
    const dem_particle_handle part = world.body_part_find(handle, 1);
    expect(world.particle_get(part).radius == 0.5, "its part");
    dem_body_arrays arrays = dem::make<dem_body_arrays>();
    std::uint64_t cursor = 0, id[2] = {0, 0};
    double loads[2][3];
    arrays.capacity = 2;
    arrays.id = id;
    arrays.torque = loads[0];
    expect(world.bodies_read(cursor, arrays) == 1 && id[0] == 1, "all bodies");
    expect(std::fabs(loads[0][2] - 2.2) < 1e-12, "the torque on it");
    world.body_remove(handle);
    /* a corner of a cube */
    const std::vector<double> x = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const std::vector<std::uint32_t> sides = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const dem::polyhedron shape(dem::mesh(x.data(), 4, sides.data(), 4));
    dem_body_part of_shape = dem::make<dem_body_part>();
    dem_body solid = dem::make<dem_body>();
    of_shape.shape = shape.get();
    solid.mass = 1.0;
    for (double &moment : solid.inertia)
        moment = 1.0;
    const dem_body_handle stone = world.body_add(solid, {of_shape});
    world.step(1e-3, 1);
    expect(world.particle_get(world.body_part_find(stone, 0)).radius == shape.properties().radius,
           "the sphere around a polyhedron");
    const std::vector<unsigned char> bytes = world.bodies_pack({stone});
    dem::world other;
    other.shape_know(shape.get());
    const std::vector<dem_body_handle> ghost =
        other.ghost_bodies_set(world.ghost_bodies_get({stone}), 0.1, 3);
    expect(ghost.size() == 1, "a body is a ghost");
    other.ghost_bodies_loads_set(ghost, world.bodies_loads_get({stone}));
    other.ghost_bodies_set({}, 0.1, 0);
    world.bodies_release({stone});
    expect(world.ghosts_wanted(), "a body is given away");
    expect(other.particles_unpack(bytes) == 1 && other.body_get(other.body_find(2)).mass == 1.0,
           "a body travels");
    try {
        world.body_get(handle);
        expect(false, "a stale handle throws");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_HANDLE, "status of the exception");
    }
}

/** A fluid takes a sphere along: fields, steps of a duration, the impulse it gets back. */
static void fluid()
{
    dem::world world;
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.5;
    particle.mass = 2.0;
    const dem_particle_handle handle = world.particle_add(particle);
    const double drag = 3.0, velocity[3] = {4.0, 0.0, 0.0};
    world.field_set(DEM_FIELD_DRAG_COEFFICIENT, 1, &drag);
    world.field_set(DEM_FIELD_FLUID_VELOCITY, 1, velocity);
    world.impulses_reset();
    std::uint64_t made = 0;
    expect(world.advance(0.1, 0.01, &made) == 10 && made == 10 &&
               std::fabs(world.time() - 0.1) < 1e-15,
           "ten steps");
    const double reached = world.particle_get(handle).velocity[0];
    expect(reached > 0.5 && reached < 0.6, "it follows the fluid");
    expect(std::fabs(dem::row(world.view(DEM_FIELD_DRAG_IMPULSE), 0)[0] - 2.0 * reached) < 1e-14,
           "what the fluid gave is what it has");
}

/** Cells of a fluid: by a kernel of the library's, and by weights of one's own. */
static void cells_of_a_fluid()
{
    dem_deposition_grid grid = dem::make<dem_deposition_grid>();
    grid.cells[0] = 2;
    const double place[3] = {1.2, 0.5, 0.5}, amount = 3.0, volume = 0.5;
    double solid[2] = {0.0, 0.0}, given[2] = {0.0, 0.0}, back = 0.0, again = 0.0;
    const dem_deposition_weights weights = dem::deposition_weights_of(grid, place);
    double sum = 0.0, second = 0.0;
    for (std::uint64_t k = 0; k < weights.count; ++k) {
        sum += weights.weight[k];
        second += weights.cell[k] == 1 ? weights.weight[k] : 0.0;
    }
    expect(std::fabs(sum - 1.0) < 1e-14 && second > 0.5, "weights");
    dem::deposit(grid, 1, place, 24, &amount, 8, 1, solid);
    expect(std::fabs(solid[0] + solid[1] - amount) < 1e-14, "a deposit");
    expect(std::fabs(solid[1] - amount * second) < 1e-14, "where it went");
    const std::vector<std::uint64_t> begin = {0, weights.count};
    dem::deposit_given(begin, weights.cell, weights.weight, 2, &amount, 8, 1, given);
    expect(std::fabs(given[0] - solid[0]) < 1e-14 && std::fabs(given[1] - solid[1]) < 1e-14,
           "a deposit by weights of one's own");
    dem::interpolate(grid, 1, place, 24, solid, 1, &back, 8);
    dem::interpolate_given(begin, weights.cell, weights.weight, 2, solid, 1, &again, 8);
    expect(std::fabs(back - (solid[0] + second * (solid[1] - solid[0]))) < 1e-14 &&
               std::fabs(again - back) < 1e-14,
           "back at the particle");
    std::uint64_t fullest = 9;
    expect(dem::deposition_fraction_most(2, solid, 8, &volume, 0, &fullest) == solid[1] / volume &&
               fullest == 1,
           "the fullest cell");
    expect(dem::deposition_undisturbed(1.0, 0.0, 1.0, 1.0) == 1.0, "nothing to correct");
    try {
        dem::deposition_undisturbed(1.0, 100.0, 1.0, 1.0);
        expect(false, "a correction that is too large throws");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_RANGE && error.what()[0] != '\0', "and says why");
    }
}

/* Particles one by one: each number arrives where it belongs, by closed forms of free bodies. */
static void particles_one_by_one()
{
    dem::world world;
    dem_material heavy = dem::make<dem_material>();
    heavy.density = 6.0 / 3.14159265358979;
    world.material_set(0, heavy);
    world.contact_model_set(0, 0, dem::contact_model());
    std::vector<dem_particle> two(2, dem::make<dem_particle>());
    for (std::size_t k = 0; k < 2; ++k) {
        two[k].radius = k == 0 ? 0.5 : 1.0;
        two[k].position[0] = k == 0 ? 0.0 : 10.0;
        two[k].id = 7 + k;
    }
    const std::vector<dem_particle_handle> handles = world.particles_add(two);
    for (std::size_t k = 0; k < 2; ++k)
        expect(world.particle_get(handles[k]).radius == two[k].radius &&
                   world.particle_find(7 + k).index == handles[k].index,
               "a handle for each");
    expect(std::fabs(world.particle_get(handles[0]).mass - 1.0) < 1e-12, "density of a material");
    const double down[3] = {0.0, 0.0, -2.0}, at[3] = {1.0, 2.0, 3.0}, v[3] = {4.0, 5.0, 6.0},
                 w[3] = {7.0, 8.0, 9.0}, force[3] = {10.0, 0.0, 0.0}, torque[3] = {0.0, 0.3, 0.0};
    world.gravity_set(down);
    world.particle_set_motion(handles[0], at, v, w);
    world.particle_set_force(handles[0], force, torque);
    const dem_particle before = world.particle_get(handles[0]);
    for (int c = 0; c < 3; ++c)
        expect(before.position[c] == at[c] && before.velocity[c] == v[c] &&
                   before.angular_velocity[c] == w[c],
               "a motion");
    world.step(1e-3, 100);
    /* 1 kg, and 0.4 m r^2 = 0.1 kg m2 */
    const dem_particle after = world.particle_get(handles[0]);
    expect(std::fabs(after.velocity[0] - 5.0) < 1e-9 && after.velocity[1] == 5.0 &&
               std::fabs(after.velocity[2] - 5.8) < 1e-9,
           "forces and gravity");
    expect(after.angular_velocity[0] == 7.0 && std::fabs(after.angular_velocity[1] - 8.3) < 1e-9,
           "torques");
    world.particle_remove(handles[0]);
    expect(world.counts().particles == 1 && world.particle_get(handles[1]).radius == 1.0,
           "one is left");
    const std::uint64_t id = world.wall_add(dem::make<dem_wall>());
    world.wall_set_velocity(id, v);
    world.step(0.25, 1);
    expect(world.wall_get(id).point[2] == 1.5, "a wall that moves");
    world.wall_remove(id);
    expect(world.counts().walls == 0, "no wall");
    const dem_view view = world.view(DEM_FIELD_EXTERNAL_FORCE);
    expect(!world.stale(view), "a fresh view");
    dem::row(view, 0)[1] = std::numeric_limits<double>::quiet_NaN();
    world.touch();
    try {
        world.step(1e-3, 1);
        expect(false, "all that is written is checked");
    } catch (const dem::error &error) {
        expect(std::string(error.what()).find("force") != std::string::npos, "what was wrong");
    }
    dem::row(world.view(DEM_FIELD_EXTERNAL_FORCE), 0)[1] = 0.0;
    world.touch();
    world.step(1e-3, 1);
    expect(world.stale(view), "a view of the step before");
}

/* Boxes of a grid, one behind the other along x, then y, then z: each has what is in it. */
static void boxes_of_a_grid()
{
    dem::world world;
    dem_particle particle = dem::make<dem_particle>();
    particle.radius = 0.1;
    for (int k = 0; k < 24; ++k) {
        particle.position[0] = 0.5 + k % 2;
        particle.position[1] = 0.5 + k / 2 % 3;
        particle.position[2] = 0.5 + k / 6;
        particle.mass = 1.0 + k;
        world.particle_add(particle);
    }
    dem_analysis_grid grid = dem::make<dem_analysis_grid>();
    for (int c = 0; c < 3; ++c) {
        grid.low[c] = 0.0;
        grid.high[c] = grid.boxes[c] = 2 + c;
    }
    const std::vector<dem_analysis_box> boxes = world.boxes_analyse(grid);
    expect(boxes.size() == 24, "as many as the grid has");
    for (std::size_t k = 0; k < boxes.size(); ++k)
        expect(boxes[k].mass == 1.0 + static_cast<double>(k), "in their order");
}

/* A force that is the parameter, for a law of one's own. */
extern "C" {
static dem_status push_combine(void *, const void *parameters, dem_pair_properties *,
                               void *combined, dem_error *)
{
    *static_cast<double *>(combined) = *static_cast<const double *>(parameters);
    return DEM_OK;
}

static dem_status push_evaluate(void *, std::uint64_t n, dem_contact_batch *batch,
                                const void *combined)
{
    for (std::uint64_t k = 0; k < n; ++k)
        batch->force_normal[k] += *static_cast<const double *>(combined);
    return DEM_OK;
}
}

static dem_law push_law()
{
    static const char *const names[1] = {"push"};
    dem_law law = dem::make<dem_law>();
    law.name = "push";
    law.version = 1;
    law.kind = DEM_LAW_NORMAL;
    law.parameters_size = law.combined_size = sizeof(double);
    law.combine = push_combine;
    law.evaluate = push_evaluate;
    law.value_names = names;
    law.value_count = 1;
    return law;
}

/* Two spheres that overlap, for level 1. */
struct two_spheres {
    double x[2][3] = {{0.0, 0.0, 0.0}, {0.9, 0.0, 0.0}}, v[2][3] = {}, w[2][3] = {};
    double force[2][3] = {}, torque[2][3] = {}, radius[2] = {0.5, 0.5}, mass[2] = {1.0, 2.0};
    double inertia[2] = {0.1, 0.2};
    std::uint32_t pair[2] = {0, 1};
    dem_contacts_input input = dem::make<dem_contacts_input>();
    dem_integrator_arrays arrays = dem::make<dem_integrator_arrays>();

    two_spheres()
    {
        input.particle_count = arrays.count = 2;
        input.position = arrays.position = x[0];
        input.velocity = arrays.velocity = v[0];
        input.angular_velocity = arrays.angular_velocity = w[0];
        input.radius = radius;
        input.mass = arrays.mass = mass;
        input.force = force[0];
        input.torque = torque[0];
        arrays.force = force[0];
        arrays.torque = torque[0];
        arrays.inertia = inertia;
        input.pair_count = 1;
        input.pairs = pair;
        input.dt = 1e-3;
    }
    two_spheres(const two_spheres &) = delete;
    two_spheres &operator=(const two_spheres &) = delete;
};

/* A law of one's own, its value, exact sums, and geometry of the host. */
static void laws_of_ones_own()
{
    const double push = 3.0;
    dem::world world;
    dem_world_config config = dem::make<dem_world_config>();
    config.material_count = 2;
    world = dem::world(config);
    world.law_register(push_law());
    dem_contact_history_config exact = dem::make<dem_contact_history_config>();
    exact.sums = DEM_SUMS_EXACT;
    exact.force_range = exact.torque_range = 16.0;
    exact.material_count = 2;
    dem::contact_history history(exact);
    history.law_register(push_law());
    const dem::contact_model model = dem::contact_model().add("push", &push);
    world.contact_model_set(0, 1, model);
    history.model_set(0, 0, model);
    history.model_set(0, 1, model);
    expect(world.pair_value(0, 1, 0).value == push && history.pair_value(0, 1, 0).value == push,
           "a value of a pair");
    try {
        world.pair_value(0, 1, 1);
        expect(false, "a value beyond the last throws");
    } catch (const dem::error &error) {
        expect(error.status() == DEM_ERROR_RANGE, "status of the exception");
    }
    two_spheres two;
    std::int64_t sums[2][DEM_SUMS_SIZE] = {};
    two.input.sums = sums[0];
    history.evaluate(two.input);
    expect(two.force[0][0] == 0.0, "the force is in the sums");
    double twist[2][3] = {};
    history.sums_values(2, sums[0], two.force[0], twist[0]);
    expect(std::fabs(two.force[0][0] + push) < 1e-9 && two.force[1][0] == -two.force[0][0],
           "what they stand for");
    two.input.sums = nullptr;
    const double overlap = 0.1, normal[3] = {0.0, -1.0, 0.0}, point[3] = {0.5, 0.0, 0.0};
    dem_contacts_geometry geometry = dem::make<dem_contacts_geometry>();
    geometry.overlap = &overlap;
    geometry.normal = normal;
    geometry.point = point;
    two.force[0][0] = two.force[0][1] = 0.0;
    expect(history.evaluate(two.input, geometry).contacts == 1 && two.force[0][0] == 0.0 &&
               std::fabs(std::fabs(two.force[0][1]) - push) < 1e-9,
           "geometry of the host");
    history.clear();
    expect(history.count() == 0, "no contact is left");
}

/* Open steps of an integrator. */
static void open_steps()
{
    two_spheres two;
    dem_integrator_config config = dem::make<dem_integrator_config>();
    config.scheme = DEM_INTEGRATOR_LEAPFROG;
    dem::integrator leapfrog(config);
    two.force[0][0] = 2.0;
    two.torque[0][1] = 0.3;
    leapfrog.begin(two.arrays, 0.5);
    const std::pair<const double *, const double *> both = leapfrog.accelerations();
    expect(both.first[0] == 2.0 && std::fabs(both.second[1] - 3.0) < 1e-15, "accelerations");
    leapfrog.cancel();
    leapfrog.begin(two.arrays, 0.25);
    leapfrog.end(two.arrays);
    expect(leapfrog.velocity_lag() == 0.125, "half a step behind");
    config.scheme = DEM_INTEGRATOR_VERLET_STANDARD;
    expect(dem::integrator(config).kinematics() == DEM_KINEMATICS_STANDARD, "its kinematics");
}

/* Two spheres swing on a spring of Hooke, by a scheme of order 4. */
static void stages()
{
    two_spheres two;
    dem_integrator_config config = dem::make<dem_integrator_config>();
    config.scheme = DEM_INTEGRATOR_RK4;
    dem::integrator scheme(config);
    dem_linear law = dem::make<dem_linear>();
    law.stiffness_normal = 30.0;
    law.restitution = 1.0;
    dem::contact_history history;
    history.model_set(0, 0, law);
    for (int step = 0; step < 10; ++step) {
        const dem_contacts_stage springs = history.stage_begin(two.input);
        two.arrays.state_count = springs.count;
        two.arrays.state = springs.state;
        two.arrays.state_rate = springs.rate;
        two.arrays.state_jump = springs.jump;
        expect(scheme.stage_count() == 4, "four stages");
        for (std::uint32_t k = 0; k < scheme.stage_count(); ++k) {
            for (int c = 0; c < 6; ++c)
                two.force[c / 3][c % 3] = two.torque[c / 3][c % 3] = 0.0;
            const double deep = 1.0 - (two.x[1][0] - two.x[0][0]);
            expect(std::fabs(history.stage_rate(two.input).elastic_energy - 15.0 * deep * deep) <
                       1e-15,
                   "energy of a stage");
            scheme.stage(two.arrays, 1e-2);
        }
        history.stage_end();
    }
    /* the overlap is 0.1 cos(omega t), omega^2 = k/m* = 45 1/s2 */
    const double phase = std::sqrt(45.0) * 0.1;
    expect(std::fabs(1.0 - (two.x[1][0] - two.x[0][0]) - 0.1 * std::cos(phase)) < 1e-7,
           "an overlap that swings");
    const std::vector<dem_contact> contacts = history.contacts();
    expect(contacts.size() == 1 && contacts[0].overlap > 0.07, "a contact of the last stage");
}

int main()
{
    owned<dem::mesh>();
    owned<dem::world>();
    owned<dem::contact_history>();
    owned<dem::integrator>();
    members();
    moves();
    throws();
    level1();
    travel();
    snapshots();
    snapshots_thrown();
    touches();
    hooks();
    moved_models();
    contacts();
    moving_walls();
    domains();
    fluid();
    cells_of_a_fluid();
    meshes();
    bodies();
    particles_one_by_one();
    boxes_of_a_grid();
    laws_of_ones_own();
    open_steps();
    stages();
    return failures != 0;
}
