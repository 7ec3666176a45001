/* SPDX-License-Identifier: MIT */
/**
 * @file dem.hpp
 * libdem for C++11 and later: adds ownership and exceptions to the C API.
 *
 * An object of a class owns one C object and destroys it at the end of its scope. You can move it,
 * not copy it. A member calls the C function of its name (dem::world::step: dem_step), or the one
 * that its comment names: dem::world::touch calls dem_world_written, and touch_field
 * dem_world_written_field. It throws dem::error where that returns another status than DEM_OK.
 * dem::make gives you an input struct with its defaults, dem::output one for the library to fill,
 * and dem::row a row of a view. get() gives you the C object for calls that no member makes.
 * Structs, constants, kernels and their documentation are those of dem.h.
 *
 *     dem::world world(config);
 *     world.contact_model_set(0, 0, law);
 *     world.step(1e-5, 1000);
 *     std::cout << world.energies().elastic << '\n';
 *
 * C code calls your callbacks (allocator, log, executor, laws, hooks of a world, sinks and sources
 * of snapshots): let no exception leave them. The object whose callback one leaves stays locked: it
 * refuses all further calls, or where the call only read it those that change it, and its memory is
 * lost. On a thread of the library's an exception ends the program. dem::world::snapshot_write and
 * snapshot_read take callables that may throw. All members are inline; the interface of the shared
 * library is C.
 */
#ifndef DEM_DEM_HPP
#define DEM_DEM_HPP

#include "dem.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/** The C++ interface of libdem. */
namespace dem
{

/** Exception of a failed call: the status, and the message of the object as what(). */
class error : public std::runtime_error
{
  public:
    /** Makes an error from a status and a text; an empty text becomes that of the status. */
    error(dem_status status, const char *message)
        : std::runtime_error(message != nullptr && message[0] != '\0' ? message
                                                                      : dem_status_string(status)),
          status_(status)
    {
    }

