/* SPDX-License-Identifier: MIT */
/**
 * @file dem.hpp
 * libdem for C++11 and later: ownership and exceptions over the C API, and nothing else.
 *
 * A class holds one C object and gives it back at the end of its scope; it moves and does not copy.
 * A member does what the C function of the same name does (dem::world::step: dem_step) and throws
 * dem::error where that returns a status other than DEM_OK. What is not wrapped is reached through
 * get(). Structs, constants, kernels and their documentation are those of dem.h.
 *
 *     dem::world world(config);
 *     world.contact_model_set(0, 0, law);
 *     world.step(1e-5, 1000);
 *     std::cout << world.energies().elastic << '\n';
 *
 * Callbacks of the host (allocator, log, executor, laws) are called from C: no exception may leave
 * them. All is inline; the shared library has no C++ in its interface.
 */
#ifndef DEM_DEM_HPP
#define DEM_DEM_HPP

#include "dem.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/** The C++ face of libdem. */
namespace dem {

/** What a failed call throws: the status, and as what() the message of the object. */
class error : public std::runtime_error {
public:
    /** An error of a status with a text; an empty text becomes that of the status. */
    error(dem_status status, const char *message)
        : std::runtime_error(message != nullptr && message[0] != '\0' ? message
                                                                      : dem_status_string(status)),
          status_(status)
    {
    }

