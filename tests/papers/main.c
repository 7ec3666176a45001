/* SPDX-License-Identifier: MIT */
/* Reproduces the figures of the papers: one line a quantity on stdout, progress on stderr.
 *
 *     papers           all cases
 *     papers quick     without the long ones
 *     papers gas       only the curves of the gas, as a table for the figure
 *
 * Ends with 1 if a quantity failed. */
#include "../physics/support/cases.h"

#include <string.h>
#include <time.h>

static void groove_reference(ledger *l)
{
    case_groove_default(l, 7.0, 0.6, 1.0);
}

static void groove_long(ledger *l)
{
    static const double cases[4][3] = {
        {7.0, 0.6, 10.0}, {7.0, 0.6, 30.0}, {50.0, 0.5, 5.0}, {100.0, 1.0, 5.0}};
    for (int k = 0; k < 4; ++k) {
        fprintf(stderr, "groove R=%g mu=%g theta0=%g ...\n", cases[k][0], cases[k][1], cases[k][2]);
        case_groove_default(l, cases[k][0], cases[k][1], cases[k][2]);
    }
}

typedef struct entry {
    const char *name;
    void (*run)(ledger *l);
    int quick;
} entry;

static const entry entries[] = {
    {"plates, explicit", case_plates_continuous, 1},
    {"plates, return mapping", case_plates_mapping, 1},
    {"plates, discontinuous", case_plates_discontinuous, 1},
    {"plates, anywhere in space", case_plates_plane, 1},
    {"plates, spring across", case_plates_across, 1},
    {"plates, schemes of stages", case_plates_schemes, 1},
    {"plates, no event", case_plates_sticking, 1},
    {"plates, reset, orders", case_plates_reset_orders, 1},
    {"plates, reset, midpoint", case_plates_reset_midpoint, 1},
    {"groove, improved", case_groove_improved, 1},
    {"groove, default", groove_reference, 1},
    {"groove, default, level 1", case_groove_host, 1},
    {"groove, standard", case_groove_standard, 1},
    {"groove, orders", case_groove_orders, 1},
    {"groove, world as host", case_groove_world_as_host, 1},
    {"groove, orders of worlds", case_groove_world_orders, 1},
    {"groove, time reversal", case_groove_reversal, 1},
    {"groove, leapfrog", case_groove_leapfrog, 1},
    {"groove, schemes", case_groove_table_quick, 1},
    {"groove, schemes, long", case_groove_table, 0},
    {"groove, standard, kernels", case_groove_standard_lean, 1},
    {"groove, standard, steps", case_groove_standard_steps, 0},
    {"groove, standard, fine", case_groove_standard_fine, 1},
    {"groove, long", groove_long, 0},
    {"phase diagram, few", case_phase_few, 1},
    {"phase diagram, 12 by 10", case_phase_grid, 0},
    {"phase diagram, mirrored", case_phase_mirrored, 1},
    {"fines, free flight", case_fines_flight, 1},
    {"fines, against a world", case_fines_world, 1},
    {"percolation, few", case_percolation_few, 1},
    {"percolation", case_percolation, 0},
    {"gas, elastic, short", case_gas_drift_short, 1},
    {"gas, elastic", case_gas_drift, 0},
    {"gas, cooling, short", case_gas_haff_short, 1},
    {"gas, cooling", case_gas_haff, 0},
    {"restitution, tail kept", case_restitution_tail, 1},
    {"restitution, uncorrected", case_restitution_uncorrected, 1},
    {"restitution, corrected", case_restitution_corrected, 1},
    {"Hertz restitution, cut", case_hertz_restitution_cut, 1},
    {"Hertz restitution, tail kept", case_hertz_restitution_tail, 1},
    {"Hertz restitution, others", case_hertz_restitution_other, 1},
    {"Kharaz, normal impact", case_kharaz_normal, 1},
    {"Kharaz, oblique impacts", case_kharaz_table, 1},
    {"Kharaz, sliding branch", case_kharaz_sliding, 1},
    {"restitution, coarse step", case_restitution_coarse, 1},
    {"grazing impact", case_grazing, 1},
    {"Kharaz, experiment", case_kharaz_experiment, 1},
    {"Kharaz, softening", case_kharaz_softening, 1},
    {"rolling slows", case_rolling_slows, 1},
    {"twisting decays", case_twisting_decays, 1},
    {"rolling is objective", case_rolling_objective, 1},
    {"twisting is passive", case_twisting_passive, 1},
    {"rolling, energy", case_rolling_energy, 0},
    {"Mindlin, closed forms", case_mindlin_closed_forms, 1},
    {"Mindlin, proportional loading", case_mindlin_proportional, 1},
    {"Mindlin, memory diagram", case_mindlin_memory_diagram, 1},
    {"Mindlin, two directions", case_mindlin_plane, 1},
    {"Mindlin, dashpots", case_mindlin_dashpot, 1},
    {"Mindlin, turned frames", case_mindlin_frames, 1},
    {"Mindlin, passivity", case_mindlin_passivity, 1},
    {"Mindlin, passivity, driven", case_mindlin_passivity_driven, 1},
    {"Mindlin, directed paths", case_mindlin_directed, 1},
    {"Hertz, order of ids", case_hertz_order_of_ids, 1},
    {"linear law in parts", case_parts_as_whole, 1},
    {"energy of sliders", case_parts_energy, 0},
    {"mfix, free flight", case_mfix_free_flight, 1},
    {"mfix, bounce", case_mfix_bounce, 1},
    {"mfix, press", case_mfix_stack, 1},
    {"mfix, rolling", case_mfix_rolling, 1},
    {"mfix, spins", case_mfix_spins, 1},
    {"twist about the normal", case_twist_about_normal, 1},
    {"twist, any axis", case_twist_any_axis, 1},
    {"twist, axial vector", case_twist_axial, 1},
    {"collision, forward", case_collision_forward, 1},
    {"collision, inverse", case_collision_inverse, 1},
    {"collision, series", case_collision_series, 1},
    {"collision, closed form", case_collision_closed_form, 1},
    {"collision, table 1", case_collision_table1, 1},
    {"collision, setup", case_collision_setup, 1},
    {"actm, rebound", case_actm_rebound, 1},
    {"actm, energy", case_actm_energy, 1},
    {"actm, bounds", case_actm_bounds, 1},
    {"orientation", case_orientation, 1},
    {"actm, friction", case_actm_friction, 1},
    {"actm, heap", case_actm_heap, 0},
    {"collision, table 2", case_collision_table2, 1},
    {"sedimentation", case_sediment, 1},
    {"momentum", case_momentum, 1},
    {"angular momentum", case_angular_momentum, 1},
    {"momentum of schemes", case_momentum_of_schemes, 1},
    {"orbits", case_orbits, 1},
    {"rotation", case_rotation_invariance, 1},
    {"boost", case_boost_invariance, 1},
    {"order of ids", case_order_of_ids, 1},
    {"energy, cloud", case_energy_cloud, 1},
    {"energy, shaken bed", case_energy_shaken_bed, 1},
    {"jkr, pulled", case_jkr_pulled, 1},
    {"dmt, pulled", case_dmt_pulled, 1},
    {"jkr, collision", case_jkr_collision, 1},
    {"adhesion, balance", case_adhesion_balance, 1},
    {"jkr, reach", case_jkr_reach, 1},
    {"adhesion, friction", case_adhesion_friction, 1},
    {"adhesion, none", case_adhesion_none, 1},
    {"luding, cycle", case_luding_cycle, 1},
    {"hysteretic, restitution", case_hysteretic_restitution, 1},
    {"thornton, restitution", case_thornton_restitution, 1},
    {"normal laws, cycles", case_normal_cycles, 1},
};

int main(int count, char **arguments)
{
    const int quick = count > 1 && strcmp(arguments[1], "quick") == 0;
    if (count == 2 && strcmp(arguments[1], "gas") == 0) {
        gas_figure(stdout);
        return ferror(stdout) != 0;
    }
    if (count > 2 || (count == 2 && !quick)) {
        fprintf(stderr, "usage: papers [quick | gas]\n");
        return 2;
    }
    ledger l = {.out = stdout};
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; ++k) {
        if (quick && !entries[k].quick)
            continue;
        const clock_t begin = clock();
        fprintf(stderr, "[%s]\n", entries[k].name);
        entries[k].run(&l);
        fprintf(stderr, "[%s] %.1f s\n", entries[k].name,
                (double)(clock() - begin) / CLOCKS_PER_SEC);
    }
    fprintf(stderr, "%u quantities, %u failed\n", l.rows, l.failed);
    return l.failed > 0 ? 1 : 0;
}
