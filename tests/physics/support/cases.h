/* SPDX-License-Identifier: MIT */
/* The cases. Each computes its reference itself and writes rows into the ledger. */
#ifndef PHYSICS_CASES_H
#define PHYSICS_CASES_H

#include "ledger.h"

/* Führer, Brendel and Wolf 2024: a block on a plate, in one dimension. */
void case_plates_continuous(ledger *l);
void case_plates_mapping(ledger *l);
void case_plates_discontinuous(ledger *l);
void case_plates_plane(ledger *l);
void case_plates_across(ledger *l);
void case_plates_schemes(ledger *l);
void case_plates_sticking(ledger *l);
void case_plates_reset_orders(ledger *l);
void case_plates_reset_midpoint(ledger *l);

/* Vyas et al.: a fine sphere rolls and slides in the groove between two frozen large ones. */
void case_groove_default(ledger *l, double ratio, double friction, double degrees);
void case_groove_host(ledger *l);
void case_groove_improved(ledger *l);
void case_groove_standard(ledger *l);
void case_groove_standard_fine(ledger *l);
void case_groove_standard_lean(ledger *l);
void case_groove_standard_steps(ledger *l); /* two minutes */
void case_groove_table_quick(ledger *l);
void case_groove_table(ledger *l); /* half a minute */
void case_groove_orders(ledger *l);
void case_groove_world_as_host(ledger *l);
void case_groove_world_orders(ledger *l);
void case_groove_reversal(ledger *l);
void case_groove_leapfrog(ledger *l);

/* Vyas et al.: the groove's phase diagram and fines in a bed, by kernels of level 0. */
void case_phase_grid(ledger *l); /* a minute */
void case_phase_few(ledger *l);
void case_phase_mirrored(ledger *l);
void case_fines_flight(ledger *l);
void case_fines_world(ledger *l);
void case_percolation(ledger *l); /* half a minute */
void case_percolation_few(ledger *l);

/* Restitution of two spheres, and of a sphere on a wall. */
void case_restitution_tail(ledger *l);
void case_restitution_uncorrected(ledger *l);
void case_restitution_corrected(ledger *l);
void case_restitution_coarse(ledger *l);

/* The same with Hertz's law. */
void case_hertz_restitution_cut(ledger *l);
void case_hertz_restitution_tail(ledger *l);
void case_hertz_restitution_other(ledger *l);

/* Li et al. 2022: a sphere hits a plate, with Hertz's and Mindlin's laws. */
void case_kharaz_normal(ledger *l);
void case_kharaz_table(ledger *l);
void case_kharaz_sliding(ledger *l);
void case_kharaz_experiment(ledger *l);
void case_kharaz_softening(ledger *l);

/* Impact on a wall at any angle, with every built-in law: no gain of energy. */
void case_grazing(ledger *l);

/* Mindlin and Deresiewicz along given paths. */
void case_mindlin_closed_forms(ledger *l);
void case_mindlin_proportional(ledger *l);
void case_mindlin_memory_diagram(ledger *l);
void case_mindlin_passivity(ledger *l);
void case_mindlin_passivity_driven(ledger *l);
void case_mindlin_directed(ledger *l);
void case_mindlin_plane(ledger *l);
void case_mindlin_dashpot(ledger *l);
void case_mindlin_frames(ledger *l);
void case_hertz_order_of_ids(ledger *l);

/* The linear law in parts: as the whole laws, and the energy account of each slider. */
void case_parts_as_whole(ledger *l);
void case_parts_energy(ledger *l);

/* Rolling and twisting resistance. */
void case_rolling_slows(ledger *l);
void case_twisting_decays(ledger *l);
void case_rolling_objective(ledger *l);
void case_rolling_energy(ledger *l);
void case_twisting_passive(ledger *l);

/* The verification cases of MFIX. */
void case_mfix_free_flight(ledger *l);
void case_mfix_bounce(ledger *l);
void case_mfix_stack(ledger *l);
void case_mfix_rolling(ledger *l);
void case_mfix_spins(ledger *l);

/* Orientation of a ball under a torque. */
void case_orientation(ledger *l);

/* A pair that turns rigidly carries its tangential spring along. */
void case_twist_about_normal(ledger *l);
void case_twist_any_axis(ledger *l);
void case_twist_axial(ledger *l);

/* Ray, Kempe and Fröhlich: stiffness and damping of a collision. */
void case_collision_forward(ledger *l);
void case_collision_inverse(ledger *l);
void case_collision_series(ledger *l);
void case_collision_closed_form(ledger *l);
void case_collision_table1(ledger *l);
void case_collision_setup(ledger *l);
void case_actm_rebound(ledger *l);
void case_actm_energy(ledger *l);
void case_actm_bounds(ledger *l);
void case_actm_friction(ledger *l);
void case_actm_heap(ledger *l); /* ten seconds */
void case_actm_heap_short(ledger *l);
void case_collision_table2(ledger *l);
void case_sediment(ledger *l);
void case_sediment_short(ledger *l);

/* Symmetries and conservation laws. */
void case_momentum(ledger *l);
void case_angular_momentum(ledger *l);
void case_momentum_of_schemes(ledger *l);
void case_orbits(ledger *l);
void case_rotation_invariance(ledger *l);
void case_boost_invariance(ledger *l);
void case_order_of_ids(ledger *l);
void case_energy_cloud(ledger *l);
void case_energy_shaken_bed(ledger *l);

/* JKR and DMT: pulled apart slowly, and in collisions. */
void case_jkr_pulled(ledger *l);
void case_dmt_pulled(ledger *l);
void case_jkr_collision(ledger *l);
void case_adhesion_balance(ledger *l);
void case_jkr_reach(ledger *l);
void case_adhesion_friction(ledger *l);
void case_adhesion_none(ledger *l);

/* Contacts that yield; no normal law creates energy. */
void case_luding_cycle(ledger *l);
void case_hysteretic_restitution(ledger *l);
void case_thornton_restitution(ledger *l);
void case_normal_cycles(ledger *l);

/* Long runs of a gas of 512 spheres: elastic, and cooling by Haff's law. */
void case_gas_drift(ledger *l); /* half a minute */
void case_gas_drift_short(ledger *l);
void case_gas_haff(ledger *l); /* half a minute */
void case_gas_haff_short(ledger *l);
void gas_figure(FILE *csv); /* a minute */

#endif