    /** One of DEM_ERROR_... */
    dem_status status() const noexcept { return status_; }

private:
    dem_status status_;
};

/** Throws dem::error unless the status is DEM_OK.
 * @param status what a C function returned
 * @param message the text of the exception; NULL or "": dem_status_string(status) */
inline void check(dem_status status, const char *message = nullptr)
{
    if (status != DEM_OK)
        throw error(status, message);
}

/** The inline initialisers of the C headers under one name, for make(). */
namespace detail {
inline dem_status init(dem_linear *s) { return dem_linear_init(s); }
inline dem_status init(dem_hertz *s) { return dem_hertz_init(s); }
inline dem_status init(dem_mindlin *s) { return dem_mindlin_init(s); }
inline dem_status init(dem_luding *s) { return dem_luding_init(s); }
inline dem_status init(dem_walton_braun *s) { return dem_walton_braun_init(s); }
inline dem_status init(dem_thornton *s) { return dem_thornton_init(s); }
inline dem_status init(dem_actm *s) { return dem_actm_init(s); }
inline dem_status init(dem_adhesion *s) { return dem_adhesion_init(s); }
inline dem_status init(dem_hooke *s) { return dem_hooke_init(s); }
inline dem_status init(dem_friction *s) { return dem_friction_init(s); }
inline dem_status init(dem_rolling *s) { return dem_rolling_init(s); }
inline dem_status init(dem_rolling_constant *s) { return dem_rolling_constant_init(s); }
inline dem_status init(dem_twisting_marshall *s) { return dem_twisting_marshall_init(s); }
inline dem_status init(dem_contact_model *s) { return dem_contact_model_init(s); }
inline dem_status init(dem_law *s) { return dem_law_init(s); }
inline dem_status init(dem_contact_history_config *s)
{
    return dem_contact_history_config_init(s);
}
inline dem_status init(dem_contacts_input *s) { return dem_contacts_input_init(s); }
inline dem_status init(dem_contacts_geometry *s) { return dem_contacts_geometry_init(s); }
inline dem_status init(dem_integrator_config *s) { return dem_integrator_config_init(s); }
inline dem_status init(dem_integrator_arrays *s) { return dem_integrator_arrays_init(s); }
inline dem_status init(dem_world_config *s) { return dem_world_config_init(s); }
inline dem_status init(dem_material *s) { return dem_material_init(s); }
inline dem_status init(dem_timestep_request *s) { return dem_timestep_request_init(s); }
inline dem_status init(dem_particle *s) { return dem_particle_init(s); }
inline dem_status init(dem_wall *s) { return dem_wall_init(s); }

/** A C object with one owner. */
template <class Object, void (*Destroy)(Object *)> class owner {
public:
    owner() noexcept : object_(nullptr) {}
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    owner(owner &&other) noexcept : object_(other.release()) {}
    owner &operator=(owner &&other) noexcept
    {
        if (this != &other) {
            Destroy(object_);
            object_ = other.release();
        }
        return *this;
    }
    ~owner() { Destroy(object_); }

    /** The C object, still owned here; NULL after a move. */
    Object *get() const noexcept { return object_; }

    /** Gives the C object to the caller, who destroys it. */
    Object *release() noexcept
    {
        Object *const object = object_;
        object_ = nullptr;
        return object;
    }

protected:
    /** Calls create(config, &object, &message) and keeps the object. */
    template <class Config>
    void create(dem_status (*function)(const Config *, Object **, dem_error *),
                const Config &config)
    {
        dem_error message = dem_error();
        check(function(&config, &object_, &message), message.message);
    }

private:
    Object *object_;
};
} // namespace detail

/** An input struct with the library's defaults: make<dem_particle>().
 *
 * Its size is that of this program's headers, so the value may be returned and copied here. */
template <class Struct> Struct make()
{
    Struct value;
    check(detail::init(&value));
    return value;
}

/** A struct of zeros that the library is to fill, with its struct_size: output<dem_contact>(). */
template <class Struct> Struct output()
{
    Struct value = Struct();
    value.struct_size = sizeof(Struct);
    return value;
}

/** Contacts of particles that the host owns: dem_contact_history. */
class contact_history
    : public detail::owner<dem_contact_history, dem_contact_history_destroy> {
public:
    /** Makes an empty history: dem_contact_history_create. */
    explicit contact_history(
        const dem_contact_history_config &config = make<dem_contact_history_config>())
    {
        create(dem_contact_history_create, config);
    }

    /** dem_contact_history_law_register */
    void law_register(const dem_law &law) { run(dem_contact_history_law_register(get(), &law)); }

    /** dem_contact_history_model_set */
    void model_set(std::int32_t material_a, std::int32_t material_b,
                   const dem_contact_model &model)
    {
        run(dem_contact_history_model_set(get(), material_a, material_b, &model));
    }

    /** dem_contact_history_model_set with a single law, C-SDS unless another is named. */
    void model_set(std::int32_t material_a, std::int32_t material_b, const dem_linear &law,
                   const char *name = DEM_LAW_LINEAR_CSDS)
    {
        dem_contact_model model = make<dem_contact_model>();
        model.parts[0].law = name;
        model.parts[0].parameters = &law;
        model_set(material_a, material_b, model);
    }

    /** dem_contact_history_pair_value: the value of that number, from 0; throws beyond the last. */
    dem_pair_value pair_value(std::int32_t material_a, std::int32_t material_b,
                              std::uint64_t index) const
    {
        dem_pair_value value = output<dem_pair_value>();
        check(dem_contact_history_pair_value(get(), material_a, material_b, index, &value),
              dem_contact_history_error(get()));
        return value;
    }

    /** dem_contacts_evaluate_geometry; returns the sums over the contacts. */
    dem_contact_totals evaluate(const dem_contacts_input &input,
                                const dem_contacts_geometry &geometry)
    {
        dem_contact_totals totals = output<dem_contact_totals>();
        run(dem_contacts_evaluate_geometry(get(), &input, &geometry, &totals));
        return totals;
    }

    /** dem_contacts_evaluate; returns the sums over the contacts. */
    dem_contact_totals evaluate(const dem_contacts_input &input)
    {
        dem_contact_totals totals = output<dem_contact_totals>();
        run(dem_contacts_evaluate(get(), &input, &totals));
        return totals;
    }

    /** dem_contacts_stage_begin: the contacts' history as variables of a scheme of stages. */
    dem_contacts_stage stage_begin(const dem_contacts_input &input)
    {
        dem_contacts_stage stage = output<dem_contacts_stage>();
        run(dem_contacts_stage_begin(get(), &input, &stage));
        return stage;
    }

    /** dem_contacts_stage_rate; returns the sums over the contacts. */
    dem_contact_totals stage_rate(const dem_contacts_input &input)
    {
        dem_contact_totals totals = output<dem_contact_totals>();
        run(dem_contacts_stage_rate(get(), &input, &totals));
        return totals;
    }

    /** dem_contacts_stage_end */
    void stage_end() { run(dem_contacts_stage_end(get())); }

    /** dem_contact_history_count */
    std::uint64_t count() const noexcept { return dem_contact_history_count(get()); }

    /** All contacts of the history; their `state` is valid until the history changes. */
    std::vector<dem_contact> contacts() const
    {
        std::vector<dem_contact> all;
        std::uint64_t cursor = 0;
        dem_contact contact = output<dem_contact>();
        dem_status status;
        while ((status = dem_contact_history_next(get(), &cursor, &contact)) == DEM_OK)
            all.push_back(contact);
        if (status != DEM_ERROR_RANGE)
            run(status);
        return all;
    }

    /** dem_contact_history_clear */
    void clear() { run(dem_contact_history_clear(get())); }

private:
    void run(dem_status status) const { check(status, dem_contact_history_error(get())); }
};

/** An integrator over the host's arrays: dem_integrator. */
class integrator : public detail::owner<dem_integrator, dem_integrator_destroy> {
public:
    /** Makes an integrator: dem_integrator_create. */
    explicit integrator(const dem_integrator_config &config = make<dem_integrator_config>())
    {
        create(dem_integrator_create, config);
    }

