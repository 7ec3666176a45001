/* SPDX-License-Identifier: MIT */
/* Rows of particles: room for them, and what is left of removed ones. The list names rows, so those
 * that it has keep their places until it is built again; rows added since do not have to. */
#include "base/check.h"
#include "base/parallel.h"
#include "world/added_mass.h"
#include "world/motion_written.h"
#include "world/world.h"

#include <stddef.h>
#include <string.h>

/* Room in a buffer that views may show: they are stale as soon as it has moved. */
static dem_status reserve(dem_world *w, demi_buffer *buffer, uint64_t size, const char *what)
{
    const uint64_t before = buffer->size;
    const dem_status status = demi_buffer_reserve(&w->context, buffer, size, 1, what);
    if (before != 0 && buffer->size != before)
        demi_motion_moves(w);
    return status;
}

/* An array that has an element for each row. */
typedef struct row_array {
    size_t offset; /* of the buffer in dem_world */
    size_t beside; /* of the buffer that takes the order of a new list, or ROW_ALONE */
    uint64_t size; /* of an element; see element_size */
    uint64_t kept; /* numbers at its beginning that a snapshot has */
    int traits;
} row_array;

#define ROW_ALONE SIZE_MAX

/* What there is no memory for, in messages. */
static const char ON_DEMAND[] = "fields of particles";

enum {
    ROW_MOVES = 1, /* what it holds belongs to the particle; of others the next build or step writes
                      what counts */
    ROW_ON_DEMAND = 2, /* it is there from the first use on */
    ROW_STATE = 4,     /* of the two states, which are exchanged as a whole */
    ROW_SORTED = 8,    /* the build of a list writes it in the new order */
    ROW_LATE = 16,     /* between rebuilds nothing changes it but what ends a mark */
    ROW_HOSTS = 32,    /* elements are as large as the host says; what is beside it is its own */
    ROW_HOOK = 64,     /* the host's hook in a step may change it */
    ROW_GUEST = 128    /* what is beside it is the memory of a larger array, which holds nothing
                          while a list is built: it is copied back from there */
};

#define ROW_IN_STATES(member, type, kept, more)                                                    \
    {                                                                                              \
        offsetof(dem_world, current.member), offsetof(dem_world, next.member), sizeof(type), kept, \
            ROW_MOVES | ROW_STATE | (more)                                                         \
    }
#define ROW_LENT(member, lender, type, kept, more)                                                 \
    {                                                                                              \
        offsetof(dem_world, member), offsetof(dem_world, lender), sizeof(type), kept,              \
            ROW_MOVES | ROW_ON_DEMAND | (more)                                                     \
    }

/* In the order that snapshots have. */
static const row_array row_arrays[] = {
    {offsetof(dem_world, body), offsetof(dem_world, next.force_torque), sizeof(demi_body), 0,
     ROW_MOVES | ROW_SORTED | ROW_LATE | ROW_GUEST},
    {offsetof(dem_world, row_id), ROW_ALONE, sizeof(uint64_t), 0, ROW_MOVES | ROW_LATE},
    {offsetof(dem_world, shown_id), ROW_ALONE, sizeof(uint64_t), 0, ROW_ON_DEMAND},
    {offsetof(dem_world, particle), offsetof(dem_world, next.force_torque), sizeof(demi_particle),
     1, ROW_MOVES | ROW_LATE | ROW_GUEST},
    ROW_IN_STATES(position, demi_row, 4, ROW_SORTED),
    ROW_IN_STATES(velocity, demi_velocities, 8, 0),
    ROW_IN_STATES(force_torque, demi_force_torque, 7, 0),
    {offsetof(dem_world, built), ROW_ALONE, sizeof(demi_row), 3, ROW_LATE},
    /* the positions at the build, which a new list replaces, lend their memory */
    ROW_LENT(external_force, built, demi_row, 3, ROW_HOOK),
    ROW_LENT(external_torque, built, demi_row, 3, ROW_HOOK),
    {offsetof(dem_world, damping_velocity), ROW_ALONE, sizeof(demi_velocities), 0, ROW_ON_DEMAND},
    ROW_LENT(added_mass, built, demi_row, 0, 0),
    ROW_LENT(fluid, damping_velocity, demi_fluid, 0, ROW_HOOK),
    ROW_LENT(drag_impulse, damping_velocity, demi_impulse, 0, 0),
    ROW_LENT(contact_impulse, damping_velocity, demi_impulse, 0, 0),
    {offsetof(dem_world, host), offsetof(dem_world, host_next), 0, 0,
     ROW_MOVES | ROW_ON_DEMAND | ROW_HOSTS | ROW_HOOK},
};
enum { ROW_ARRAYS = sizeof row_arrays / sizeof row_arrays[0] };
_Static_assert(sizeof(demi_body) <= sizeof(demi_force_torque), "guests of the next loads");
_Static_assert(sizeof(demi_particle) <= sizeof(demi_force_torque), "guests of the next loads");

