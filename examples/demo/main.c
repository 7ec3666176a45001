/* SPDX-License-Identifier: MIT */
/* Shows what libdem does: fines that fall through a bed and get stuck in other codes, the groove
 * that shows why, and a packing of grains. */
#define _POSIX_C_SOURCE 200809L
#include "demo.h"

#include "../percolation/percolation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "dem_demo [--input FILE] [options]\n"
    "\n"
    "  --input FILE          LAMMPS data file, atom_style sphere; without it: a generated packing\n"
    "  --output FOLDER       where files go                               default build/demo\n"
    "  --percolation-only    only the fines that fall through a bed\n"
    "  --groove-only         only the fine sphere between two large ones\n"
    "  --packing-only        only the packing\n"
    "\n"
    "of the groove:\n"
    "  --groove-steps N      steps in a contact time, 5 to 1000           default 40\n"
    "\n"
    "of the packing:\n"
    "  --law csds|dsds       continuous or discontinuous slider           default csds\n"
    "  --integrator NAME     sync, improved or standard                   default sync\n"
    "  --dt S                time step                                    default 1e-4\n"
    "  --steps N             number of steps                default: what fits into 12 s\n"
    "  --scene NAME          what holds where the options below do not say otherwise:\n"
    "                        plain: gravity 0,0,-1; the default for a FILE\n"
    "                        chute: gravity 1 at 26 deg, down x\n"
    "                        ratio: gravity 0,0,-10, a floor at 0, nothing frozen\n"
    "  --gravity GX,GY,GZ    default: of the scene; 0,0,-10 for the generated packing\n"
    "  --boundary PPO        p (periodic) or o (open) for x, y, z         default ppo\n"
    "  --frozen T,T          types that stand still, or none              default 2\n"
    "  --floor Z             a plane wall at that height                  default none\n"
    "  --kn K                normal stiffness                             default 200000\n"
    "  --kt K                tangential stiffness                         default 2/7 of kn\n"
    "  --gamma G             normal damping over effective mass, 1/s      default 50\n"
    "  --mu MU               friction                                     default 0.5\n"
    "  --skin S              gap up to which pairs are listed             default 0.1\n"
    "  --threads N           threads to work with, 1 to 64                default 2\n"
    "  --help                this text\n";

static int bad(const char *option, const char *value, const char *wanted)
{
    fprintf(stderr, "%s %s: %s\n", option, value, wanted);
    return -1;
}

/* Reads `count` numbers with commas between them. */
static int numbers(const char *option, const char *value, int count, double *out)
{
    const char *at = value;
    for (int k = 0; k < count; ++k) {
        char *end = NULL;
        out[k] = strtod(at, &end);
        if (end == at || !isfinite(out[k]) || *end != (k + 1 < count ? ',' : '\0'))
            return bad(option, value,
                       count == 1 ? "a finite number is wanted" : "GX,GY,GZ is wanted");
        at = end + 1;
    }
    return 0;
}

static int positive(const char *option, const char *value, double *out)
{
    if (numbers(option, value, 1, out) != 0)
        return -1;
    return *out <= 0.0 ? bad(option, value, "a number above 0 is wanted") : 0;
}

static int not_negative(const char *option, const char *value, double *out)
{
    if (numbers(option, value, 1, out) != 0)
        return -1;
    return *out < 0.0 ? bad(option, value, "a number of at least 0 is wanted") : 0;
}

static int whole(const char *option, const char *value, long least, long most, long *out)
{
    char *end = NULL;
    *out = strtol(value, &end, 10);
    if (end != value && *end == '\0' && *out >= least && *out <= most)
        return 0;
    fprintf(stderr, "%s %s: a whole number from %ld to %ld is wanted\n", option, value, least,
            most);
    return -1;
}