    /** dem_integrator_begin */
    void begin(const dem_integrator_arrays &arrays, double dt)
    {
        run(dem_integrator_begin(get(), &arrays, dt));
    }

    /** dem_integrator_end */
    void end(const dem_integrator_arrays &arrays) { run(dem_integrator_end(get(), &arrays)); }

    /** Sets what the open step says about a contacts input: dem_integrator_prepare. */
    void prepare(dem_contacts_input &input) const { run(dem_integrator_prepare(get(), &input)); }

    /** dem_integrator_accelerations, linear and angular */
    std::pair<const double *, const double *> accelerations() const
    {
        std::pair<const double *, const double *> both(nullptr, nullptr);
        run(dem_integrator_accelerations(get(), &both.first, &both.second));
        return both;
    }

    /** dem_integrator_frame */
    std::int32_t frame() const
    {
        std::int32_t frame = DEM_FRAME_SYNCHRONIZED;
        run(dem_integrator_frame(get(), &frame));
        return frame;
    }

    /** dem_integrator_stage_count */
    std::uint32_t stage_count() const noexcept { return dem_integrator_stage_count(get()); }

    /** dem_integrator_stage */
    void stage(const dem_integrator_arrays &arrays, double dt)
    {
        run(dem_integrator_stage(get(), &arrays, dt));
    }

private:
    void run(dem_status status) const { check(status, dem_integrator_error(get())); }
};

/** Spheres and walls that libdem owns and steps: dem_world. */
class world : public detail::owner<dem_world, dem_world_destroy> {
public:
    /** Makes an empty world: dem_world_create. */
    explicit world(const dem_world_config &config = make<dem_world_config>())
    {
        create(dem_world_create, config);
    }

    /** dem_world_law_register */
    void law_register(const dem_law &law) { run(dem_world_law_register(get(), &law)); }

    /** dem_material_set */
    void material_set(std::int32_t index, const dem_material &material)
    {
        run(dem_material_set(get(), index, &material));
    }

    /** dem_contact_model_set */
    void contact_model_set(std::int32_t material_a, std::int32_t material_b,
                           const dem_contact_model &model)
    {
        run(dem_contact_model_set(get(), material_a, material_b, &model));
    }

    /** dem_contact_model_set with a single law, C-SDS unless another is named. */
    void contact_model_set(std::int32_t material_a, std::int32_t material_b,
                           const dem_linear &law, const char *name = DEM_LAW_LINEAR_CSDS)
    {
        dem_contact_model model = make<dem_contact_model>();
        model.parts[0].law = name;
        model.parts[0].parameters = &law;
        contact_model_set(material_a, material_b, model);
    }

    /** dem_world_pair_value: the value of that number, from 0; throws beyond the last. */
    dem_pair_value pair_value(std::int32_t material_a, std::int32_t material_b,
                              std::uint64_t index) const
    {
        dem_pair_value value = output<dem_pair_value>();
        check(dem_world_pair_value(get(), material_a, material_b, index, &value),
              dem_world_error(get()));
        return value;
    }

    /** dem_world_timestep_advise */
    dem_timestep_advice
    timestep_advise(const dem_timestep_request &request = make<dem_timestep_request>())
    {
        dem_timestep_advice advice = output<dem_timestep_advice>();
        run(dem_world_timestep_advise(get(), &request, &advice));
        return advice;
    }

    /** dem_particle_add; returns the handle. */
    dem_particle_handle particle_add(const dem_particle &particle)
    {
        dem_particle_handle handle = dem_particle_handle();
        run(dem_particle_add(get(), &particle, &handle));
        return handle;
    }

    /** dem_particles_add: all or none; returns the handles in the same order. */
    std::vector<dem_particle_handle> particles_add(const std::vector<dem_particle> &particles)
    {
        std::vector<dem_particle_handle> handles(particles.size());
        if (!particles.empty())
            run(dem_particles_add(get(), particles.size(), particles.data(), handles.data()));
        return handles;
    }

    /** dem_particle_remove */
    void particle_remove(dem_particle_handle handle) { run(dem_particle_remove(get(), handle)); }

    /** dem_particle_find */
    dem_particle_handle particle_find(std::uint64_t id) const
    {
        dem_particle_handle handle = dem_particle_handle();
        run(dem_particle_find(get(), id, &handle));
        return handle;
    }

