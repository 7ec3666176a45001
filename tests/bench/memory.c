/* SPDX-License-Identifier: MIT */
/* What each array of a world takes, in bytes a particle. Looks into the library: whoever changes an
 * array sees here what that costs. */
#include "bench.h"
#include "world/world.h"

typedef struct memory_array {
    const char *name;
    size_t offset;
} memory_array;

#define OF(member)                                                                                 \
    {                                                                                              \
#member, offsetof(dem_world, member)                                                       \
    }
#define OF_LIST(member) OF(list.member), OF(list_next.member)
#define OF_STATE(member) OF(current.member), OF(next.member)

/* Those that worlds of spheres have; "other" is what is not named. */
static const memory_array arrays[] = {
    OF_STATE(position),
    OF_STATE(velocity),
    OF_STATE(force_torque),
    OF_STATE(touching),
    OF_STATE(contact_state),
    OF(chunk_copy),
    OF(built),
    OF(body),
    OF(particle),
    OF(row_id),
    OF(handle),
    OF(ids.entry),
    OF_LIST(pair),
    OF_LIST(batch_group),
    OF_LIST(chunk),
    OF_LIST(neighbour),
    OF_LIST(source),
    OF_LIST(shift),
    OF_LIST(feature),
    OF_LIST(reduction_begin),
    OF_LIST(reduction),
    OF(list_workspace.order),
    OF(list_workspace.cell),
    OF(list_workspace.axis),
    OF(list_workspace.pair),
    OF(list_workspace.copied),
    OF(list_workspace.wall),
    OF(list_workspace.touching),
    OF(list_workspace.touching_begin),
    OF(list_workspace.level_of),
    OF(workspaces.memory),
    OF(chunk_result),
};

void bench_memory_print(const dem_world *world)
{
    const double rows = (double)world->particles;
    uint64_t named = 0;
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k) {
        const demi_buffer *buffer =
            (const demi_buffer *)(const void *)((const char *)world + arrays[k].offset);
        named += buffer->size;
        if ((double)buffer->size >= 0.05 * rows)
            printf("array=%s bytes=%.1f\n", arrays[k].name, (double)buffer->size / rows);
    }
    printf("array=other bytes=%.1f\n", (double)(world->context.bytes - named) / rows);
    printf("array=all bytes=%.1f\n", (double)world->context.bytes / rows);
}

int bench_memory(int count, char **arguments)
{
    static const char *const scenes[] = {"chute", "bed", "hertz-bed", "m4-bed"};
    if (count < 1)
        bench_fail("memory", "a folder is wanted");
    for (size_t k = 0; k < sizeof scenes / sizeof scenes[0]; ++k) {
        char scene[32], match[] = "match=1", print[] = "memory=1", steps[] = "steps=2000";
        (void)snprintf(scene, sizeof scene, "%s", scenes[k]);
        printf("scene=%s ", scene);
        (void)bench_run(5, (char *[]){arguments[0], scene, match, print, steps});
    }
    return 0;
}
