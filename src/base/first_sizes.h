/* SPDX-License-Identifier: MIT */
/* Where structs that may grow ended in the first release with this soname. Written by
 * src/base/first_sizes.sh from the headers in tests/abi; structs that came later need no line. */
#ifndef DEMI_FIRST_SIZES_H
#define DEMI_FIRST_SIZES_H

#include <dem/dem.h>

#define DEMI_END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* Size that a struct had then; of a program's struct, at least that is there. */
/* clang-format off */
#define DEMI_FIRST_SIZE(value) _Generic((value), \
    dem_actm: DEMI_END_OF(dem_actm, overlap_cap), \
    dem_adhesion: DEMI_END_OF(dem_adhesion, restitution), \
    dem_analysis_box: DEMI_END_OF(dem_analysis_box, dissipation_drag), \
    dem_analysis_grid: DEMI_END_OF(dem_analysis_grid, timestep), \
    dem_analysis_particles: DEMI_END_OF(dem_analysis_particles, moment), \
    dem_body: DEMI_END_OF(dem_body, damping_mass), \
    dem_body_arrays: DEMI_END_OF(dem_body_arrays, torque), \
    dem_body_part: DEMI_END_OF(dem_body_part, id), \
    dem_contact: DEMI_END_OF(dem_contact, material_j), \
    dem_contact_arrays: DEMI_END_OF(dem_contact_arrays, weights), \
    dem_contact_batch: DEMI_END_OF(dem_contact_batch, rotation_velocity), \
    dem_contact_history_config: DEMI_END_OF(dem_contact_history_config, executor), \
    dem_contact_model: DEMI_END_OF(dem_contact_model, reserved), \
    dem_contact_totals: DEMI_END_OF(dem_contact_totals, dissipated_rolling), \
    dem_contacts_geometry: DEMI_END_OF(dem_contacts_geometry, radius), \
    dem_contacts_input: DEMI_END_OF(dem_contacts_input, sums), \
    dem_contacts_stage: DEMI_END_OF(dem_contacts_stage, jump), \
    dem_deposition_grid: DEMI_END_OF(dem_deposition_grid, deviation), \
    dem_film: DEMI_END_OF(dem_film, terms), \
    dem_friction: DEMI_END_OF(dem_friction, slider), \
    dem_ghost: DEMI_END_OF(dem_ghost, lag), \
    dem_hertz: DEMI_END_OF(dem_hertz, normal), \
    dem_hooke: DEMI_END_OF(dem_hooke, normal), \
    dem_integrator_arrays: DEMI_END_OF(dem_integrator_arrays, state_jump), \
    dem_integrator_config: DEMI_END_OF(dem_integrator_config, velocity_lag), \
    dem_law: DEMI_END_OF(dem_law, parameters_kind), \
    dem_law_limits: DEMI_END_OF(dem_law_limits, dashpot_weight), \
    dem_linear: DEMI_END_OF(dem_linear, normal), \
    dem_luding: DEMI_END_OF(dem_luding, damping_normal), \
    dem_material: DEMI_END_OF(dem_material, density), \
    dem_mesh_config: DEMI_END_OF(dem_mesh_config, log), \
    dem_mesh_contacts: DEMI_END_OF(dem_mesh_contacts, region), \
    dem_mesh_properties: DEMI_END_OF(dem_mesh_properties, volume), \
    dem_mesh_search_config: DEMI_END_OF(dem_mesh_search_config, log), \
    dem_mesh_solid: DEMI_END_OF(dem_mesh_solid, orientation), \
    dem_mesh_spheres: DEMI_END_OF(dem_mesh_spheres, reserved), \
    dem_mindlin: DEMI_END_OF(dem_mindlin, reserved), \
    dem_pair_properties: DEMI_END_OF(dem_pair_properties, restitution), \
    dem_pair_value: DEMI_END_OF(dem_pair_value, reserved), \
    dem_particle: DEMI_END_OF(dem_particle, mobility), \
    dem_polyhedron_config: DEMI_END_OF(dem_polyhedron_config, log), \
    dem_polyhedron_contact: DEMI_END_OF(dem_polyhedron_contact, volume_rate), \
    dem_polyhedron_law: DEMI_END_OF(dem_polyhedron_law, damping_ratio), \
    dem_polyhedron_load: DEMI_END_OF(dem_polyhedron_load, radius), \
    dem_polyhedron_motion: DEMI_END_OF(dem_polyhedron_motion, angular_velocity), \
    dem_polyhedron_properties: DEMI_END_OF(dem_polyhedron_properties, equivalent_radius), \
    dem_polyhedron_search_config: DEMI_END_OF(dem_polyhedron_search_config, log), \
    dem_rolling: DEMI_END_OF(dem_rolling, damping_ratio), \
    dem_rolling_constant: DEMI_END_OF(dem_rolling_constant, friction), \
    dem_thornton: DEMI_END_OF(dem_thornton, restitution), \
    dem_timestep_advice: DEMI_END_OF(dem_timestep_advice, face_id), \
    dem_timestep_request: DEMI_END_OF(dem_timestep_request, face_overlap), \
    dem_twisting_marshall: DEMI_END_OF(dem_twisting_marshall, damping_tangential), \
    dem_view: DEMI_END_OF(dem_view, index_count), \
    dem_wall: DEMI_END_OF(dem_wall, mesh_cosine), \
    dem_wall_contacts: DEMI_END_OF(dem_wall_contacts, facet), \
    dem_wall_search_config: DEMI_END_OF(dem_wall_search_config, log), \
    dem_wall_servo: DEMI_END_OF(dem_wall_servo, area), \
    dem_wall_spheres: DEMI_END_OF(dem_wall_spheres, reserved), \
    dem_walton_braun: DEMI_END_OF(dem_walton_braun, damping_normal), \
    dem_world_config: DEMI_END_OF(dem_world_config, chunk_rows), \
    dem_world_counts: DEMI_END_OF(dem_world_counts, ghosts), \
    dem_world_energies: DEMI_END_OF(dem_world_energies, dissipated_drag), \
    default: sizeof(value))
/* clang-format on */

#endif
