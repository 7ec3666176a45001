/* SPDX-License-Identifier: MIT */
/* A screw in a vessel lifts grains of the lower layer, and they come down outside: how well two
 * layers are mixed over the turns. The screw comes from an STL file. Judged: angular momentum and
 * work.
 *
 *     mixer [--large] [--output FOLDER] */
#include "../scenes/scene.h"
#include "screw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VESSEL, SCREW, WALLS };
enum { MOST = 20000, LOOKS = 4, CELLS = 4096 }; /* looks a turn */

typedef struct mixer {
    double radius; /* of the vessel, m */
    double lift;   /* of the screw above the floor, m */
    double spin;   /* rad/s */
    dem_mesh *screw;
    uint64_t wall[WALLS];
    signed char layer[MOST + WALLS + 1]; /* by id: 0 lower, 1 upper */
} mixer;

/* What a balance needs. */
typedef struct account {
    double momentum; /* angular, of the grains, and what the walls took of it, kg m2/s */
    double taken;
    double work, turned; /* of the screw on the grains: told, and by its torque, J */
    double energy;       /* less what the walls did, J */
} account;

/* ------------------------------------------------------------------ the screw */

static int screw_file(scene *s, const unsigned char *bytes, uint64_t size)
{
    demo_file file = {0};
    if (s->output == NULL)
        return 0;
    if (demo_file_open(&file, s->output, "screw.stl") != 0)
        return -1;
    demo_file_write(&file, bytes, (size_t)size);
    return demo_file_close(&file);
}

static int screw_make(scene *s, mixer *m)
{
    const double d = 1000.0 * SCENE_DIAMETER; /* mm */
    const screw shape = {.shaft = 1.5 * d,
                         .radius = 500.0 * m->radius,
                         .pitch = 7.0 * d,
                         .turns = 1.75,
                         .thickness = d,
                         .height = 18.0 * d};
    dem_mesh_config config;
    dem_error error = {0};
    uint64_t size;
    unsigned char *bytes = screw_stl(&shape, &size);
    if (bytes == NULL) {
        fprintf(stderr, "mixer: no memory for the screw\n");
        return -1;
    }
    int bad = screw_file(s, bytes, size) != 0 ||
              scene_check(s, dem_mesh_config_init(&config), "screw") != 0;
    if (!bad) {
        config.scale = 0.001;
        config.refused = DEM_MESH_OPEN | DEM_MESH_INVERTED;
        bad = dem_mesh_create_stl(&config, bytes, size, &m->screw, &error) != DEM_OK;
        if (bad)
            fprintf(stderr, "mixer: screw: %s\n", error.message);
    }
    free(bytes);
    return bad ? -1 : 0;
}

/* ------------------------------------------------------------------ the vessel */

static int walls(scene *s, mixer *m)
{
    const double height = 40.0 * SCENE_DIAMETER;
    dem_wall wall;
    if (scene_check(s, dem_wall_init(&wall), "vessel") != 0)
        return -1;
    wall.shape = DEM_SHAPE_CYLINDER;
    wall.side = DEM_SIDE_INSIDE;
    wall.point[2] = 0.5 * height;
    wall.size[0] = m->radius;
    wall.size[1] = height;
    if (scene_check(s, dem_wall_add(s->world, &wall, &m->wall[VESSEL]), "vessel") != 0 ||
        scene_check(s, dem_wall_init(&wall), "screw") != 0)
        return -1;
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = m->screw;
    wall.point[2] = m->lift;
    return scene_check(s, dem_wall_add(s->world, &wall, &m->wall[SCREW]), "screw");
}

/* Grains around the screw, in a lattice that falls together. */
static int fill(scene *s, const mixer *m)
{
    const double step = 1.12 * SCENE_DIAMETER, edge = 0.56 * SCENE_DIAMETER;
    const double clear = 0.5 * m->radius + edge;
    const double top = 14.0 * SCENE_DIAMETER;
    uint64_t count = 0;
    for (double z = edge; z < top; z += step)
        for (double y = -m->radius; y <= m->radius; y += step)
            for (double x = -m->radius; x <= m->radius; x += step) {
                const double p[3] = {x + 0.02 * step * scene_random(s), y, z};
                const double r = sqrt(p[0] * p[0] + y * y);
                if (r > m->radius - edge || r < clear || count == MOST)
                    continue;
                if (scene_grain(s, p, NULL) != 0)
                    return -1;
                ++count;
            }
    scene_show(s, "grains", (double)count, "1");
    return 0;
}

