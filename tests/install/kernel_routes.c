/* SPDX-License-Identifier: MIT */
/* Every kernel inline, and through the symbol that the shared library exports: equal bits. */
#include <dem/dem.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static void *library;
static int failures;

static double number(double low, double high)
{
    static uint64_t state = 12345;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static void vector(double v[3], double size)
{
    for (int c = 0; c < 3; ++c)
        v[c] = number(-size, size);
}

static void unit(double v[3])
{
    double length;
    do {
        vector(v, 1.0);
        length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    } while (length < 0.1);
    for (int c = 0; c < 3; ++c)
        v[c] /= length;
}

/* ISO C has no conversion from an object's pointer to a function's. */
static void find(const char *name, void *function, size_t size)
{
    void *const symbol = dlsym(library, name);
    if (symbol == NULL) {
        printf("not ok %s: not exported\n", name);
        ++failures;
    }
    memcpy(function, &symbol, size);
}

static void compare(const char *name, const double *a, const double *b)
{
    static const char *last = "";
    if (memcmp(a, b, 6 * sizeof(double)) == 0 || strcmp(name, last) == 0)
        return;
    last = name;
    printf("not ok %s: %a %a %a %a %a %a\n  against %a %a %a %a %a %a\n", name, a[0], a[1], a[2],
           a[3], a[4], a[5], b[0], b[1], b[2], b[3], b[4], b[5]);
    ++failures;
}

/* `call` is written for a function f and six results r. */
#define ROUTES(name, call)                                                                         \
    do {                                                                                           \
        double r[6] = {x[0], x[1], x[2], 0.0, 0.0, 0.0}, first[6];                                 \
        __typeof__(&name) f = name;                                                                \
        call;                                                                                      \
        memcpy(first, r, sizeof r);                                                                \
        memset(r, 0, sizeof r);                                                                    \
        memcpy(r, x, sizeof x);                                                                    \
        find(#name, &f, sizeof f);                                                                 \
        if (f == NULL)                                                                             \
            return 1;                                                                              \
        call;                                                                                      \
        compare(#name, first, r);                                                                  \
    } while (0)

int main(void)
{
    library = dlopen(NULL, RTLD_NOW);
    if (library == NULL || dem_version() != DEM_VERSION)
        return 1;
    for (int round = 0; round < 20000; ++round) {
        double x[3], du[3], v[3], n[3], m[3];
        vector(x, 1e-5);
        vector(du, 1e-6);
        vector(v, 1.0);
        unit(n);
        unit(m);
        const double k = number(1e3, 1e6), damping = round % 5 == 0 ? 0.0 : number(0.0, 10.0);
        const double limit = number(0.0, 10.0), dt = round % 7 == 0 ? 0.0 : number(0.0, 1e-5);
        const double e = number(1e-4, 1.0);
        ROUTES(dem_kernel_normal_linear, r[0] = f(k, damping, x[0], v[0], round & 1));
        ROUTES(dem_kernel_tangential_csds, f(k, damping, limit, dt, v, r, r + 3));
        ROUTES(dem_kernel_tangential_csds_increment, f(k, damping, limit, dt, du, v, r, r + 3));
        ROUTES(dem_kernel_tangential_csds_rate, f(k, damping, limit, v, x, r, r + 3));
        ROUTES(dem_kernel_rotate_orientation, r[3] = 1.0; f(v, dt, r));
        ROUTES(dem_kernel_tangential_dsds, f(k, damping, limit, du, v, r, r + 3));
        ROUTES(dem_kernel_tangential_truncated, f(k, damping, limit, du, v, r, r + 3));
        ROUTES(dem_kernel_tangential_unreset, f(k, damping, limit, du, v, r, r + 3));
        ROUTES(dem_kernel_tangential_li, f(k, damping, limit, du, v, r, r + 3));
        ROUTES(dem_kernel_tangential_viscous, f(damping, limit, v, r));
        ROUTES(dem_kernel_rolling_velocity, f(e, v, x, n, r));
        ROUTES(dem_kernel_rolling_torque, f(e, n, v, r));
        ROUTES(dem_kernel_rolling_constant, f(limit, e, dt, v, r));
        ROUTES(dem_kernel_twisting_csds, r[1] = f(k, damping, limit, dt, v[0], r));
        ROUTES(dem_kernel_damping_ratio_cut, r[1] = f(e, r));
        ROUTES(dem_kernel_damping_ratio_attractive, r[1] = f(e, r));
        ROUTES(dem_kernel_damping_linear, r[0] = f(e, limit, k));
        ROUTES(dem_kernel_rotate_minimal, f(n, m, r));
        ROUTES(dem_kernel_rotate_rescale, f(n, r));
        ROUTES(dem_kernel_rotate_twist, f(n, v[0], r));
        const double inertia[3] = {1.0, 1.0 + 0.5 * e, 1.2}, q[4] = {0.5, -0.5, 0.5, 0.5};
        ROUTES(dem_kernel_rotation_mean, r[0] = f(inertia));
        ROUTES(dem_kernel_rotation_to_space, f(q, r));
        ROUTES(dem_kernel_rotation_to_body, f(q, r));
        ROUTES(dem_kernel_rotation_surplus, f(inertia, q, v, r));
        ROUTES(dem_kernel_rotation_velocity, f(inertia, q, v, r));
        ROUTES(dem_kernel_rotation_momentum, f(inertia, q, v, r));
        double w[3];
        ROUTES(dem_kernel_rotation_drift, r[0] = 1.0; r[4] = f(inertia, e, v, r, w); r[5] = w[0]);
        const double young = number(1e6, 1e11), nu = number(-0.9, 0.5), a = number(0.0, 1e-3);
        ROUTES(dem_kernel_effective_young, r[0] = f(young, nu, k, 0.3));
        ROUTES(dem_kernel_effective_shear, r[0] = f(young, nu, k, 0.3));
        ROUTES(dem_kernel_contact_radius_hertz, r[0] = f(e, x[0]));
        ROUTES(dem_kernel_normal_hertz, r[0] = f(young, a, damping, x[0], v[0], round & 1));
        ROUTES(dem_kernel_damping_hertz, r[0] = f(damping, e, young, a));
        ROUTES(dem_kernel_contact_time_hertz, r[0] = f(young, e, limit + 1.0, damping + 1.0));
        ROUTES(dem_kernel_overlap_hertz, r[0] = f(young, e, limit, damping));
        ROUTES(dem_kernel_stiffness_mindlin, r[0] = f(young, a));
        ROUTES(dem_kernel_rescale_mindlin, r[0] = f(limit, k));
        ROUTES(dem_kernel_damping_mindlin, r[0] = f(e, limit, young));
        ROUTES(dem_kernel_mindlin_spring, r[4] = f(1e-5 * e, du, r));
        ROUTES(dem_kernel_cube_root, r[0] = f(k));
        ROUTES(dem_kernel_root5, r[0] = f(k));
        ROUTES(dem_kernel_actm, r[0] = f(e, k, 0.3, 1e-3, 10.0, 1e5, r + 1, r + 2));
        ROUTES(dem_kernel_normal_actm, r[0] = f(k, damping, x[0], v[0]));
        ROUTES(dem_kernel_jkr_neck, r[0] = f(e, k, damping));
        ROUTES(dem_kernel_jkr_gap, r[0] = f(e, dt));
        ROUTES(dem_kernel_jkr_root, r[0] = f(e, 1e-3, x[0]));
        ROUTES(dem_kernel_jkr_force, r[0] = f(e, k, 1e-3, limit));
        ROUTES(dem_kernel_jkr_energy, r[0] = f(e, k, 1e-3, limit));
        ROUTES(dem_kernel_normal_jkr, r[1] = f(e, k, damping, x[0], r));
        ROUTES(dem_kernel_normal_hysteretic, r[4] = f(k, 2.0 * k, k, e, limit, round & 1, x[0], r));
        ROUTES(dem_kernel_hysteretic_loss, r[0] = f(k, 2.0 * k, k, limit, e, dt));
        ROUTES(dem_kernel_normal_thornton, r[4] = f(e, k, limit, x[0], r, r + 1));
        ROUTES(dem_kernel_thornton_loss, r[0] = f(e, k, 0.1 * k, e));
        ROUTES(dem_kernel_thornton_restitution, r[0] = f(e, k, 0.01 * k, 1e-3, limit));
        ROUTES(dem_kernel_normal_dmt, r[0] = f(e, k, damping, x[0]));
    }
    return failures != 0;
}
