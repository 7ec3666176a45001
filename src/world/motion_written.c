/* SPDX-License-Identifier: MIT */
/* Whether the host wrote velocities, see motion_written.h. */
#include "world/motion_written.h"

static int motion_is_kept(const dem_world *w)
{
    return w->motion_kept != 0 && w->motion_kept == w->generation;
}

static size_t motion_bytes(const dem_world *w)
{
    return (size_t)w->rows * sizeof(demi_velocities);
}

void demi_motion_keep(dem_world *w)
{
    if (motion_is_kept(w) || w->rows == 0)
        return;
    memcpy(w->next.velocity.data, w->current.velocity.read, motion_bytes(w));
    w->motion_kept = w->generation;
}

void demi_motion_moves(dem_world *w)
{
    const int kept = motion_is_kept(w);
    w->generation++;
    if (kept)
        w->motion_kept = w->generation;
}

/* Whether velocities may differ from what was shown first. */
static int motion_changed(const dem_world *w)
{
    /* bits are meant, the sign of a zero, too; all bytes of a row are numbers */
    return !motion_is_kept(w) ||
           memcmp(w->next.velocity.read, w->current.velocity.read, motion_bytes(w)) != 0;
}

int demi_motion_told(const dem_world *w)
{
    return (w->motion_written & DEMI_MOTION_SAID) != 0 && motion_changed(w);
}

int demi_motion_stale(const dem_world *w)
{
    return w->forces_stale || demi_motion_told(w);
}

void demi_motion_settle(dem_world *w)
{
    w->forces_stale = demi_motion_stale(w);
    w->motion_written = w->motion_written != 0 ? DEMI_MOTION_COMPARED : 0;
}

void demi_motion_exchanged(dem_world *w)
{
    const int said = (w->motion_written & DEMI_MOTION_SAID) != 0;
    if (said)
        demi_motion_settle(w);
    if (said || !motion_changed(w))
        w->motion_viewed = 0;
}