static int by_height(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Grains above the median height are the upper layer. */
static int layers(scene *s, mixer *m)
{
    scene_rows rows;
    int bad = scene_rows_read(s, &rows) != 0;
    double *height = bad ? NULL : malloc((size_t)rows.count * sizeof *height);
    if (height != NULL) {
        for (uint64_t k = 0; k < rows.count; ++k)
            height[k] = rows.position[3 * k + 2];
        qsort(height, (size_t)rows.count, sizeof *height, by_height);
        for (uint64_t k = 0; k < rows.count; ++k)
            m->layer[rows.id[k]] = rows.position[3 * k + 2] > height[rows.count / 2];
    }
    bad = height == NULL;
    free(height);
    scene_rows_free(&rows);
    return bad ? -1 : 0;
}

/* ------------------------------------------------------------------ what is seen */

/* Angular momentum about the axis of all grains. */
static int momentum(scene *s, double *sum)
{
    scene_rows rows;
    dem_view spin;
    const int bad = scene_rows_read(s, &rows);
    memset(&spin, 0, sizeof spin);
    spin.struct_size = sizeof spin;
    *sum = 0.0;
    if (bad == 0 &&
        scene_check(s, dem_world_view(s->world, DEM_FIELD_ANGULAR_VELOCITY, &spin), "view") == 0)
        for (uint64_t k = 0; k < rows.count; ++k) {
            const double *p = rows.position + 3 * k, *v = rows.velocity + 3 * k;
            const double *w =
                (const double *)(const void *)((const char *)spin.data + k * spin.stride);
            const double mass = SCENE_DENSITY * 4.0 / 3.0 * SCENE_PI * pow(rows.radius[k], 3.0);
            *sum +=
                mass * (p[0] * v[1] - p[1] * v[0] + 0.4 * rows.radius[k] * rows.radius[k] * w[2]);
        }
    scene_rows_free(&rows);
    return bad;
}

static int take(scene *s, const mixer *m, account *a)
{
    dem_wall wall[WALLS];
    dem_world_energies e;
    memset(&e, 0, sizeof e);
    e.struct_size = sizeof e;
    if (scene_wall(s, m->wall[VESSEL], &wall[VESSEL]) != 0 ||
        scene_wall(s, m->wall[SCREW], &wall[SCREW]) != 0 || momentum(s, &a->momentum) != 0 ||
        scene_check(s, dem_world_energies_get(s->world, &e), "energies") != 0)
        return -1;
    a->taken = wall[VESSEL].angular_impulse[2] + wall[SCREW].angular_impulse[2];
    a->work = wall[SCREW].work;
    a->turned = -m->spin * wall[SCREW].angular_impulse[2];
    a->energy = e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
                e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip +
                e.dissipated_rolling - e.work_boundary;
    return 0;
}

/* Lacey's index: 0 where the layers are apart, 1 where each cell is drawn at random. The variance
 * of the share of the upper layer, over cells 3 diameters wide with 10 grains at least. */
static int lacey(scene *s, const mixer *m, double *index)
{
    static unsigned of[CELLS][2];
    const double width = 3.0 * SCENE_DIAMETER;
    const int side = (int)(2.0 * m->radius / width) + 1;
    scene_rows rows;
    double square = 0.0, each = 0.0, cells = 0.0;
    const int bad = scene_rows_read(s, &rows);
    memset(of, 0, sizeof of);
    for (uint64_t k = 0; bad == 0 && k < rows.count; ++k) {
        const double *p = rows.position + 3 * k;
        const int x = (int)((p[0] + m->radius) / width), y = (int)((p[1] + m->radius) / width);
        const int cell = ((int)(p[2] / width) * side + y) * side + x;
        if (cell >= 0 && cell < CELLS)
            ++of[cell][(int)m->layer[rows.id[k]]];
    }
    for (int k = 0; k < CELLS; ++k) {
        const double count = (double)of[k][0] + of[k][1];
        if (count < 10.0)
            continue;
        const double share = of[k][1] / count - 0.5;
        square += share * share;
        each += 0.25 / count;
        cells += 1.0;
    }
    scene_rows_free(&rows);
    *index = (0.25 - square / cells) / (0.25 - each / cells);
    return bad;
}

/* The facets of the screw, where it is. */
static void screw_surface(const mixer *m, const dem_wall *wall, scene_surface *surface)
{
    const double *vertex = dem_mesh_vertices(m->screw);
    const uint32_t *facet = dem_mesh_facets(m->screw);
    dem_mesh_properties mesh = {.struct_size = sizeof mesh};
    if (dem_mesh_properties_get(m->screw, &mesh) != DEM_OK)
        return;
    for (uint64_t f = 0; f < mesh.facet_count; ++f) {
        double corner[3][3];
        for (int k = 0; k < 3; ++k) {
            const double *v = vertex + 3 * (uint64_t)facet[3 * f + (uint64_t)k];
            corner[k][0] = wall->axis[0] * v[0] - wall->axis[1] * v[1];
            corner[k][1] = wall->axis[1] * v[0] + wall->axis[0] * v[1];
            corner[k][2] = wall->point[2] + v[2];
        }
        surface_triangle(surface, corner[0], corner[1], corner[2], 0);
    }
}

static int picture(scene *s, const mixer *m, const char *name)
{
    static float rgb[3 * MOST];
    const double r = 1.02 * m->radius, height = 20.0 * SCENE_DIAMETER;
    const double floor[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    const double middle[3] = {0.0, 0.0, 0.5 * height};
    scene_surface surface = {0};
    scene_rows rows;
    dem_wall wall;
    const scene_look look = {.azimuth = -60.0,
                             .elevation = 20.0,
                             .low = {-r, -r, 0.0},
                             .high = {r, r, height},
                             .width = 640,
                             .height = 720,
                             .rgb = rgb};
    int bad = scene_wall(s, m->wall[SCREW], &wall) != 0 || scene_rows_read(s, &rows) != 0;
    if (bad)
        return -1;
    uint64_t shown = 0; /* a quarter is left out, so that the screw is seen */
    for (uint64_t k = 0; k < rows.count; ++k) {
        if (rows.position[3 * k] > 0.0 && rows.position[3 * k + 1] < 0.0)
            continue;
        look_colour(m->layer[rows.id[k]] != 0 ? 1.0 : 0.0, rgb + 3 * shown);
        memmove(rows.position + 3 * shown, rows.position + 3 * k, 3 * sizeof(double));
        rows.radius[shown++] = rows.radius[k];
    }
    rows.count = shown;
    screw_surface(m, &wall, &surface);
    surface_cone(&surface, middle, up, height, m->radius, m->radius);
    surface_ring(&surface, floor, up, 0.0, m->radius, 0);
    bad = scene_picture(s, name, &look, &rows, &surface) != 0;
    surface_free(&surface);
    scene_rows_free(&rows);
    return bad ? -1 : 0;
}

/* ------------------------------------------------------------------ the turns */

static int look_at(scene *s, const mixer *m, int look, FILE *table)
{
    char name[64];
    double index;
    if (lacey(s, m, &index) != 0)
        return -1;
    if (look % LOOKS == 0) {
        snprintf(name, sizeof name, "mixing_after_%d_turns", look / LOOKS);
        scene_show(s, name, index, "1");
    }
    if (table == NULL)
        return 0;
    fprintf(table, "%g,%.4g\n", (double)look / LOOKS, index);
    snprintf(name, sizeof name, "mixer_%02d", look);
    return picture(s, m, name);
}

static int turn(scene *s, const mixer *m, int turns, FILE *table)
{
    const double spin[3] = {0.0, 0.0, m->spin};
    const double seconds = 2.0 * SCENE_PI / fabs(m->spin) / LOOKS;
    const int looks = turns * LOOKS;
    account before, after;
    scene_progress(s, "turns", 0.0);
    if (scene_check(s, dem_wall_set_motion(s->world, m->wall[SCREW], NULL, spin, NULL), "screw") !=
            0 ||
        scene_check(s, dem_world_impulses_reset(s->world), "impulses") != 0 ||
        take(s, m, &before) != 0 || look_at(s, m, 0, table) != 0)
        return -1;
    for (int k = 1; k <= looks; ++k)
        if (scene_run(s, seconds, (k - 1.0) / looks, (double)k / looks) != 0 ||
            look_at(s, m, k, table) != 0)
            return -1;
    if (take(s, m, &after) != 0)
        return -1;
    const double given = after.turned - before.turned;
    scene_show(s, "torque", given / (2.0 * SCENE_PI * turns), "N m");
    scene_judge(s, "work_over_torque_times_angle", (after.work - before.work) / given, 1.0, 1e-6);
    scene_judge(s, "angular_momentum_lost",
                (after.momentum + after.taken - before.momentum) * fabs(m->spin) / given, 0.0,
                1e-6);
    scene_show(s, "energy_lost_over_work", (before.energy - after.energy) / given, "1");
    return 0;
}

int main(int argc, char **argv)
{
    static mixer m;
    const double open[3] = {0.0, 0.0, 0.0};
    scene s;
    demo_file file = {0};
    if (scene_start(&s, "mixer", argc, argv) != 0)
        return 1;
    m.radius = (s.large != 0 ? 14.0 : 10.0) * SCENE_DIAMETER;
    m.lift = 2.0 * SCENE_DIAMETER;
    m.spin = -2.0 * SCENE_PI * 2.0;
    if (s.output != NULL && demo_file_open(&file, s.output, "mixer.csv") != 0)
        return 1;
    if (file.stream != NULL)
        fputs("# turns, Lacey's index\n", file.stream);
    int bad = scene_world(&s, 8000.0, open) != 0 || scene_model(&s, 0.6, 0.4, 0.02) != 0 ||
              screw_make(&s, &m) != 0 || walls(&s, &m) != 0 || fill(&s, &m) != 0 ||
              scene_rest(&s, 0.6) != 0 || layers(&s, &m) != 0 ||
              turn(&s, &m, s.large != 0 ? 8 : 2, file.stream) != 0;
    dem_mesh_destroy(m.screw);
    if (file.stream != NULL && demo_file_close(&file) != 0)
        bad = 1;
    if (bad)
        s.failed = 1;
    return scene_end(&s);
}
