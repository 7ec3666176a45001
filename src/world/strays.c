/* SPDX-License-Identifier: MIT */
/* Which fast rows are far from all others, see strays.h. */
#include "world/strays.h"

#include "base/check.h"

#include <math.h>

/* So many are looked for, by so many limits, and only where the list would be so many times as
 * wide. A list that is not wider for their sake lasts one step. */
enum { STRAYS_MOST = 64, STRAYS_LIMITS = 8, STRAYS_WIDER = 4 };

typedef struct strays {
    uint64_t row[STRAYS_MOST], count;
    double low[3], high[3]; /* box of the centres of all others */
    double fastest;         /* way of the fastest of them in the step */
} strays;

static double way_of(const dem_world *w, uint64_t row)
{
    const double *from = w->current.position.read[row], *to = w->next.position.read[row];
    const double way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    return sqrt(demi_dot(way, way)) * (1.0 + 1e-9) + w->exact.slack;
}

/* Splits the rows by how far the step takes them; 0 where too many go further. */
static int strays_find(const dem_world *w, double limit, strays *s)
{
    s->count = 0;
    s->fastest = 0.0;
    for (int c = 0; c < 3; ++c) {
        s->low[c] = INFINITY;
        s->high[c] = -INFINITY;
    }
    for (uint64_t row = 0; row < w->rows; ++row) {
        const double *x = w->current.position.read[row];
        if (w->body.read[row].id == 0)
            continue;
        const double way = way_of(w, row);
        if (!(way <= limit)) {
            if (s->count == STRAYS_MOST)
                return 0;
            s->row[s->count++] = row;
            continue;
        }
        s->fastest = way > s->fastest ? way : s->fastest;
        for (int c = 0; c < 3; ++c) {
            s->low[c] = x[c] < s->low[c] ? x[c] : s->low[c];
            s->high[c] = x[c] > s->high[c] ? x[c] : s->high[c];
        }
    }
    return 1;
}

/* Whether a place is farther than `apart` from a box along an open axis. */
static int is_apart(const dem_world *w, const double x[3], const double low[3],
                    const double high[3], double apart)
{
    for (int c = 0; c < 3; ++c)
        if (w->config.boundary[c] != DEM_BOUNDARY_PERIODIC &&
            (low[c] - x[c] > apart || x[c] - high[c] > apart))
            return 1;
    return 0;
}

/* Whether each of them is so far from all rows, and from all walls. */
static int strays_are_apart(const dem_world *w, const strays *s, double largest, double approach)
{
    const double apart = 2.0 * largest + w->list.reach + approach;
    for (uint64_t k = 0; k < s->count; ++k) {
        const double *x = w->current.position.read[s->row[k]];
        if (!is_apart(w, x, s->low, s->high, apart))
            return 0;
        for (uint64_t m = 0; m < k; ++m) {
            const double *other = w->current.position.read[s->row[m]];
            if (!is_apart(w, x, other, other, apart))
                return 0;
        }
        const demi_chunk box = {
            .low = {x[0], x[1], x[2]}, .high = {x[0], x[1], x[2]}, .largest = x[3]};
        for (uint64_t m = 0; m < w->walls; ++m)
            if (w->wall.read[m].id != 0 &&
                !(demi_wall_spare(&w->wall.read[m], &w->current.solid.read[m], &box,
                                  w->list.reach) > approach))
                return 0;
    }
    return 1;
}

/* Warns once of the fastest row, which makes the list short-lived. */
static void fastest_tell(dem_world *w, double skin)
{
    uint64_t fastest = 0;
    double most = 0.0;
    if (w->told_fast || w->context.log.message == NULL)
        return;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const double way = w->body.read[row].id != 0 ? way_of(w, row) : 0.0;
        fastest = way > most ? row : fastest;
        most = way > most ? way : most;
    }
    if (!(4.0 * most > STRAYS_WIDER * skin)) /* a wall is the fast one */
        return;
    w->told_fast = 1;
    demi_log(&w->context, DEM_LOG_WARNING,
             "particle %llu: it moves %g m in a step, and the list of pairs looks %g m ahead, so "
             "that it is built in nearly every step: remove the particle if it has left, else take "
             "a smaller dt or a larger dem_world_config.skin",
             (unsigned long long)w->body.read[fastest].id, most, skin);
}

double demi_strays_spared(dem_world *w, double approach)
{
    double smallest = INFINITY, largest = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const double radius = w->current.position.read[row][3];
        if (w->body.read[row].id == 0)
            continue;
        smallest = radius < smallest ? radius : smallest;
        largest = radius > largest ? radius : largest;
    }
    const double skin = w->config.skin > 0.0 ? w->config.skin : 0.2 * smallest;
    if (!(2.0 * approach > STRAYS_WIDER * skin))
        return approach;
    fastest_tell(w, skin);
    double limit = 0.25 * skin;
    for (int k = 0; k < STRAYS_LIMITS && w->models.films == 0 && limit < approach;
         ++k, limit *= 4.0) {
        strays s;
        if (strays_find(w, limit, &s) && strays_are_apart(w, &s, largest, 2.0 * approach)) {
            const double spared =
                s.fastest + (s.fastest > w->walls_step ? s.fastest : w->walls_step);
            return spared < approach ? spared : approach;
        }
    }
    return approach;
}