/* Whether it has memory of its own beside it. */
static int has_beside(const row_array *array)
{
    return array->beside != ROW_ALONE && (array->traits & ROW_GUEST) == 0;
}

static uint64_t element_size(const dem_world *w, const row_array *array)
{
    return (array->traits & ROW_HOSTS) != 0 ? w->config.host_doubles * sizeof(double) : array->size;
}

static demi_buffer *buffer_at(dem_world *w, size_t offset)
{
    return (demi_buffer *)(void *)((unsigned char *)w + offset);
}

/* What takes the order of a new list comes first: without it the array must not be there. */
static dem_status reserve_with(dem_world *w, const row_array *array, uint64_t rows)
{
    const uint64_t size = rows * element_size(w, array);
    const dem_status status = (array->traits & ROW_HOSTS) != 0
                                  ? reserve(w, buffer_at(w, array->beside), size, ON_DEMAND)
                                  : DEM_OK;
    return status == DEM_OK ? reserve(w, buffer_at(w, array->offset), size, ON_DEMAND) : status;
}

dem_status demi_world_reserve(dem_world *w, uint64_t rows)
{
    dem_status status = DEM_OK;
    for (size_t k = 0; status == DEM_OK && k < ROW_ARRAYS; ++k) {
        const row_array *array = &row_arrays[k];
        demi_buffer *buffer = buffer_at(w, array->offset);
        if ((array->traits & ROW_ON_DEMAND) != 0) {
            if (buffer->data != NULL)
                status = reserve_with(w, array, rows);
            continue;
        }
        status = reserve(w, buffer, rows * array->size, "particles");
        if (status == DEM_OK && has_beside(array))
            status = reserve(w, buffer_at(w, array->beside), rows * array->size, "particles");
    }
    return status;
}

dem_status demi_rows_shrink(dem_world *w)
{
    /* those of a mark come back */
    const uint64_t marked = w->mark.there ? w->mark.world.data->rows : 0,
                   rows = marked > w->rows ? marked : w->rows;
    dem_status status = DEM_OK;
    for (size_t k = 0; status == DEM_OK && k < ROW_ARRAYS; ++k) {
        const row_array *array = &row_arrays[k];
        const uint64_t size = rows * element_size(w, array);
        status = demi_buffer_shrink(&w->context, buffer_at(w, array->offset), size, "particles");
        if (status == DEM_OK && has_beside(array))
            status =
                demi_buffer_shrink(&w->context, buffer_at(w, array->beside), size, "particles");
    }
    return status;
}

void demi_rows_free(dem_world *w)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        demi_buffer_free(&w->context, buffer_at(w, row_arrays[k].offset));
        if (has_beside(&row_arrays[k]))
            demi_buffer_free(&w->context, buffer_at(w, row_arrays[k].beside));
    }
}

/* The array that a buffer is. */
static const row_array *array_of(dem_world *w, const demi_buffer *buffer)
{
    const row_array *array = row_arrays;
    while (buffer_at(w, array->offset) != buffer)
        ++array;
    return array;
}

static dem_status reserve_on_demand(dem_world *w, const row_array *array)
{
    return reserve_with(w, array, demi_array_room(&w->current.position));
}

dem_status demi_rows_reserve(dem_world *w, demi_buffer *on_demand)
{
    const row_array *array = array_of(w, on_demand);
    if ((array->traits & ROW_HOSTS) != 0 || array->beside == ROW_ALONE)
        return reserve_on_demand(w, array);
    const row_array *lender = array_of(w, buffer_at(w, array->beside));
    /* the lender first: without it the array must not be there */
    const dem_status status =
        (lender->traits & ROW_ON_DEMAND) != 0 ? reserve_on_demand(w, lender) : DEM_OK;
    return status == DEM_OK ? reserve_on_demand(w, array) : status;
}

dem_status demi_impulses_reserve(dem_world *w)
{
    /* the array that makes steps sum comes last */
    dem_status status =
        demi_array_reserve(&w->context, &w->wall_impulse, demi_array_room(&w->wall), 1, "impulses");
    if (status == DEM_OK)
        status = demi_rows_reserve(w, &w->drag_impulse.buffer);
    return status == DEM_OK ? demi_rows_reserve(w, &w->contact_impulse.buffer) : status;
}