    /** One of DEM_ERROR_... */
    dem_status status() const noexcept
    {
        return status_;
    }

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
namespace detail
{
/* generated from src/laws/laws.def: init */
inline dem_status init(dem_linear *s)
{
    return dem_linear_init(s);
}
inline dem_status init(dem_hooke *s)
{
    return dem_hooke_init(s);
}
inline dem_status init(dem_friction *s)
{
    return dem_friction_init(s);
}
inline dem_status init(dem_hertz *s)
{
    return dem_hertz_init(s);
}
inline dem_status init(dem_mindlin *s)
{
    return dem_mindlin_init(s);
}
inline dem_status init(dem_actm *s)
{
    return dem_actm_init(s);
}
inline dem_status init(dem_adhesion *s)
{
    return dem_adhesion_init(s);
}
inline dem_status init(dem_luding *s)
{
    return dem_luding_init(s);
}
inline dem_status init(dem_walton_braun *s)
{
    return dem_walton_braun_init(s);
}
inline dem_status init(dem_thornton *s)
{
    return dem_thornton_init(s);
}
inline dem_status init(dem_rolling *s)
{
    return dem_rolling_init(s);
}
inline dem_status init(dem_rolling_constant *s)
{
    return dem_rolling_constant_init(s);
}
inline dem_status init(dem_twisting_marshall *s)
{
    return dem_twisting_marshall_init(s);
}
inline dem_status init(dem_film *s)
{
    return dem_film_init(s);
}
/* end of generated */
inline dem_status init(dem_contact_model *s)
{
    return dem_contact_model_init(s);
}
inline dem_status init(dem_law *s)
{
    return dem_law_init(s);
}
inline dem_status init(dem_contact_history_config *s)
{
    return dem_contact_history_config_init(s);
}
inline dem_status init(dem_contacts_input *s)
{
    return dem_contacts_input_init(s);
}
inline dem_status init(dem_contacts_geometry *s)
{
    return dem_contacts_geometry_init(s);
}
inline dem_status init(dem_mesh_config *s)
{
    return dem_mesh_config_init(s);
}
inline dem_status init(dem_mesh_search_config *s)
{
    return dem_mesh_search_config_init(s);
}
inline dem_status init(dem_mesh_spheres *s)
{
    return dem_mesh_spheres_init(s);
}
inline dem_status init(dem_wall_search_config *s)
{
    return dem_wall_search_config_init(s);
}
inline dem_status init(dem_wall_spheres *s)
{
    return dem_wall_spheres_init(s);
}
inline dem_status init(dem_polyhedron_config *s)
{
    return dem_polyhedron_config_init(s);
}
inline dem_status init(dem_polyhedron_search_config *s)
{
    return dem_polyhedron_search_config_init(s);
}
inline dem_status init(dem_polyhedron_motion *s)
{
    return dem_polyhedron_motion_init(s);
}
inline dem_status init(dem_polyhedron_law *s)
{
    return dem_polyhedron_law_init(s);
}
inline dem_status init(dem_integrator_config *s)
{
    return dem_integrator_config_init(s);
}
inline dem_status init(dem_integrator_arrays *s)
{
    return dem_integrator_arrays_init(s);
}
inline dem_status init(dem_world_config *s)
{
    return dem_world_config_init(s);
}
inline dem_status init(dem_material *s)
{
    return dem_material_init(s);
}
inline dem_status init(dem_contact_arrays *s)
{
    return dem_contact_arrays_init(s);
}
inline dem_status init(dem_deposition_grid *s)
{
    return dem_deposition_grid_init(s);
}
inline dem_status init(dem_analysis_grid *s)
{
    return dem_analysis_grid_init(s);
}
inline dem_status init(dem_analysis_particles *s)
{
    return dem_analysis_particles_init(s);
}
inline dem_status init(dem_timestep_request *s)
{
    return dem_timestep_request_init(s);
}
inline dem_status init(dem_particle *s)
{
    return dem_particle_init(s);
}
inline dem_status init(dem_body *s)
{
    return dem_body_init(s);
}
inline dem_status init(dem_body_part *s)
{
    return dem_body_part_init(s);
}
inline dem_status init(dem_body_arrays *s)
{
    return dem_body_arrays_init(s);
}
inline dem_status init(dem_wall *s)
{
    return dem_wall_init(s);
}
inline dem_status init(dem_wall_servo *s)
{
    return dem_wall_servo_init(s);
}

/* A number of elements as C++ counts them; more than any memory holds throws. */
inline std::size_t length(std::uint64_t count)
{
    const std::uint64_t most = std::numeric_limits<std::size_t>::max();
    if ((count & most) != count)
        check(DEM_ERROR_MEMORY);
    return count & most;
}

/* A path for C; one with a zero byte would be another file's. */
inline const char *path(const std::string &name)
{
    if (name.find('\0') != std::string::npos)
        check(DEM_ERROR_ARGUMENT, "path: must not contain a zero byte");
    return name.c_str();
}

/** Owner of one C object. */
template <class Object, void (*Destroy)(Object *)> class owner
{
  public:
    owner() noexcept : object_(nullptr)
    {
    }
    owner(const owner &) = delete;
    owner &operator=(const owner &) = delete;
    owner(owner &&other) noexcept : object_(other.release())
    {
    }
    owner &operator=(owner &&other) noexcept
    {
        if (this != &other) {
            Destroy(object_);
            object_ = other.release();
        }
        return *this;
    }
    ~owner()
    {
        Destroy(object_);
    }

    /** The C object, which this object still owns; NULL after a move. */
    Object *get() const noexcept
    {
        return object_;
    }

    /** Releases the C object to you; you destroy it. */
    Object *release() noexcept
    {
        Object *const object = object_;
        object_ = nullptr;
        return object;
    }

  protected:
    /** Owns an object that exists. */
    explicit owner(Object *object) noexcept : object_(object)
    {
    }

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

/** Makes an input struct with the library's defaults: make<dem_particle>().
 *
 * Its struct_size is that of the headers you compile with, so you may copy and return the value. */
template <class Struct> Struct make()
{
    Struct value;
    check(detail::init(&value));
    return value;
}

/** Makes a struct for the library to fill: zeros and its struct_size, as output<dem_contact>(). */
template <class Struct> Struct output()
{
    Struct value = Struct();
    value.struct_size = sizeof(Struct);
    return value;
}

/** Contact model that you build part by part, by dem_contact_model_add and the adder of each law.
 *
 *     world.contact_model_set(0, 0, dem::contact_model().hertz(normal).mindlin(tangential));
 *
 * It keeps copies of the parameters. An empty model means no interaction. */
class contact_model
{
  public:
    contact_model() : model_(make<dem_contact_model>()), kept_()
    {
    }

    /** Copies have the same parameters, and so has a model that was moved from: to move is to copy.
     */
    contact_model(const contact_model &) = default;
    contact_model &operator=(const contact_model &) = default;

    /** The C struct. Its parts point to the copies that this object keeps: a copy of the struct is
     * of no use after this object and its copies are gone. */
    operator const dem_contact_model &() const
    {
        return model_;
    }

    /** Adds a law by its name, for example one of your own: dem_contact_model_add. It keeps no
     * copy: keep the parameters until the model is set. */
    contact_model &add(const char *law, const void *parameters)
    {
        return added(dem_contact_model_add(&model_, law, parameters));
    }
    /** dem_contact_model.lever_arm */
    contact_model &lever_arm(std::int32_t arm)
    {
        model_.lever_arm = arm;
        return *this;
    }
    /* generated from src/laws/laws.def: model */
    /** dem_contact_model_add_linear_csds */
    contact_model &linear_csds(const dem_linear &p)
    {
        return kept(dem_contact_model_add_linear_csds, p);
    }
    /** dem_contact_model_add_linear_dsds */
    contact_model &linear_dsds(const dem_linear &p)
    {
        return kept(dem_contact_model_add_linear_dsds, p);
    }
    /** dem_contact_model_add_hertz */
    contact_model &hertz(const dem_hertz &p)
    {
        return kept(dem_contact_model_add_hertz, p);
    }
    /** dem_contact_model_add_mindlin */
    contact_model &mindlin(const dem_mindlin &p)
    {
        return kept(dem_contact_model_add_mindlin, p);
    }
    /** dem_contact_model_add_mindlin_three_case */
    contact_model &mindlin_three_case(const dem_mindlin &p)
    {
        return kept(dem_contact_model_add_mindlin_three_case, p);
    }
    /** dem_contact_model_add_mindlin_deresiewicz */
    contact_model &mindlin_deresiewicz(const dem_mindlin &p)
    {
        return kept(dem_contact_model_add_mindlin_deresiewicz, p);
    }
    /** dem_contact_model_add_mindlin_deresiewicz_32 */
    contact_model &mindlin_deresiewicz_32(const dem_mindlin &p)
    {
        return kept(dem_contact_model_add_mindlin_deresiewicz_32, p);
    }
    /** dem_contact_model_add_actm */
    contact_model &actm(const dem_actm &p)
    {
        return kept(dem_contact_model_add_actm, p);
    }
    /** dem_contact_model_add_jkr */
    contact_model &jkr(const dem_adhesion &p)
    {
        return kept(dem_contact_model_add_jkr, p);
    }
    /** dem_contact_model_add_dmt */
    contact_model &dmt(const dem_adhesion &p)
    {
        return kept(dem_contact_model_add_dmt, p);
    }
    /** dem_contact_model_add_luding */
    contact_model &luding(const dem_luding &p)
    {
        return kept(dem_contact_model_add_luding, p);
    }
    /** dem_contact_model_add_walton_braun */
    contact_model &walton_braun(const dem_walton_braun &p)
    {
        return kept(dem_contact_model_add_walton_braun, p);
    }
    /** dem_contact_model_add_thornton */
    contact_model &thornton(const dem_thornton &p)
    {
        return kept(dem_contact_model_add_thornton, p);
    }
    /** dem_contact_model_add_hooke */
    contact_model &hooke(const dem_hooke &p)
    {
        return kept(dem_contact_model_add_hooke, p);
    }
    /** dem_contact_model_add_friction */
    contact_model &friction(const dem_friction &p)
    {
        return kept(dem_contact_model_add_friction, p);
    }
    /** dem_contact_model_add_rolling_csds */
    contact_model &rolling_csds(const dem_rolling &p)
    {
        return kept(dem_contact_model_add_rolling_csds, p);
    }
    /** dem_contact_model_add_rolling_constant */
    contact_model &rolling_constant(const dem_rolling_constant &p)
    {
        return kept(dem_contact_model_add_rolling_constant, p);
    }
    /** dem_contact_model_add_twisting_csds */
    contact_model &twisting_csds(const dem_rolling &p)
    {
        return kept(dem_contact_model_add_twisting_csds, p);
    }
    /** dem_contact_model_add_twisting_marshall */
    contact_model &twisting_marshall(const dem_twisting_marshall &p)
    {
        return kept(dem_contact_model_add_twisting_marshall, p);
    }
    /** dem_contact_model_add_film */
    contact_model &film(const dem_film &p)
    {
        return kept(dem_contact_model_add_film, p);
    }
    /* end of generated */

  private:
    contact_model &added(dem_status status)
    {
        check(status, status == DEM_ERROR_RANGE ? "contact_model: no part is free" : nullptr);
        return *this;
    }
    template <class Struct>
    contact_model &kept(dem_status (*adder)(dem_contact_model *, const Struct *), const Struct &p)
    {
        const std::shared_ptr<const Struct> copy = std::make_shared<Struct>(p);
        kept_.push_back(copy);
        return added(adder(&model_, copy.get()));
    }
    dem_contact_model model_;
    std::vector<std::shared_ptr<const void>> kept_;
};

/** Contacts of particles that you own: dem_contact_history. */
class contact_history : public detail::owner<dem_contact_history, dem_contact_history_destroy>
{
  public:
    /** Makes an empty history with the defaults. */
    contact_history() : contact_history(make<dem_contact_history_config>())
    {
    }

    /** Makes an empty history: dem_contact_history_create. */
    explicit contact_history(const dem_contact_history_config &config)
    {
        create(dem_contact_history_create, config);
    }

    /** dem_contact_history_law_register */
    void law_register(const dem_law &law)
    {
        run(dem_contact_history_law_register(get(), &law));
    }

    /** dem_contact_history_model_set */
    void model_set(std::int32_t material_a, std::int32_t material_b, const dem_contact_model &model)
    {
        run(dem_contact_history_model_set(get(), material_a, material_b, &model));
    }

    /** dem_contact_history_model_set with DEM_LAW_LINEAR_CSDS alone. */
    void model_set(std::int32_t material_a, std::int32_t material_b, const dem_linear &law)
    {
        model_set(material_a, material_b, contact_model().linear_csds(law));
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

    /** dem_contact_history_slots: a feature for each pair of the input. */
    std::vector<std::uint64_t> slots(const dem_contacts_input &input,
                                     const dem_contacts_geometry &geometry,
                                     double cosine = DEM_MESH_COSINE)
    {
        std::vector<std::uint64_t> features(detail::length(input.pair_count));
        run(dem_contact_history_slots(get(), &input, &geometry, cosine, features.data()));
        return features;
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

    /** dem_contact_history_sums_values: what `count` rows of integers stand for; torque may be
     * nullptr. */
    void sums_values(std::uint64_t count, const std::int64_t *sums, double *force, double *torque)
    {
        run(dem_contact_history_sums_values(get(), count, sums, force, torque));
    }

    /** dem_contacts_list_begin: keeps the pairs of the input for list_evaluate. */
    void list_begin(const dem_contacts_input &input)
    {
        run(dem_contacts_list_begin(get(), &input));
    }

    /** dem_contacts_list_evaluate; returns the sums over the contacts. */
    dem_contact_totals list_evaluate(const dem_contacts_input &input)
    {
        dem_contact_totals totals = output<dem_contact_totals>();
        run(dem_contacts_list_evaluate(get(), &input, &totals));
        return totals;
    }

    /** dem_contacts_list_evaluate_geometry; returns the sums over the contacts. */
    dem_contact_totals list_evaluate_geometry(const dem_contacts_input &input,
                                              const dem_contacts_geometry &geometry)
    {
        dem_contact_totals totals = output<dem_contact_totals>();
        run(dem_contacts_list_evaluate_geometry(get(), &input, &geometry, &totals));
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
    void stage_end()
    {
        run(dem_contacts_stage_end(get()));
    }

    /** dem_contact_history_count */
    std::uint64_t count() const noexcept
    {
        return dem_contact_history_count(get());
    }

    /** All contacts of the history; their `state` is valid as dem_contact.state says. */
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
    void clear()
    {
        run(dem_contact_history_clear(get()));
    }

    /** dem_contacts_undo: takes back the last evaluation. */
    void undo()
    {
        run(dem_contacts_undo(get()));
    }

    /** dem_contact_history_pack: the contacts of these particles. */
    std::vector<unsigned char> pack(const std::vector<std::uint64_t> &ids)
    {
        std::uint64_t size = 0;
        run(dem_contact_history_pack(get(), ids.size(), ids.data(), nullptr, 0, &size));
        std::vector<unsigned char> bytes(detail::length(size));
        run(dem_contact_history_pack(get(), ids.size(), ids.data(), bytes.data(), size, nullptr));
        return bytes;
    }

    /** dem_contact_history_unpack */
    void unpack(const std::vector<unsigned char> &bytes)
    {
        run(dem_contact_history_unpack(get(), bytes.data(), bytes.size()));
    }

    /** dem_contact_history_forget */
    void forget(const std::vector<std::uint64_t> &ids)
    {
        run(dem_contact_history_forget(get(), ids.size(), ids.data()));
    }

    /** dem_contact_history_add */
    void add(const std::vector<dem_contact> &contacts)
    {
        run(dem_contact_history_add(get(), contacts.size(), contacts.data()));
    }

    /** dem_contact_history_snapshot */
    std::vector<unsigned char> snapshot()
    {
        std::uint64_t size = 0;
        run(dem_contact_history_snapshot_size(get(), &size));
        std::vector<unsigned char> bytes(detail::length(size));
        run(dem_contact_history_snapshot(get(), bytes.data(), size, nullptr));
        return bytes;
    }

    /** dem_contact_history_restore */
    void restore(const std::vector<unsigned char> &bytes)
    {
        run(dem_contact_history_restore(get(), bytes.data(), bytes.size()));
    }

  private:
    void run(dem_status status) const
    {
        check(status, dem_contact_history_error(get()));
    }
};

/** Triangle mesh: dem_mesh. It does not change, so any number of threads may use it at once. */
class mesh : public detail::owner<dem_mesh, dem_mesh_destroy>
{
  public:
    /** Makes a mesh from arrays: dem_mesh_create. */
    mesh(const double *vertices, std::uint64_t vertex_count, const std::uint32_t *facets,
         std::uint64_t facet_count, const dem_mesh_config &config = make<dem_mesh_config>())
        : owner(made([&](dem_mesh **object, dem_error *error) {
              return dem_mesh_create(&config, vertices, vertex_count, facets, facet_count, object,
                                     error);
          }))
    {
    }

    /** Makes a mesh from a file: dem_mesh_create_file. */
    explicit mesh(const std::string &path, const dem_mesh_config &config = make<dem_mesh_config>())
        : owner(made([&](dem_mesh **object, dem_error *error) {
              return dem_mesh_create_file(&config, detail::path(path), object, error);
          }))
    {
    }

    /** dem_mesh_create_stl */
    static mesh from_stl(const void *bytes, std::uint64_t size,
                         const dem_mesh_config &config = make<dem_mesh_config>())
    {
        return mesh(made([&](dem_mesh **object, dem_error *error) {
            return dem_mesh_create_stl(&config, bytes, size, object, error);
        }));
    }

    /** dem_mesh_create_obj */
    static mesh from_obj(const void *bytes, std::uint64_t size,
                         const dem_mesh_config &config = make<dem_mesh_config>())
    {
        return mesh(made([&](dem_mesh **object, dem_error *error) {
            return dem_mesh_create_obj(&config, bytes, size, object, error);
        }));
    }

    /** A further owner of the same mesh: dem_mesh_retain. */
    mesh share() const noexcept
    {
        return mesh(dem_mesh_retain(get()));
    }

    /** dem_mesh_properties_get */
    dem_mesh_properties properties() const
    {
        dem_mesh_properties values = output<dem_mesh_properties>();
        check(dem_mesh_properties_get(get(), &values));
        return values;
    }

    /** dem_mesh_measure */
    dem_mesh_solid measure() const
    {
        dem_mesh_solid solid = output<dem_mesh_solid>();
        dem_error message = dem_error();
        check(dem_mesh_measure(get(), &solid, &message), message.message);
        return solid;
    }

    /** dem_mesh_vertices */
    const double *vertices() const noexcept
    {
        return dem_mesh_vertices(get());
    }

    /** dem_mesh_facets */
    const std::uint32_t *facets() const noexcept
    {
        return dem_mesh_facets(get());
    }

    /** dem_mesh_defects */
    const std::uint32_t *defects() const noexcept
    {
        return dem_mesh_defects(get());
    }

  private:
    explicit mesh(dem_mesh *object) noexcept : owner(object)
    {
    }

    template <class Function> static dem_mesh *made(const Function &function)
    {
        dem_mesh *object = nullptr;
        dem_error message = dem_error();
        check(function(&object, &message), message.message);
        return object;
    }
};

/** Shape of a polyhedron: dem_polyhedron. It does not change, so any number of threads may use it
 * at once. */
class polyhedron : public detail::owner<dem_polyhedron, dem_polyhedron_destroy>
{
  public:
    /** dem_polyhedron_create */
    explicit polyhedron(const mesh &closed,
                        const dem_polyhedron_config &config = make<dem_polyhedron_config>())
        : owner(made(closed, config))
    {
    }

    /** A further owner of the same shape: dem_polyhedron_retain. */
    polyhedron share() const noexcept
    {
        return polyhedron(dem_polyhedron_retain(get()));
    }

    /** dem_polyhedron_properties_get */
    dem_polyhedron_properties properties() const
    {
        dem_polyhedron_properties values = output<dem_polyhedron_properties>();
        check(dem_polyhedron_properties_get(get(), &values));
        return values;
    }

    /** dem_polyhedron_mesh: it lives as long as the polyhedron. */
    dem_mesh *surface() const noexcept
    {
        return dem_polyhedron_mesh(get());
    }

  private:
    explicit polyhedron(dem_polyhedron *object) noexcept : owner(object)
    {
    }

    static dem_polyhedron *made(const mesh &closed, const dem_polyhedron_config &config)
    {
        dem_polyhedron *object = nullptr;
        dem_error message = dem_error();
        check(dem_polyhedron_create(&config, closed.get(), &object, &message), message.message);
        return object;
    }
};

/** Finds contacts of polyhedra: dem_polyhedron_search. */
class polyhedron_search : public detail::owner<dem_polyhedron_search, dem_polyhedron_search_destroy>
{
  public:
    /** Makes a search with the defaults. */
    polyhedron_search() : polyhedron_search(make<dem_polyhedron_search_config>())
    {
    }

    /** dem_polyhedron_search_create */
    explicit polyhedron_search(const dem_polyhedron_search_config &config)
    {
        create(dem_polyhedron_search_create, config);
    }

    /** dem_polyhedron_search_pair */
    dem_polyhedron_contact pair(const dem_polyhedron_motion &first,
                                const dem_polyhedron_motion &second,
                                dem_polyhedron_hint *hint = nullptr)
    {
        dem_polyhedron_contact contact = output<dem_polyhedron_contact>();
        check(dem_polyhedron_search_pair(get(), &first, &second, hint, &contact),
              dem_polyhedron_search_error(get()));
        return contact;
    }

    /** dem_polyhedron_search_plane */
    dem_polyhedron_contact plane(const dem_polyhedron_motion &body, const double point[3],
                                 const double normal[3], const double velocity[3] = nullptr)
    {
        dem_polyhedron_contact contact = output<dem_polyhedron_contact>();
        check(dem_polyhedron_search_plane(get(), &body, point, normal, velocity, &contact),
              dem_polyhedron_search_error(get()));
        return contact;
    }
};

/** dem_polyhedron_force */
inline dem_polyhedron_load polyhedron_force(const dem_polyhedron_law &law,
                                            const dem_polyhedron_contact &contact,
                                            double mass = 0.0)
{
    dem_polyhedron_load load = output<dem_polyhedron_load>();
    dem_error message = dem_error();
    check(dem_polyhedron_force(&law, &contact, mass, &load, &message), message.message);
    return load;
}

/** dem_polyhedron_mass */
inline double polyhedron_mass(double mass, const double inertia[3], const double orientation[4],
                              const double arm[3]) noexcept
{
    return dem_polyhedron_mass(mass, inertia, orientation, arm);
}

/** Finds contacts of spheres with a mesh: dem_mesh_search. */
class mesh_search : public detail::owner<dem_mesh_search, dem_mesh_search_destroy>
{
  public:
    /** Makes a search, which shares the mesh: dem_mesh_search_create. */
    explicit mesh_search(const mesh &in,
                         const dem_mesh_search_config &config = make<dem_mesh_search_config>())
        : owner(made(in.get(), config))
    {
    }

    /** dem_mesh_search_spheres; the arrays are valid until the next call. */
    dem_mesh_contacts spheres(const dem_mesh_spheres &where)
    {
        dem_mesh_contacts contacts = output<dem_mesh_contacts>();
        check(dem_mesh_search_spheres(get(), &where, &contacts), dem_mesh_search_error(get()));
        return contacts;
    }

  private:
    static dem_mesh_search *made(dem_mesh *in, const dem_mesh_search_config &config)
    {
        dem_mesh_search *object = nullptr;
        dem_error message = dem_error();
        check(dem_mesh_search_create(&config, in, &object, &message), message.message);
        return object;
    }
};

/** Finds contacts of spheres with a wall: dem_wall_search. */
class wall_search : public detail::owner<dem_wall_search, dem_wall_search_destroy>
{
  public:
    /** Makes a search, which shares the mesh of a wall that has one: dem_wall_search_create. */
    explicit wall_search(const dem_wall &in,
                         const dem_wall_search_config &config = make<dem_wall_search_config>())
        : owner(made(in, config))
    {
    }

    /** dem_wall_search_spheres; the arrays are valid until the next call. */
    dem_wall_contacts spheres(const dem_wall_spheres &where)
    {
        dem_wall_contacts contacts = output<dem_wall_contacts>();
        check(dem_wall_search_spheres(get(), &where, &contacts), dem_wall_search_error(get()));
        return contacts;
    }

  private:
    static dem_wall_search *made(const dem_wall &in, const dem_wall_search_config &config)
    {
        dem_wall_search *object = nullptr;
        dem_error message = dem_error();
        check(dem_wall_search_create(&config, &in, &object, &message), message.message);
        return object;
    }
};

/** Integrator over your arrays: dem_integrator. */
class integrator : public detail::owner<dem_integrator, dem_integrator_destroy>
{
  public:
    /** Makes an integrator with the defaults. */
    integrator() : integrator(make<dem_integrator_config>())
    {
    }

    /** Makes an integrator: dem_integrator_create. */
    explicit integrator(const dem_integrator_config &config)
    {
        create(dem_integrator_create, config);
    }

    /** dem_integrator_begin */
    void begin(const dem_integrator_arrays &arrays, double dt)
    {
        run(dem_integrator_begin(get(), &arrays, dt));
    }

    /** dem_integrator_end */
    void end(const dem_integrator_arrays &arrays)
    {
        run(dem_integrator_end(get(), &arrays));
    }

    /** dem_integrator_cancel: takes back the open step. */
    void cancel()
    {
        run(dem_integrator_cancel(get()));
    }

    /** dem_integrator_velocity_lag, s */
    double velocity_lag() const
    {
        double lag = 0.0;
        run(dem_integrator_velocity_lag(get(), &lag));
        return lag;
    }

    /** Writes the fields of a contacts input that depend on the open step: dem_integrator_prepare.
     */
    void prepare(dem_contacts_input &input) const
    {
        run(dem_integrator_prepare(get(), &input));
    }

    /** dem_integrator_accelerations, linear and angular */
    std::pair<const double *, const double *> accelerations() const
    {
        std::pair<const double *, const double *> both(nullptr, nullptr);
        run(dem_integrator_accelerations(get(), &both.first, &both.second));
        return both;
    }

    /** dem_integrator_kinematics */
    std::int32_t kinematics() const
    {
        std::int32_t kinematics = DEM_KINEMATICS_SYNCHRONIZED;
        run(dem_integrator_kinematics(get(), &kinematics));
        return kinematics;
    }

    /** dem_integrator_stage_count */
    std::uint32_t stage_count() const noexcept
    {
        return dem_integrator_stage_count(get());
    }

    /** dem_integrator_stage */
    void stage(const dem_integrator_arrays &arrays, double dt)
    {
        run(dem_integrator_stage(get(), &arrays, dt));
    }

  private:
    void run(dem_status status) const
    {
        check(status, dem_integrator_error(get()));
    }
};

/** dem_clump_measure: fills the body and moves the parts into its axes; returns the uncertainty. */
inline double clump_measure(double density, std::vector<dem_body_part> &parts, dem_body &body)
{
    double uncertainty = 0.0;
    dem_error message = dem_error();
    check(dem_clump_measure(density, parts.size(), parts.data(), &body, &uncertainty, &message),
          message.message);
    return uncertainty;
}

/** dem_deposition_weights_of */
inline dem_deposition_weights deposition_weights_of(const dem_deposition_grid &grid,
                                                    const double position[3])
{
    dem_deposition_weights weights = dem_deposition_weights();
    dem_error message = dem_error();
    check(dem_deposition_weights_of(&grid, position, &weights, &message), message.message);
    return weights;
}

/** dem_deposit */
inline void deposit(const dem_deposition_grid &grid, std::uint64_t count, const double *position,
                    std::uint64_t position_stride, const double *value, std::uint64_t value_stride,
                    std::uint64_t components, double *cells)
{
    dem_error message = dem_error();
    check(dem_deposit(&grid, count, position, position_stride, value, value_stride, components,
                      cells, &message),
          message.message);
}

/** dem_interpolate */
inline void interpolate(const dem_deposition_grid &grid, std::uint64_t count,
                        const double *position, std::uint64_t position_stride, const double *cells,
                        std::uint64_t components, double *value, std::uint64_t value_stride)
{
    dem_error message = dem_error();
    check(dem_interpolate(&grid, count, position, position_stride, cells, components, value,
                          value_stride, &message),
          message.message);
}

/** dem_deposit_given; particle k has the weights begin[k] to begin[k + 1] - 1. */
inline void deposit_given(const std::vector<std::uint64_t> &begin, const std::uint64_t *cell,
                          const double *weight, std::uint64_t cell_count, const double *value,
                          std::uint64_t value_stride, std::uint64_t components, double *cells)
{
    dem_error message = dem_error();
    check(dem_deposit_given(begin.empty() ? 0 : begin.size() - 1, begin.data(), cell, weight,
                            cell_count, value, value_stride, components, cells, &message),
          message.message);
}

/** dem_interpolate_given; particle k has the weights begin[k] to begin[k + 1] - 1. */
inline void interpolate_given(const std::vector<std::uint64_t> &begin, const std::uint64_t *cell,
                              const double *weight, std::uint64_t cell_count, const double *cells,
                              std::uint64_t components, double *value, std::uint64_t value_stride)
{
    dem_error message = dem_error();
    check(dem_interpolate_given(begin.empty() ? 0 : begin.size() - 1, begin.data(), cell, weight,
                                cell_count, cells, components, value, value_stride, &message),
          message.message);
}

/** dem_deposition_fraction_most: the fraction of the fullest cell. */
inline double deposition_fraction_most(std::uint64_t count, const double *solid,
                                       std::uint64_t solid_stride, const double *volume,
                                       std::uint64_t volume_stride, std::uint64_t *cell = nullptr)
{
    double fraction = 0.0;
    dem_error message = dem_error();
    check(dem_deposition_fraction_most(count, solid, solid_stride, volume, volume_stride, cell,
                                       &fraction, &message),
          message.message);
    return fraction;
}

/** dem_deposition_undisturbed: the corrected drag coefficient. */
inline double deposition_undisturbed(double coefficient, double constant, double viscosity,
                                     double cell)
{
    double corrected = 0.0;
    dem_error message = dem_error();
    check(dem_deposition_undisturbed(coefficient, constant, viscosity, cell, &corrected, &message),
          message.message);
    return corrected;
}

/** Particles and walls that libdem owns and advances: dem_world. */
class world : public detail::owner<dem_world, dem_world_destroy>
{
  public:
    /** Makes an empty world with the defaults. */
    world() : world(make<dem_world_config>())
    {
    }

    /** Makes an empty world: dem_world_create. */
    explicit world(const dem_world_config &config)
    {
        create(dem_world_create, config);
    }

    /** dem_world_law_register */
    void law_register(const dem_law &law)
    {
        run(dem_world_law_register(get(), &law));
    }

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

    /** dem_contact_model_set with DEM_LAW_LINEAR_CSDS alone. */
    void contact_model_set(std::int32_t material_a, std::int32_t material_b, const dem_linear &law)
    {
        contact_model_set(material_a, material_b, contact_model().linear_csds(law));
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

    /** dem_world_snapshot_write */
    void snapshot_write(dem_snapshot_sink write, void *user) const
    {
        run(dem_world_snapshot_write(get(), write, user));
    }

    /** dem_world_snapshot_read */
    void snapshot_read(dem_snapshot_source read, void *user)
    {
        run(dem_world_snapshot_read(get(), read, user));
    }

    /** dem_world_snapshot_write by write(const void *bytes, std::uint64_t size). What it throws
     * ends the writing, and arrives here; what it returns is not used. */
    template <class Write> void snapshot_write(Write write) const
    {
        streamed<Write, const void *> stream{&write, nullptr};
        const dem_status status = dem_world_snapshot_write(get(), stream.call, &stream);
        stream.rethrow();
        run(status);
    }

    /** dem_world_snapshot_read by read(void *bytes, std::uint64_t size). What it throws ends the
     * reading, leaves the world as it is, and arrives here; what it returns is not used. */
    template <class Read> void snapshot_read(Read read)
    {
        streamed<Read, void *> stream{&read, nullptr};
        const dem_status status = dem_world_snapshot_read(get(), stream.call, &stream);
        stream.rethrow();
        run(status);
    }

    /** dem_world_mark */
    void mark()
    {
        run(dem_world_mark(get()));
    }

    /** dem_world_shrink */
    void shrink()
    {
        run(dem_world_shrink(get()));
    }

    /** dem_world_rewind */
    void rewind()
    {
        run(dem_world_rewind(get()));
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
        run(dem_particles_add(get(), particles.size(), particles.data(), handles.data()));
        return handles;
    }

    /** dem_particle_remove */
    void particle_remove(dem_particle_handle handle)
    {
        run(dem_particle_remove(get(), handle));
    }

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

    /** dem_particle_set_motion; a null pointer keeps the present value. */
    void particle_set_motion(dem_particle_handle handle, const double *position,
                             const double *velocity, const double *angular_velocity)
    {
        run(dem_particle_set_motion(get(), handle, position, velocity, angular_velocity));
    }

    /** dem_particle_set_force; a null pointer keeps the present value. */
    void particle_set_force(dem_particle_handle handle, const double *force, const double *torque)
    {
        run(dem_particle_set_force(get(), handle, force, torque));
    }

    /** dem_body_add; returns the handle. */
    dem_body_handle body_add(const dem_body &body, const std::vector<dem_body_part> &parts)
    {
        dem_body_handle handle = dem_body_handle();
        run(dem_body_add(get(), &body, parts.size(), parts.data(), &handle));
        return handle;
    }

    /** dem_body_remove */
    void body_remove(dem_body_handle handle)
    {
        run(dem_body_remove(get(), handle));
    }

    /** dem_body_find */
    dem_body_handle body_find(std::uint64_t id) const
    {
        dem_body_handle handle = dem_body_handle();
        run(dem_body_find(get(), id, &handle));
        return handle;
    }

    /** dem_body_get */
    dem_body body_get(dem_body_handle handle) const
    {
        dem_body body = output<dem_body>();
        run(dem_body_get(get(), handle, &body));
        return body;
    }

    /** dem_body_set_motion; a null pointer keeps the present value. */
    void body_set_motion(dem_body_handle handle, const double *position, const double *orientation,
                         const double *velocity, const double *angular_velocity)
    {
        run(dem_body_set_motion(get(), handle, position, orientation, velocity, angular_velocity));
    }

    /** dem_body_set_force; a null pointer keeps the present value. */
    void body_set_force(dem_body_handle handle, const double *force, const double *torque)
    {
        run(dem_body_set_force(get(), handle, force, torque));
    }

    /** dem_body_part_find */
    dem_particle_handle body_part_find(dem_body_handle handle, std::uint64_t part) const
    {
        dem_particle_handle particle = dem_particle_handle();
        run(dem_body_part_find(get(), handle, part, &particle));
        return particle;
    }

    /** dem_world_shape_know */
    void shape_know(dem_polyhedron *shape)
    {
        run(dem_world_shape_know(get(), shape));
    }

    /** dem_world_bodies_read: the number of rows filled. */
    std::uint64_t bodies_read(std::uint64_t &cursor, const dem_body_arrays &arrays) const
    {
        std::uint64_t count = 0;
        run(dem_world_bodies_read(get(), &cursor, &arrays, &count));
        return count;
    }

    /** dem_wall_add; returns the id. */
    std::uint64_t wall_add(const dem_wall &wall)
    {
        std::uint64_t id = 0;
        run(dem_wall_add(get(), &wall, &id));
        return id;
    }

    /** dem_wall_remove */
    void wall_remove(std::uint64_t id)
    {
        run(dem_wall_remove(get(), id));
    }

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

    /** dem_wall_set_motion */
    void wall_set_motion(std::uint64_t id, const double velocity[3],
                         const double angular_velocity[3], const double pivot[3] = nullptr)
    {
        run(dem_wall_set_motion(get(), id, velocity, angular_velocity, pivot));
    }

    /** dem_wall_set_servo */
    void wall_set_servo(std::uint64_t id, const dem_wall_servo &servo)
    {
        run(dem_wall_set_servo(get(), id, &servo));
    }

    /** dem_wall_set_servo with NULL */
    void wall_end_servo(std::uint64_t id)
    {
        run(dem_wall_set_servo(get(), id, nullptr));
    }

    /** dem_wall_set_vertices */
    void wall_set_vertices(std::uint64_t id, const double *positions, const double *velocities)
    {
        run(dem_wall_set_vertices(get(), id, positions, velocities));
    }

    /** dem_wall_view */
    dem_view wall_view(std::uint64_t id, std::int32_t field)
    {
        dem_view view = output<dem_view>();
        run(dem_wall_view(get(), id, field, &view));
        return view;
    }

    /** dem_world_gravity_set */
    void gravity_set(const double gravity[3])
    {
        run(dem_world_gravity_set(get(), gravity));
    }

    /** dem_step */
    void step(double dt, std::uint64_t steps = 1)
    {
        run(dem_step(get(), dt, steps));
    }

    /** dem_step_begin */
    void step_begin(double dt)
    {
        run(dem_step_begin(get(), dt));
    }

    /** dem_step_end */
    void step_end()
    {
        run(dem_step_end(get()));
    }

    /** dem_step_cancel */
    void step_cancel()
    {
        run(dem_step_cancel(get()));
    }

    /** dem_ghosts_get: ghosts of these particles, in the same order. */
    std::vector<dem_ghost> ghosts_get(const std::vector<dem_particle_handle> &handles) const
    {
        std::vector<dem_ghost> ghosts(handles.size(), output<dem_ghost>());
        run(dem_ghosts_get(get(), handles.size(), handles.data(), ghosts.data()));
        return ghosts;
    }

    /** dem_ghosts_set; returns the handles in the same order. */
    std::vector<dem_particle_handle> ghosts_set(const std::vector<dem_ghost> &ghosts, double margin)
    {
        std::vector<dem_particle_handle> handles(ghosts.size());
        run(dem_ghosts_set(get(), ghosts.size(), ghosts.data(), margin, handles.data()));
        return handles;
    }

    /** dem_ghosts_wanted */
    bool ghosts_wanted() const noexcept
    {
        return dem_ghosts_wanted(get()) != 0;
    }

    /** dem_world_rebuild_wanted */
    bool rebuild_wanted() const noexcept
    {
        return dem_world_rebuild_wanted(get()) != 0;
    }

    /** dem_world_rebuild_order */
    void rebuild_order()
    {
        run(dem_world_rebuild_order(get()));
    }

    /** dem_particles_release */
    void particles_release(const std::vector<dem_particle_handle> &handles)
    {
        run(dem_particles_release(get(), handles.size(), handles.data()));
    }

    /** dem_particles_pack: the bytes. */
    std::vector<unsigned char> particles_pack(const std::vector<dem_particle_handle> &handles)
    {
        std::uint64_t size = 0;
        run(dem_particles_pack(get(), handles.size(), handles.data(), nullptr, 0, &size));
        std::vector<unsigned char> bytes(detail::length(size));
        run(dem_particles_pack(get(), handles.size(), handles.data(), bytes.data(), size, nullptr));
        return bytes;
    }

    /** dem_ghost_bodies_get: the bytes. */
    std::vector<unsigned char> ghost_bodies_get(const std::vector<dem_body_handle> &handles)
    {
        std::uint64_t size = 0;
        run(dem_ghost_bodies_get(get(), handles.size(), handles.data(), nullptr, 0, &size));
        std::vector<unsigned char> bytes(detail::length(size));
        run(dem_ghost_bodies_get(get(), handles.size(), handles.data(), bytes.data(), size,
                                 nullptr));
        return bytes;
    }

    /** dem_ghost_bodies_set: returns the handles of at most `capacity` bodies; 0: none, for any
     * number of bodies. */
    std::vector<dem_body_handle> ghost_bodies_set(const std::vector<unsigned char> &bytes,
                                                  double margin, std::uint64_t capacity)
    {
        std::vector<dem_body_handle> handles(detail::length(capacity));
        std::uint64_t count = 0;
        run(dem_ghost_bodies_set(get(), bytes.data(), bytes.size(), margin, capacity,
                                 capacity > 0 ? handles.data() : nullptr, &count));
        if (count < capacity)
            handles.resize(detail::length(count));
        return handles;
    }

    /** dem_bodies_loads_get: [handles.size()][6] */
    std::vector<double> bodies_loads_get(const std::vector<dem_body_handle> &handles) const
    {
        std::vector<double> force_torque(6 * handles.size());
        run(dem_bodies_loads_get(get(), handles.size(), handles.data(), force_torque.data()));
        return force_torque;
    }

    /** dem_ghost_bodies_loads_set: force_torque is [handles.size()][6]; another size throws
     * DEM_ERROR_RANGE. */
    void ghost_bodies_loads_set(const std::vector<dem_body_handle> &handles,
                                const std::vector<double> &force_torque)
    {
        if (force_torque.size() != 6 * handles.size())
            check(DEM_ERROR_RANGE,
                  "ghost_bodies_loads_set: force_torque needs 6 numbers for each handle");
        run(dem_ghost_bodies_loads_set(get(), handles.size(), handles.data(), force_torque.data()));
    }

    /** dem_bodies_release */
    void bodies_release(const std::vector<dem_body_handle> &handles)
    {
        run(dem_bodies_release(get(), handles.size(), handles.data()));
    }

    /** dem_bodies_pack: the bytes, for particles_unpack. */
    std::vector<unsigned char> bodies_pack(const std::vector<dem_body_handle> &handles)
    {
        std::uint64_t size = 0;
        run(dem_bodies_pack(get(), handles.size(), handles.data(), nullptr, 0, &size));
        std::vector<unsigned char> bytes(detail::length(size));
        run(dem_bodies_pack(get(), handles.size(), handles.data(), bytes.data(), size, nullptr));
        return bytes;
    }

    /** dem_particles_unpack: the number of particles. */
    std::uint64_t particles_unpack(const std::vector<unsigned char> &bytes)
    {
        std::uint64_t count = 0;
        run(dem_particles_unpack(get(), bytes.data(), bytes.size(), &count));
        return count;
    }

    /** dem_particles_forces_get: [handles.size()][6] */
    std::vector<double> forces_get(const std::vector<dem_particle_handle> &handles) const
    {
        std::vector<double> force_torque(6 * handles.size());
        run(dem_particles_forces_get(get(), handles.size(), handles.data(), force_torque.data()));
        return force_torque;
    }

    /** dem_ghosts_forces_set: force_torque is [handles.size()][6]; another size throws
     * DEM_ERROR_RANGE. */
    void forces_set(const std::vector<dem_particle_handle> &handles,
                    const std::vector<double> &force_torque)
    {
        if (force_torque.size() != 6 * handles.size())
            check(DEM_ERROR_RANGE, "forces_set: force_torque needs 6 numbers for each handle");
        run(dem_ghosts_forces_set(get(), handles.size(), handles.data(), force_torque.data()));
    }

    /** dem_particles_field_get: values is [handles.size()][width of the field] */
    void particles_field_get(std::int32_t field, const std::vector<dem_particle_handle> &handles,
                             double *values) const
    {
        run(dem_particles_field_get(get(), field, handles.size(), handles.data(), values));
    }

    /** dem_ghosts_field_set: values is [handles.size()][width of the field] */
    void ghosts_field_set(std::int32_t field, const std::vector<dem_particle_handle> &handles,
                          const double *values)
    {
        run(dem_ghosts_field_set(get(), field, handles.size(), handles.data(), values));
    }

    /** dem_wall_part_get: DEM_WALL_PART_SIZE numbers */
    std::vector<double> wall_part(std::uint64_t id) const
    {
        std::vector<double> part(DEM_WALL_PART_SIZE);
        run(dem_wall_part_get(get(), id, part.data()));
        return part;
    }

    /** dem_wall_total_set: another size than DEM_WALL_PART_SIZE throws DEM_ERROR_RANGE. */
    void wall_total_set(std::uint64_t id, const std::vector<double> &total)
    {
        if (total.size() != DEM_WALL_PART_SIZE)
            check(DEM_ERROR_RANGE, "wall_total_set: total needs DEM_WALL_PART_SIZE numbers");
        run(dem_wall_total_set(get(), id, total.data()));
    }

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
    double time() const noexcept
    {
        return dem_world_time(get());
    }

    /** dem_world_hash */
    std::uint64_t hash() const
    {
        std::uint64_t hash = 0;
        run(dem_world_hash(get(), &hash));
        return hash;
    }

    /** dem_world_advance; returns the number of steps. `made` has it also where this throws. */
    std::uint64_t advance(double duration, double dt_max, std::uint64_t *made = nullptr)
    {
        std::uint64_t steps = 0;
        const dem_status status = dem_world_advance(get(), duration, dt_max, &steps);
        if (made != nullptr)
            *made = steps;
        run(status);
        return steps;
    }

    /** dem_world_impulses_reset */
    void impulses_reset()
    {
        run(dem_world_impulses_reset(get()));
    }

    /** dem_world_snapshot */
    std::vector<unsigned char> snapshot() const
    {
        std::uint64_t size = 0;
        run(dem_world_snapshot_size(get(), &size));
        std::vector<unsigned char> bytes(detail::length(size));
        run(dem_world_snapshot(get(), bytes.data(), size, nullptr));
        return bytes;
    }

    /** dem_world_restore */
    void restore(const std::vector<unsigned char> &bytes)
    {
        run(dem_world_restore(get(), bytes.data(), bytes.size()));
    }

    /** dem_world_save */
    void save(const char *path) const
    {
        run(dem_world_save(get(), path));
    }

    /** dem_world_save */
    void save(const std::string &path) const
    {
        save(detail::path(path));
    }

    /** dem_world_load */
    void load(const char *path)
    {
        run(dem_world_load(get(), path));
    }

    /** dem_world_load */
    void load(const std::string &path)
    {
        load(detail::path(path));
    }

    /** dem_world_view: points into the memory of the world; stale after the next change. */
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

    /** dem_world_field_set */
    void field_set(std::int32_t field, std::uint64_t count, const double *values)
    {
        run(dem_world_field_set(get(), field, count, values));
    }
    /** dem_world_written_field */
    void touch_field(std::int32_t field)
    {
        run(dem_world_written_field(get(), field));
    }

    /** dem_world_written */
    void touch()
    {
        run(dem_world_written(get()));
    }

    /** All contacts of the last complete step; their `state` is valid as dem_contact.state
     * says. Throws where a law fails. */
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

    /** dem_world_contacts_read; returns the number of rows filled, which is below the capacity when
     * no contacts are left. Where a law fails it throws, and does not tell how many rows were
     * filled: to read past such a contact, call the C function with get(). */
    std::uint64_t contacts_read(std::uint64_t &cursor, const dem_contact_arrays &arrays) const
    {
        std::uint64_t count = 0;
        run(dem_world_contacts_read(get(), &cursor, &arrays, &count));
        return count;
    }

    /** dem_world_boxes_analyse: of all boxes of a grid. */
    std::vector<dem_analysis_box>
    boxes_analyse(const dem_analysis_grid &grid = make<dem_analysis_grid>()) const
    {
        std::vector<dem_analysis_box> boxes;
        std::size_t count = 1;
        for (int c = 0; c < 3; ++c) {
            const std::size_t along =
                static_cast<std::size_t>(grid.boxes[c] > 0 ? grid.boxes[c] : 1);
            if (count > boxes.max_size() / along)
                check(DEM_ERROR_MEMORY, "boxes_analyse: no memory holds so many boxes");
            count *= along;
        }
        boxes.assign(count, output<dem_analysis_box>());
        run(dem_world_boxes_analyse(get(), &grid, count, boxes.data()));
        return boxes;
    }

    /** dem_world_particles_analyse; returns the number of rows. */
    std::uint64_t particles_analyse(const dem_analysis_particles &arrays) const
    {
        std::uint64_t count = 0;
        run(dem_world_particles_analyse(get(), &arrays, &count));
        return count;
    }

  private:
    /* A callable behind a sink or a source, and what it threw. */
    template <class Callable, class Bytes> struct streamed {
        Callable *callable;
        std::exception_ptr thrown;

        static dem_status call(void *user, Bytes bytes, std::uint64_t size) noexcept
        {
            streamed *const to = static_cast<streamed *>(user);
            try {
                (*to->callable)(bytes, size);
                return DEM_OK;
            } catch (...) {
                to->thrown = std::current_exception();
                return DEM_ERROR_CALLBACK;
            }
        }

        void rethrow() const
        {
            if (thrown)
                std::rethrow_exception(thrown);
        }
    };

    void run(dem_status status) const
    {
        check(status, dem_world_error(get()));
    }
};

/** The index of row k of a view, see dem_view.index. */
inline std::uint32_t row_index(const dem_view &view, std::uint64_t k) noexcept
{
    const void *const first = reinterpret_cast<const char *>(view.index) + k * view.index_stride;
    return *static_cast<const std::uint32_t *>(first);
}

/** Row k of a view: three doubles, or one where the field has one, such as DEM_FIELD_RADIUS, or as
 * many as dem_world_config.host_doubles. */
inline double *row(const dem_view &view, std::uint64_t k) noexcept
{
    void *const first = static_cast<char *>(view.data) + k * view.stride;
    return static_cast<double *>(first);
}

} // namespace dem

#endif
