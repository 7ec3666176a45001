/* SPDX-License-Identifier: MIT */
/* What a rank spends its time on: time of the processor, but for waiting in MPI, which is time of
 * the clock. Waiting is found by MPI's own profiling interface: these functions stand before those
 * of the library. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "scene.h"

#include <time.h>

static double spent[TIMES], work, clock_then;
static int doing = TIME_REBUILD;

int scene_clock(int next)
{
    struct timespec t;
    const int before = doing;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    const double now = MPI_Wtime(), work_now = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    spent[doing] += doing == TIME_WAIT ? now - clock_then : work_now - work;
    clock_then = now;
    work = work_now;
    doing = next;
    return before;
}

void scene_clock_read(double seconds[TIMES])
{
    (void)scene_clock(doing);
    for (int k = 0; k < TIMES; ++k) {
        seconds[k] = spent[k];
        spent[k] = 0.0;
    }
}

#define WAIT(call)                                                                                 \
    const int before = scene_clock(TIME_WAIT), result = call;                                      \
    (void)scene_clock(before);                                                                     \
    return result

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm ranks)
{
    WAIT(PMPI_Allreduce(from, to, count, type, op, ranks));
}

int MPI_Alltoall(const void *from, int out, MPI_Datatype out_type, void *to, int in,
                 MPI_Datatype in_type, MPI_Comm ranks)
{
    WAIT(PMPI_Alltoall(from, out, out_type, to, in, in_type, ranks));
}

int MPI_Alltoallv(const void *from, const int *out, const int *out_at, MPI_Datatype out_type,
                  void *to, const int *in, const int *in_at, MPI_Datatype in_type, MPI_Comm ranks)
{
    WAIT(PMPI_Alltoallv(from, out, out_at, out_type, to, in, in_at, in_type, ranks));
}