static int frozen(demo_options *o, const char *value)
{
    const char *at = value;
    o->has_frozen = 1;
    o->frozen_count = 0;
    if (strcmp(value, "none") == 0)
        return 0;
    for (;;) {
        char *end = NULL;
        const long type = strtol(at, &end, 10);
        if (end == at || type < 1 || type > 1000000 || (*end != ',' && *end != '\0') ||
            o->frozen_count == DEMO_FROZEN_MAX)
            return bad("--frozen", value, "up to 16 types such as 2,3 are wanted, or none");
        o->frozen[o->frozen_count++] = (int)type;
        if (*end == '\0')
            return 0;
        at = end + 1;
    }
}

static int boundary(demo_options *o, const char *value)
{
    if (strlen(value) != 3 || strspn(value, "po") != 3)
        return bad("--boundary", value, "three letters p or o are wanted, such as ppo");
    o->has_boundary = 1;
    for (int k = 0; k < 3; ++k)
        o->boundary[k] = value[k] == 'p' ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
    return 0;
}

static int law(demo_options *o, const char *value)
{
    if (strcmp(value, "csds") == 0)
        o->law = DEM_LAW_LINEAR_CSDS;
    else if (strcmp(value, "dsds") == 0)
        o->law = DEM_LAW_LINEAR_DSDS;
    else
        return bad("--law", value, "csds or dsds is wanted");
    return 0;
}

static int scene(demo_options *o, const char *value)
{
    if (strcmp(value, "plain") == 0)
        o->scene = SCENE_PLAIN;
    else if (strcmp(value, "chute") == 0)
        o->scene = SCENE_CHUTE;
    else if (strcmp(value, "ratio") == 0)
        o->scene = SCENE_RATIO;
    else
        return bad("--scene", value, "plain, chute or ratio is wanted");
    return 0;
}

static int integrator(demo_options *o, const char *value)
{
    if (strcmp(value, "sync") == 0)
        o->integrator = DEM_INTEGRATOR_VERLET_SYNC;
    else if (strcmp(value, "improved") == 0)
        o->integrator = DEM_INTEGRATOR_VERLET_IMPROVED;
    else if (strcmp(value, "standard") == 0)
        o->integrator = DEM_INTEGRATOR_VERLET_STANDARD;
    else
        return bad("--integrator", value, "sync, improved or standard is wanted");
    return 0;
}

/* An option that has a value. 0, or -1 with a message. */
static int option(demo_options *o, const char *name, const char *value)
{
    long n = 0;
    int status;
    if (strcmp(name, "--input") == 0) {
        o->input = value;
        return 0;
    }
    if (strcmp(name, "--output") == 0) {
        o->output = value;
        return 0;
    }
    if (strcmp(name, "--scene") == 0)
        return scene(o, value);
    if (strcmp(name, "--law") == 0)
        return law(o, value);
    if (strcmp(name, "--integrator") == 0)
        return integrator(o, value);
    if (strcmp(name, "--boundary") == 0)
        return boundary(o, value);
    if (strcmp(name, "--frozen") == 0)
        return frozen(o, value);
    if (strcmp(name, "--gravity") == 0) {
        o->has_gravity = 1;
        return numbers(name, value, 3, o->gravity);
    }
    if (strcmp(name, "--floor") == 0) {
        o->has_floor = 1;
        return numbers(name, value, 1, &o->floor);
    }
    if (strcmp(name, "--steps") == 0) {
        status = whole(name, value, 1, 1000000000, &n);
        o->steps = (uint64_t)n;
        return status;
    }
    if (strcmp(name, "--groove-steps") == 0) {
        status = whole(name, value, 5, 1000, &n);
        o->groove_steps = (int)n;
        return status;
    }
    if (strcmp(name, "--threads") == 0) {
        status = whole(name, value, 1, 64, &n);
        o->threads = (int)n;
        return status;
    }
    if (strcmp(name, "--kt") == 0) {
        o->has_kt = 1;
        return positive(name, value, &o->kt);
    }
    if (strcmp(name, "--dt") == 0)
        return positive(name, value, &o->dt);
    if (strcmp(name, "--kn") == 0)
        return positive(name, value, &o->kn);
    if (strcmp(name, "--skin") == 0)
        return positive(name, value, &o->skin);
    if (strcmp(name, "--gamma") == 0)
        return not_negative(name, value, &o->gamma);
    if (strcmp(name, "--mu") == 0)
        return not_negative(name, value, &o->mu);
    fprintf(stderr, "%s: there is no such option; --help lists them\n", name);
    return -1;
}

