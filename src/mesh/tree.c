/* SPDX-License-Identifier: MIT */
/* Boxes around neighbouring facets, around boxes, and so on: what is near a point is found without
 * a look at the rest. */
#include "mesh/mesh.h"
#include "mesh/sort.h"

#include <math.h>
#include <string.h>

static void tree_grow(demi_mesh_box *box, const double low[3], const double high[3])
{
    for (int c = 0; c < 3; ++c) {
        box->low[c] = low[c] < box->low[c] ? low[c] : box->low[c];
        box->high[c] = high[c] > box->high[c] ? high[c] : box->high[c];
    }
}

static demi_mesh_box tree_empty(void)
{
    return (demi_mesh_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static demi_mesh_box tree_facet(const dem_mesh *mesh, uint64_t facet)
{
    demi_mesh_box box = tree_empty();
    for (int k = 0; k < 3; ++k) {
        const double *x = demi_mesh_vertex(mesh, mesh->facet.read[3 * facet + (uint64_t)k]);
        tree_grow(&box, x, x);
    }
    return box;
}

/* Numbers in the order of the middles of facets along an axis. */
static uint64_t tree_key(const dem_mesh *mesh, uint64_t facet, int axis)
{
    const uint64_t sign = (uint64_t)1 << 63;
    const demi_mesh_box box = tree_facet(mesh, facet);
    const double middle = 0.5 * box.low[axis] + 0.5 * box.high[axis];
    uint64_t bits;
    memcpy(&bits, &middle, sizeof bits);
    return (bits & sign) != 0 ? ~bits : bits | sign;
}

/* The axis along which the middles of facets are farthest apart. */
static int tree_axis(const dem_mesh *mesh, const demi_item *items, uint64_t count)
{
    demi_mesh_box all = tree_empty();
    int axis = 0;
    for (uint64_t k = 0; k < count; ++k) {
        const demi_mesh_box box = tree_facet(mesh, items[k].value);
        double middle[3];
        for (int c = 0; c < 3; ++c)
            middle[c] = 0.5 * box.low[c] + 0.5 * box.high[c];
        tree_grow(&all, middle, middle);
    }
    for (int c = 1; c < 3; ++c)
        if (all.high[c] - all.low[c] > all.high[axis] - all.low[axis])
            axis = c;
    return axis;
}

/* Brings facets into the order in which boxes take them: halves are cut, at a multiple of what a
 * child holds, across the axis that is longest, until each is one child, which is then cut alike.
 */
static void tree_split(const dem_mesh *mesh, demi_item *items, demi_item *room, uint64_t count)
{
    while (count > DEMI_MESH_LEAF) {
        uint64_t child = DEMI_MESH_LEAF;
        while (child * DEMI_MESH_CHILDREN < count)
            child *= DEMI_MESH_CHILDREN;
        const uint64_t children = (count + child - 1) / child, cut = (children + 1) / 2 * child;
        const int axis = tree_axis(mesh, items, count);
        for (uint64_t k = 0; k < count; ++k)
            items[k].key = tree_key(mesh, items[k].value, axis);
        demi_sort(items, room, count);
        tree_split(mesh, items, room, cut);
        items += cut;
        count -= cut;
    }
}

static void tree_order(dem_mesh *mesh, demi_item *items, demi_item *room)
{
    for (uint64_t f = 0; f < mesh->facet_count; ++f)
        items[f] = (demi_item){0, f};
    tree_split(mesh, items, room, mesh->facet_count);
    for (uint64_t k = 0; k < mesh->facet_count; ++k)
        mesh->order.data[k] = (uint32_t)items[k].value;
}

static uint64_t tree_levels(dem_mesh *mesh)
{
    uint64_t boxes = (mesh->facet_count + DEMI_MESH_LEAF - 1) / DEMI_MESH_LEAF, sum = 0;
    for (mesh->level_count = 0;; boxes = (boxes + DEMI_MESH_CHILDREN - 1) / DEMI_MESH_CHILDREN) {
        mesh->level_begin[mesh->level_count++] = sum;
        sum += boxes;
        if (boxes == 1)
            break;
    }
    mesh->level_begin[mesh->level_count] = sum;
    return sum;
}

static uint64_t tree_end(uint64_t first, uint64_t size, uint64_t count)
{
    return (first + 1) * size < count ? (first + 1) * size : count;
}

static uint64_t tree_level_size(const dem_mesh *mesh, int level)
{
    return mesh->level_begin[level + 1] - mesh->level_begin[level];
}

void demi_mesh_boxes(dem_mesh *mesh)
{
    for (int level = 0; level < mesh->level_count; ++level)
        for (uint64_t n = 0; n < tree_level_size(mesh, level); ++n) {
            demi_mesh_box box = tree_empty();
            const uint64_t size = level == 0 ? DEMI_MESH_LEAF : DEMI_MESH_CHILDREN;
            const uint64_t count =
                level == 0 ? mesh->facet_count : tree_level_size(mesh, level - 1);
            for (uint64_t k = n * size; k < tree_end(n, size, count); ++k) {
                const demi_mesh_box part = level == 0
                                               ? tree_facet(mesh, mesh->order.read[k])
                                               : mesh->box.read[mesh->level_begin[level - 1] + k];
                tree_grow(&box, part.low, part.high);
            }
            mesh->box.data[mesh->level_begin[level] + n] = box;
        }
}

dem_status demi_mesh_tree(dem_mesh *mesh)
{
    demi_context *context = &mesh->context;
    const char *what = "tree of a mesh";
    struct {
        DEMI_ARRAY(demi_item) item, room;
    } work;
    memset(&work, 0, sizeof work);
    dem_status status = demi_array_reserve(context, &mesh->order, mesh->facet_count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mesh->box, tree_levels(mesh), 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &work.item, mesh->facet_count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &work.room, mesh->facet_count, 0, what);
    if (status == DEM_OK) {
        tree_order(mesh, work.item.data, work.room.data);
        demi_mesh_boxes(mesh);
        status = demi_mesh_plates(mesh);
    }
    demi_array_free(context, &work.item);
    demi_array_free(context, &work.room);
    return status;
}

/* ------------------------------------------------------------------ search */

static double tree_square(const demi_mesh_box *box, const double point[3])
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double low = box->low[c] - point[c], high = point[c] - box->high[c];
        const double out = low > high ? low : high;
        square += out > 0.0 ? out * out : 0.0;
    }
    return square;
}

