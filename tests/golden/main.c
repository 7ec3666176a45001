/* SPDX-License-Identifier: MIT */
/* golden [SCENE...]: prints `scene=NAME contacts=most hash=...` for each scene, after it gave the
 * same hash with every instruction set of this machine, and worlds with 1, 2 and 4 threads; else
 * `differs` golden --forces SCENE: the contact forces and torques after the first step, by id */
#include "golden.h"

#include "../bench/bench.h"

#include <inttypes.h>
#include <string.h>

static int available(int32_t isa)
{
    dem_world_config config;
    dem_world *world = NULL;
    dem_world_config_init(&config);
    config.isa = isa;
    const dem_status status = dem_world_create(&config, &world, NULL);
    dem_world_destroy(world);
    return status == DEM_OK;
}

/* Whether all ways give one hash; prints it, or those that differ. */
static int scene_print(const char *name, void (*run)(int, golden_way, golden_sum *), int scene,
                       int threaded)
{
    static const int32_t threads[] = {1, 2, 4};
    uint64_t first = 0, contacts = 0;
    int any = 0, same = 1;
    for (int32_t isa = DEM_ISA_BASELINE; isa <= DEM_ISA_X86_64_V2; ++isa)
        for (int t = 0; t < (threaded ? 3 : 1) && available(isa); ++t) {
            const golden_way way = {isa, threads[t]};
            golden_sum sum = {0xcbf29ce484222325u, 0, 0};
            run(scene, way, &sum);
            contacts = sum.contacts;
            if (!any++)
                first = sum.hash;
            if (sum.hash == first)
                continue;
            same = 0;
            printf("scene=%s isa=%d threads=%d hash=%016" PRIx64 " differs\n", name, (int)isa,
                   (int)way.threads, sum.hash);
        }
    printf("scene=%s contacts=%" PRIu64 " hash=%016" PRIx64 "\n", name, contacts, first);
    (void)fflush(stdout);
    return same;
}

static int wanted(const char *name, int count, char **names)
{
    for (int k = 1; k < count; ++k)
        if (strcmp(names[k], name) == 0)
            return 1;
    return count <= 1;
}

static int forces_print(const char *name)
{
    const golden_way way = {DEM_ISA_AUTO, 1};
    golden_sum sum = {0, 0, 1};
    for (int k = 0; golden_worlds[k] != NULL; ++k)
        if (strcmp(golden_worlds[k], name) == 0) {
            golden_world_run(k, way, &sum);
            return 0;
        }
    for (int k = 0; golden_hosts[k] != NULL; ++k)
        if (strcmp(golden_hosts[k], name) == 0) {
            golden_host_run(k, way, &sum);
            return 0;
        }
    bench_fail("there is no such scene", name);
}

int main(int count, char **arguments)
{
    int same = 1;
    if (count == 3 && strcmp(arguments[1], "--forces") == 0)
        return forces_print(arguments[2]);
    for (int k = 0; golden_worlds[k] != NULL; ++k)
        if (wanted(golden_worlds[k], count, arguments))
            same &= scene_print(golden_worlds[k], golden_world_run, k, 1);
    for (int k = 0; golden_hosts[k] != NULL; ++k)
        if (wanted(golden_hosts[k], count, arguments))
            same &= scene_print(golden_hosts[k], golden_host_run, k, 0);
    return !same;
}