/* 0: go on; 1: done (help); -1: error. */
static int parse(int count, char **words, demo_options *o)
{
    for (int k = 1; k < count; ++k) {
        if (strcmp(words[k], "--help") == 0) {
            fputs(usage, stdout);
            return 1;
        }
        if (strcmp(words[k], "--percolation-only") == 0) {
            o->groove = o->packing = 0;
            continue;
        }
        if (strcmp(words[k], "--groove-only") == 0) {
            o->percolation = o->packing = 0;
            continue;
        }
        if (strcmp(words[k], "--packing-only") == 0) {
            o->percolation = o->groove = 0;
            continue;
        }
        if (strncmp(words[k], "--", 2) != 0 || k + 1 == count) {
            fprintf(stderr, "%s: %s; --help lists the options\n", words[k],
                    k + 1 == count ? "an option that does not exist, or has no value"
                                   : "not an option");
            return -1;
        }
        if (option(o, words[k], words[k + 1]) != 0)
            return -1;
        ++k;
    }
    if (o->percolation == 0 && o->groove == 0 && o->packing == 0) {
        fprintf(stderr, "two of the -only options leave nothing to do\n");
        return -1;
    }
    return 0;
}

/* What is usual for the scene; an option given always wins. */
static void defaults(demo_options *o)
{
    const int chute = o->scene == SCENE_CHUTE, ratio = o->scene == SCENE_RATIO;
    if (o->has_gravity == 0) {
        const double angle = 26.0 * 3.14159265358979323846 / 180.0;
        o->gravity[0] = chute ? sin(angle) : 0.0;
        o->gravity[2] = chute ? -cos(angle) : ratio || o->input == NULL ? -10.0 : -1.0;
    }
    if (o->has_frozen == 0 && !ratio) {
        o->frozen_count = 1;
        o->frozen[0] = 2;
    }
    if (o->has_floor == 0 && ratio) {
        o->has_floor = 1;
        o->floor = 0.0;
    }
    if (o->has_kt == 0)
        o->kt = 2.0 / 7.0 * o->kn;
}

int main(int count, char **words)
{
    demo_options o = {.output = "build/demo",
                      .law = DEM_LAW_LINEAR_CSDS,
                      .integrator = DEM_INTEGRATOR_VERLET_SYNC,
                      .boundary = {DEM_BOUNDARY_PERIODIC, DEM_BOUNDARY_PERIODIC, DEM_BOUNDARY_OPEN},
                      .kn = 200000.0,
                      .gamma = 50.0,
                      .mu = 0.5,
                      .dt = 1e-4,
                      .skin = 0.1,
                      .threads = 2,
                      .groove_steps = 40,
                      .percolation = 1,
                      .groove = 1,
                      .packing = 1};
    demo_grains grains = {0};
    const int parsed = parse(count, words, &o);
    if (parsed != 0)
        return parsed < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
    defaults(&o);
    /* all input is read and checked before anything is written */
    if (o.packing != 0 &&
        (o.input != NULL ? lammps_data_read(o.input, &grains) : packing_generate(&grains)) != 0)
        return EXIT_FAILURE;
    int failed = demo_folder(o.output) != 0;
    if (!failed && o.percolation != 0)
        failed = percolation_short(o.output, o.threads) != 0;
    if (!failed && o.groove != 0)
        failed = groove_run(&o) != 0;
    if (!failed && o.packing != 0)
        failed = packing_run(&o, &grains) != 0;
    demo_grains_free(&grains);
    if (fflush(stdout) != 0 || ferror(stdout) != 0) {
        fprintf(stderr, "standard output: write failed\n");
        failed = 1;
    }
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