void demi_rows_clear(dem_world *w, uint64_t row)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        const row_array *array = &row_arrays[k];
        unsigned char *first = buffer_at(w, array->offset)->data;
        if ((array->traits & ROW_ON_DEMAND) != 0 && first != NULL)
            memset(first + row * element_size(w, array), 0, (size_t)element_size(w, array));
    }
    if (w->added_mass.data != NULL)
        demi_added_mass_of(w, row)->weight_share = 1.0;
}

int demi_rows_kept(const dem_world *w, demi_rows_numbers *numbers)
{
    for (; numbers->next < ROW_ARRAYS; ++numbers->next) {
        const row_array *array = &row_arrays[numbers->next];
        const demi_buffer *buffer =
            (const demi_buffer *)(const void *)((const unsigned char *)w + array->offset);
        if (array->kept == 0 || buffer->data == NULL)
            continue;
        numbers->data = buffer->data;
        numbers->stride = array->size / sizeof(double);
        numbers->count = array->kept;
        numbers->next++;
        return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ marks */

static int marked(const row_array *array, int late)
{
    return ((array->traits & ROW_LATE) != 0) == late;
}

static int array_there(const dem_world *w, const row_array *array)
{
    return ((const demi_buffer *)(const void *)((const unsigned char *)w + array->offset))->data !=
           NULL;
}

uint64_t demi_rows_mark_bytes(const dem_world *w, int late)
{
    uint64_t bytes = 0;
    for (size_t k = 0; k < ROW_ARRAYS; ++k)
        if (marked(&row_arrays[k], late))
            bytes += 1 + (array_there(w, &row_arrays[k]) ? w->rows * element_size(w, &row_arrays[k])
                                                         : 0);
    return bytes;
}

unsigned char *demi_rows_mark(dem_world *w, int late, unsigned char *kept)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        if (!marked(&row_arrays[k], late))
            continue;
        const demi_buffer *buffer = buffer_at(w, row_arrays[k].offset);
        const uint64_t bytes = buffer->data != NULL ? w->rows * element_size(w, &row_arrays[k]) : 0;
        *kept++ = buffer->data != NULL;
        if (bytes > 0)
            memcpy(kept, buffer->data, (size_t)bytes);
        kept += bytes;
    }
    return kept;
}

unsigned char *demi_rows_rewind(dem_world *w, int late, unsigned char *kept)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        if (!marked(&row_arrays[k], late))
            continue;
        demi_buffer *buffer = buffer_at(w, row_arrays[k].offset);
        const int there = *kept++;
        const uint64_t bytes = there ? w->rows * element_size(w, &row_arrays[k]) : 0;
        if (bytes > 0)
            memcpy(buffer->data, kept, (size_t)bytes);
        if (!there) /* the first use came later */
            demi_buffer_free(&w->context, buffer);
        kept += bytes;
    }
    return kept;
}

void demi_rows_keep(dem_world *w)
{
    if (!w->mark.there || w->mark.rows_kept)
        return;
    (void)demi_rows_mark(w, 1, w->mark.late.data);
    w->mark.rows_kept = 1;
}

/* ------------------------------------------------------------------ the host's hook in a step */

/* Bytes of an array that is kept. */
static uint64_t hook_bytes(const dem_world *w, const row_array *array)
{
    return (array->traits & ROW_HOOK) != 0 && array_there(w, array)
               ? w->rows * element_size(w, array)
               : 0;
}

uint64_t demi_rows_hook_bytes(const dem_world *w)
{
    uint64_t bytes = 0;
    for (size_t k = 0; k < ROW_ARRAYS; ++k)
        bytes += hook_bytes(w, &row_arrays[k]);
    return bytes;
}

void demi_rows_hook_keep(dem_world *w, unsigned char *kept)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        const uint64_t bytes = hook_bytes(w, &row_arrays[k]);
        if (bytes > 0)
            memcpy(kept, buffer_at(w, row_arrays[k].offset)->data, (size_t)bytes);
        kept += bytes;
    }
}

void demi_rows_hook_return(dem_world *w, const unsigned char *kept)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        const uint64_t bytes = hook_bytes(w, &row_arrays[k]);
        if (bytes > 0)
            memcpy(buffer_at(w, row_arrays[k].offset)->data, kept, (size_t)bytes);
        kept += bytes;
    }
}

static void bytes_exchange(unsigned char *a, unsigned char *b, uint64_t bytes)
{
    unsigned char some[512];
    while (bytes > 0) {
        const size_t part = bytes < sizeof some ? (size_t)bytes : sizeof some;
        memcpy(some, a, part);
        memcpy(a, b, part);
        memcpy(b, some, part);
        a += part;
        b += part;
        bytes -= part;
    }
}