/* A little more than the square of a distance, so that round-off of the boxes drops nothing. */
static double tree_limit(double distance)
{
    return distance * distance * (1.0 + 1e-12);
}

typedef struct tree_place {
    uint64_t box;
    int level;
} tree_place;

int demi_mesh_near(const dem_mesh *mesh, const double point[3], double distance,
                   int (*visit)(void *argument, uint32_t facet), void *argument)
{
    const double limit = tree_limit(distance);
    tree_place stack[DEMI_MESH_LEVELS * DEMI_MESH_CHILDREN] = {{0, mesh->level_count - 1}};
    for (int count = 1; count > 0;) {
        const tree_place at = stack[--count];
        if (at.level > 0) {
            const demi_mesh_box *box = mesh->box.read + mesh->level_begin[at.level - 1];
            const uint64_t below = tree_level_size(mesh, at.level - 1);
            const uint64_t end = tree_end(at.box, DEMI_MESH_CHILDREN, below);
            for (uint64_t k = end; k-- > at.box * DEMI_MESH_CHILDREN;)
                if (tree_square(&box[k], point) <= limit)
                    stack[count++] = (tree_place){k, at.level - 1};
            continue;
        }
        const uint64_t end = tree_end(at.box, DEMI_MESH_LEAF, mesh->facet_count);
        for (uint64_t k = at.box * DEMI_MESH_LEAF; k < end; ++k) {
            if (demi_mesh_place_square(mesh, k, point) > limit)
                continue;
            const int said = visit(argument, mesh->order.read[k]);
            if (said != 0)
                return said;
        }
    }
    return 0;
}

/* A box that is still to be looked at, and the square of its distance. */
typedef struct narrow_place {
    tree_place place;
    double square;
} narrow_place;

static narrow_place narrow_at(const dem_mesh *mesh, uint64_t box, int level, const double point[3])
{
    return (narrow_place){{box, level},
                          tree_square(&mesh->box.read[mesh->level_begin[level] + box], point)};
}

/* Puts the children of a box on a stack, the nearest on top. */
static int narrow_push(const dem_mesh *mesh, const tree_place *at, const double point[3],
                       narrow_place *stack, int count)
{
    const int begin = count;
    const uint64_t end =
        tree_end(at->box, DEMI_MESH_CHILDREN, tree_level_size(mesh, at->level - 1));
    for (uint64_t k = at->box * DEMI_MESH_CHILDREN; k < end; ++k) {
        const narrow_place child = narrow_at(mesh, k, at->level - 1, point);
        int to = count++;
        for (; to > begin && stack[to - 1].square < child.square; --to)
            stack[to] = stack[to - 1];
        stack[to] = child;
    }
    return count;
}

void demi_mesh_narrow(const dem_mesh *mesh, const double point[3], double distance,
                      double (*visit)(void *argument, uint64_t place, double square),
                      void *argument)
{
    double limit = tree_limit(distance);
    narrow_place stack[DEMI_MESH_LEVELS * DEMI_MESH_CHILDREN];
    stack[0] = narrow_at(mesh, 0, mesh->level_count - 1, point);
    for (int count = 1; count > 0;) {
        const narrow_place at = stack[--count];
        if (at.square > limit)
            continue;
        if (at.place.level > 0) {
            count = narrow_push(mesh, &at.place, point, stack, count);
            continue;
        }
        const uint64_t end = tree_end(at.place.box, DEMI_MESH_LEAF, mesh->facet_count);
        for (uint64_t k = at.place.box * DEMI_MESH_LEAF; k < end; ++k) {
            const double square = demi_mesh_place_square(mesh, k, point);
            if (square <= limit)
                limit = tree_limit(visit(argument, k, square));
        }
    }
}
