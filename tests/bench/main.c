/* SPDX-License-Identifier: MIT */
/* bench generate FOLDER [THREADS]: makes the grains
 * bench run FOLDER SCENE [key=value...]: times one scene, see scenes.c
 * bench costs [SECONDS]: times each law on its own, see costs.c
 * bench walls [STEPS]: times walls that nothing touches, see walls.c
 * bench bodies [STEPS]: times clumps of spheres, see bodies.c
 * bench level1: times contacts that travel, see level1.c
 * bench list FOLDER [WARM STEPS THREADS]: times a kept list over the pairs of LAMMPS, see list.c
 * bench polyhedra: times pairs of polyhedra, see polyhedra.c
 * bench sums FOLDER [STEPS]: what exact sums cost, see sums.c
 * bench memory FOLDER: what each array takes, see memory.c
 * bench insertion FOLDER [CHANGES]: grains that come and go, see insertion.c
 * bench threads FOLDER [CHUNK_ROWS]: what threads gain, by a model of timed tasks, see threads.c
 * bench grains FOLDER number|ratio VALUE: grains of a curve, see curves.c
 * bench about: names machine and compiler */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static int about(void)
{
    char line[256] = "", name[256] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            (void)snprintf(name, sizeof name, "%s", strchr(line, ':') + 2);
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    if (file != NULL)
        fclose(file);
    const char *widest = "baseline";
    static const struct {
        const char *name;
        int32_t isa;
    } sets[] = {{"baseline", DEM_ISA_BASELINE},
                {"x86-64-v2", DEM_ISA_X86_64_V2},
                {"AVX2", DEM_ISA_AVX2},
                {"AVX-512", DEM_ISA_AVX512}};
    for (size_t k = 0; k < sizeof sets / sizeof sets[0]; ++k) {
        dem_world_config config;
        dem_world *world = NULL;
        bench_must(dem_world_config_init(&config), "configuration");
        config.isa = sets[k].isa;
        if (dem_world_create(&config, &world, NULL) == DEM_OK)
            widest = sets[k].name;
        dem_world_destroy(world);
    }
#ifdef __clang__
    const char *compiler = "";
#else
    const char *compiler = "gcc ";
#endif
    printf("machine=\"%s\" isa=\"%s\" compiler=\"%s%s\"\n", name, widest, compiler, __VERSION__);
    return 0;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "generate") == 0 && argc > 2) {
        bench_generate(argv[2], argc > 3 ? atoi(argv[3]) : 1);
        return 0;
    }
    if (strcmp(command, "run") == 0)
        return bench_run(argc - 2, argv + 2);
    if (strcmp(command, "costs") == 0)
        return bench_costs(argc - 2, argv + 2);
    if (strcmp(command, "walls") == 0)
        return bench_walls(argc - 2, argv + 2);
    if (strcmp(command, "bodies") == 0)
        return bench_bodies(argc - 2, argv + 2);
    if (strcmp(command, "level1") == 0)
        return bench_level1();
    if (strcmp(command, "list") == 0)
        return bench_list(argc - 2, argv + 2);
    if (strcmp(command, "polyhedra") == 0)
        return bench_polyhedra();
    if (strcmp(command, "sums") == 0)
        return bench_sums(argc - 2, argv + 2);
    if (strcmp(command, "parcels") == 0)
        return bench_parcels(argc - 2, argv + 2);
    if (strcmp(command, "memory") == 0)
        return bench_memory(argc - 2, argv + 2);
    if (strcmp(command, "insertion") == 0)
        return bench_insertion(argc - 2, argv + 2);
    if (strcmp(command, "threads") == 0)
        return bench_threads(argc - 2, argv + 2);
    if (strcmp(command, "grains") == 0)
        return bench_grains(argc - 2, argv + 2);
    if (strcmp(command, "streams") == 0)
        return bench_streams(argc - 2, argv + 2);
    if (strcmp(command, "about") == 0)
        return about();
    fprintf(
        stderr,
        "usage: bench generate FOLDER [THREADS] | run FOLDER SCENE [key=value...] | "
        "costs [SECONDS] | walls [STEPS] | bodies [STEPS] | level1 | polyhedra | "
        "list FOLDER [WARM STEPS THREADS] | sums FOLDER [STEPS] | parcels FOLDER | memory FOLDER | "
        "insertion FOLDER [CHANGES] | threads FOLDER [CHUNK_ROWS] | "
        "grains FOLDER number|ratio VALUE | streams [ROWS] | about\n");
    return 1;
}