void demi_rows_hook_exchange(dem_world *w, unsigned char *kept)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        const uint64_t bytes = hook_bytes(w, &row_arrays[k]);
        bytes_exchange(buffer_at(w, row_arrays[k].offset)->data, kept, bytes);
        kept += bytes;
    }
}

/* ------------------------------------------------------------------ other places */

/* Moves what a row holds. */
static void row_move(dem_world *w, uint64_t from, uint64_t to)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        const row_array *array = &row_arrays[k];
        unsigned char *first = buffer_at(w, array->offset)->data;
        const uint64_t size = element_size(w, array);
        if ((array->traits & ROW_MOVES) != 0 && first != NULL)
            memcpy(first + to * size, first + from * size, (size_t)size);
    }
    w->handle.data[w->particle.data[to].handle].row = (uint32_t)to;
    demi_row_show(w, to);
}

typedef struct permute_call {
    dem_world *w;
    const row_array *array;
    const uint32_t *order;
    uint64_t rows;
} permute_call;

static inline void gather(unsigned char *to, const unsigned char *from, const uint32_t *order,
                          uint64_t begin, uint64_t end, uint64_t size)
{
    for (uint64_t row = begin; row < end; ++row)
        memcpy(to + row * size, from + order[row] * size, (size_t)size);
}

static void array_permute(void *argument, uint64_t task)
{
    enum { LINE = sizeof(demi_velocities) };
    const permute_call *call = argument;
    const uint64_t size = element_size(call->w, call->array), begin = task * DEMI_ROWS_TASK,
                   end = demi_rows_task_end(task, call->rows);
    const unsigned char *from = buffer_at(call->w, call->array->offset)->data;
    unsigned char *to = buffer_at(call->w, call->array->beside)->data;
    if (size == LINE) /* for most of the bytes no call of memcpy is made */
        gather(to, from, call->order, begin, end, LINE);
    else
        gather(to, from, call->order, begin, end, size);
}

static void guest_return(void *argument, uint64_t task)
{
    const permute_call *call = argument;
    const uint64_t size = call->array->size, begin = task * DEMI_ROWS_TASK,
                   end = demi_rows_task_end(task, call->rows);
    const unsigned char *from = buffer_at(call->w, call->array->beside)->data;
    unsigned char *to = buffer_at(call->w, call->array->offset)->data;
    memcpy(to + begin * size, from + begin * size, (size_t)((end - begin) * size));
}

/* Guests come before their hosts. */
void demi_rows_permute(dem_world *w, const uint32_t *order, uint64_t rows)
{
    for (size_t k = 0; k < ROW_ARRAYS; ++k) {
        const row_array *array = &row_arrays[k];
        demi_buffer *buffer = buffer_at(w, array->offset);
        if (array->beside == ROW_ALONE || buffer->data == NULL)
            continue;
        permute_call call = {w, array, order, rows};
        if ((array->traits & ROW_SORTED) == 0)
            demi_parallel(&w->config.executor, array_permute, &call, demi_rows_tasks(rows));
        if ((array->traits & ROW_GUEST) != 0)
            demi_parallel(&w->config.executor, guest_return, &call, demi_rows_tasks(rows));
        else if ((array->traits & ROW_STATE) == 0)
            demi_buffer_exchange(buffer, buffer_at(w, array->beside));
    }
}

/* Closes the gaps that removed rows left behind those of the list. Others keep their order, on
 * which sums depend. */
void demi_rows_close(dem_world *w)
{
    uint64_t to = demi_list_rows(&w->list);
    demi_rows_keep(w);
    for (uint64_t from = to; from < w->rows; ++from) {
        if (w->body.data[from].id == 0)
            continue;
        if (from != to)
            row_move(w, from, to);
        ++to;
    }
    w->rows = to;
    w->rows_vacant = 0;
    w->generation++;
}

dem_status demi_rows_make_room(dem_world *w, uint64_t more)
{
    /* half of the rows that are looked at go, so each is paid for by a removal */
    if (demi_array_room(&w->body) < w->rows + more &&
        2 * w->rows_vacant > w->rows - demi_list_rows(&w->list))
        demi_rows_close(w);
    return demi_world_reserve(w, w->rows + more);
}

int demi_axis_beyond_images(const dem_world *w, const double position[3])
{
    for (int c = 0; c < 3; ++c) {
        const double low = w->config.box_low[c], length = w->config.box_high[c] - low;
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC &&
            !(fabs(floor((position[c] - low) / length)) < DEMI_IMAGE_MOST))
            return c;
    }
    return -1;
}