    /** dem_particle_get */
    dem_particle particle_get(dem_particle_handle handle) const
    {
        dem_particle particle = output<dem_particle>();
        run(dem_particle_get(get(), handle, &particle));
        return particle;
    }

    /** dem_particle_set_motion; a null pointer leaves what it would set. */
    void particle_set_motion(dem_particle_handle handle, const double *position,
                             const double *velocity, const double *angular_velocity)
    {
        run(dem_particle_set_motion(get(), handle, position, velocity, angular_velocity));
    }

    /** dem_particle_set_force; a null pointer leaves what it would set. */
    void particle_set_force(dem_particle_handle handle, const double *force, const double *torque)
    {
        run(dem_particle_set_force(get(), handle, force, torque));
    }

    /** dem_wall_add; returns the id. */
    std::uint64_t wall_add(const dem_wall &wall)
    {
        std::uint64_t id = 0;
        run(dem_wall_add(get(), &wall, &id));
        return id;
    }

    /** dem_wall_remove */
    void wall_remove(std::uint64_t id) { run(dem_wall_remove(get(), id)); }

    /** dem_wall_get */
    dem_wall wall_get(std::uint64_t id) const
    {
        dem_wall wall = output<dem_wall>();
        run(dem_wall_get(get(), id, &wall));
        return wall;
    }

    /** dem_wall_set_velocity */
    void wall_set_velocity(std::uint64_t id, const double velocity[3])
    {
        run(dem_wall_set_velocity(get(), id, velocity));
    }

    /** dem_world_gravity_set */
    void gravity_set(const double gravity[3]) { run(dem_world_gravity_set(get(), gravity)); }

    /** dem_step */
    void step(double dt, std::uint64_t steps = 1) { run(dem_step(get(), dt, steps)); }

    /** dem_world_energies_get */
    dem_world_energies energies() const
    {
        dem_world_energies energies = output<dem_world_energies>();
        run(dem_world_energies_get(get(), &energies));
        return energies;
    }

    /** dem_world_counts_get */
    dem_world_counts counts() const
    {
        dem_world_counts counts = output<dem_world_counts>();
        run(dem_world_counts_get(get(), &counts));
        return counts;
    }

    /** dem_world_time */
    double time() const noexcept { return dem_world_time(get()); }

    /** dem_world_hash */
    std::uint64_t hash() const
    {
        std::uint64_t hash = 0;
        run(dem_world_hash(get(), &hash));
        return hash;
    }

    /** dem_world_snapshot */
    std::vector<unsigned char> snapshot() const
    {
        std::uint64_t size = 0;
        run(dem_world_snapshot_size(get(), &size));
        std::vector<unsigned char> bytes(static_cast<std::size_t>(size));
        run(dem_world_snapshot(get(), bytes.data(), size, nullptr));
        return bytes;
    }

    /** dem_world_restore */
    void restore(const std::vector<unsigned char> &bytes)
    {
        run(dem_world_restore(get(), bytes.data(), bytes.size()));
    }

    /** dem_world_save */
    void save(const char *path) const { run(dem_world_save(get(), path)); }

    /** dem_world_load */
    void load(const char *path) { run(dem_world_load(get(), path)); }

    /** dem_world_view: a window on the world's memory, stale after the next change. */
    dem_view view(std::int32_t field)
    {
        dem_view view = output<dem_view>();
        run(dem_world_view(get(), field, &view));
        return view;
    }

    /** dem_world_view_stale */
    bool stale(const dem_view &view) const noexcept
    {
        return dem_world_view_stale(get(), &view) != 0;
    }

    /** dem_world_touch_field */
    void touch_field(std::int32_t field) { run(dem_world_touch_field(get(), field)); }

    /** dem_world_touch */
    void touch() { run(dem_world_touch(get())); }

    /** All contacts of the last complete step; their `state` is valid until the world changes. */
    std::vector<dem_contact> contacts() const
    {
        std::vector<dem_contact> all;
        std::uint64_t cursor = 0;
        dem_contact contact = output<dem_contact>();
        dem_status status;
        while ((status = dem_world_contact_next(get(), &cursor, &contact)) == DEM_OK)
            all.push_back(contact);
        if (status != DEM_ERROR_RANGE)
            run(status);
        return all;
    }

private:
    void run(dem_status status) const { check(status, dem_world_error(get())); }
};

/** Row k of a view: three doubles, or one for DEM_FIELD_RADIUS. */
inline double *row(const dem_view &view, std::uint64_t k) noexcept
{
    void *const first = static_cast<char *>(view.data) + k * view.stride;
    return static_cast<double *>(first);
}

} // namespace dem

#endif
