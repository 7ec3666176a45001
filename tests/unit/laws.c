/* SPDX-License-Identifier: MIT */
/**
 * @file laws.c
 * One contact of each built-in law against formulas worked out here: what a normal part tells the
 * parts after it, dashpots, sliders, micro-slip in three cases, and the scales for the time step.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"

#include "base/isa.h"
#include "laws/laws.h"

#include <dem/dem.h>
#include <math.h>
#include <string.h>

enum { S = DEM_BATCH_SIZE, PARTS = 2 };
static const double PI = 3.14159265358979323846;

/* One contact, the same in all lanes. */
typedef struct contact {
    dem_law law[PARTS];
    double combined[PARTS][32];
    dem_pair_properties pair;
    /* set before a step */
    double overlap, rate, v_n, v[3], du[3], angular_velocity_i[3], angular_velocity_j[3], radius_i,
        radius_j, mass, dt;
    /* results */
    double force_normal, force[3], torque_i[3], torque_j[3], elastic, stiffness, damping, area,
        friction, lost_normal, lost_dashpot, lost_slip;
    double state[PARTS][DEM_STATE_MAX]; /* kept from step to step */
    int reaches;                        /* it acts without overlap, too */
    int axis;                           /* the normal's: 0, +x */
    double touching;
} contact;

static void contact_part(contact *c, int part, const char *name, const void *parameters)
{
    dem_error error;
    assert_true(demi_law_builtin(name, demi_isa_index(DEM_ISA_AUTO), 0, &c->law[part]));
    OK(c->law[part].combine(NULL, parameters, &c->pair, c->combined[part], &error));
}

static contact contact_of(const char *normal, const void *parameters)
{
    contact c;
    memset(&c, 0, sizeof c);
    c.pair.struct_size = sizeof c.pair;
    c.pair.restitution = 1.0;
    c.radius_i = 0.02;
    c.radius_j = 0.03;
    c.mass = 0.7;
    c.dt = 1e-6;
    contact_part(&c, 0, normal, parameters);
    return c;
}

static double contact_radius(const contact *c)
{
    return c->radius_i * c->radius_j / (c->radius_i + c->radius_j);
}

static void all(double *lanes, double value)
{
    for (int k = 0; k < S; ++k)
        lanes[k] = value;
}

static void all3(double *lanes, const double value[3])
{
    for (int a = 0; a < 3; ++a)
        all(lanes + a * S, value[a]);
}

static void contact_step(contact *c, int parts)
{
    enum {
        OVERLAP,
        RATE,
        V_N,
        R_I,
        R_J,
        R,
        MASS,
        BEFORE,
        ALIVE,
        FN,
        ELASTIC,
        LOST,
        FE,
        FF,
        A,
        K,
        D
    };
    static double one[D + 1][S], normal[3 * S], du[3 * S], v[3 * S], wi[3 * S], wj[3 * S],
        turn[3 * S], w[3 * S], force[3 * S], ti[3 * S], tj[3 * S], lost[3][S],
        state[DEM_STATE_MAX * S];
    const double x[3] = {c->axis == 0, c->axis == 1, c->axis == 2};
    memset(one, 0, sizeof one);
    memset(force, 0, sizeof force);
    memset(ti, 0, sizeof ti);
    memset(tj, 0, sizeof tj);
    all(one[OVERLAP], c->overlap);
    all(one[RATE], c->rate);
    all(one[V_N], c->v_n);
    all(one[R_I], c->radius_i);
    all(one[R_J], c->radius_j);
    all(one[R], contact_radius(c));
    all(one[MASS], c->mass);
    all(one[BEFORE], c->touching);
    all(one[ALIVE], c->overlap > 0.0 || c->reaches ? 1.0 : 0.0);
    all3(normal, x);
    all3(du, c->du);
    all3(v, c->v);
    all3(wi, c->angular_velocity_i);
    all3(wj, c->angular_velocity_j);
    for (int k = 0; k < 3 * S; ++k) {
        w[k] = wi[k] - wj[k];
        turn[k] = w[k] * c->dt;
    }
    dem_contact_batch b = {.struct_size = sizeof b,
                           .dt = c->dt,
                           .overlap = one[OVERLAP],
                           .overlap_rate = one[RATE],
                           .normal = normal,
                           .increment = du,
                           .velocity_normal = one[V_N],
                           .velocity = v,
                           .angular_velocity_i = wi,
                           .angular_velocity_j = wj,
                           .radius_i = one[R_I],
                           .radius_j = one[R_J],
                           .radius = one[R],
                           .mass = one[MASS],
                           .was_touching = one[BEFORE],
                           .touching = one[ALIVE],
                           .state = state,
                           .force_normal = one[FN],
                           .force_tangential = force,
                           .torque_i = ti,
                           .torque_j = tj,
                           .elastic_energy = one[ELASTIC],
                           .dissipated_normal = one[LOST],
                           .dissipated_dashpot = lost[0],
                           .dissipated_slip = lost[1],
                           .dissipated_rolling = lost[2],
                           .force_elastic = one[FE],
                           .force_coulomb = one[FF],
                           .contact_radius = one[A],
                           .stiffness = one[K],
                           .damping = one[D],
                           .energy_tracking = 1,
                           .rotation_increment = turn,
                           .rotation_velocity = w};
    for (int part = 0; part < parts; ++part) {
        for (int s = 0; s < DEM_STATE_MAX; ++s)
            all(state + s * S, c->state[part][s]);
        OK(c->law[part].evaluate(NULL, S, &b, c->combined[part]));
        for (int s = 0; s < DEM_STATE_MAX; ++s)
            c->state[part][s] = state[s * S];
    }
    c->force_normal = one[FN][0];
    c->elastic = one[ELASTIC][0];
    c->stiffness = one[K][0];
    c->damping = one[D][0];
    c->area = one[A][0];
    c->friction = one[FF][0];
    c->touching = one[ALIVE][0];
    c->lost_normal = one[LOST][0];
    c->lost_dashpot = lost[0][0];
    c->lost_slip = lost[1][0];
    for (int a = 0; a < 3; ++a) {
        c->force[a] = force[a * S];
        c->torque_i[a] = ti[a * S];
        c->torque_j[a] = tj[a * S];
    }
}

static dem_law_limits contact_scales(const contact *c, int part, double speed, double weight)
{
    dem_law_limits s = {.struct_size = sizeof s, .dashpot_weight = weight};
    c->law[part].limits(NULL, c->combined[part], c->mass, c->radius_i, c->radius_j, speed, &s);
    return s;
}

/* The dt from which on an explicit step of a spring and a dashpot of this weight is unstable. */
static double unstable_from(double stiffness, double damping, double mass)
{
    const double rate = damping / mass;
    return 2.0 / (rate + sqrt(rate * rate + stiffness / mass));
}

#define NEAR(value, expected, relative)                                                            \
    do {                                                                                           \
        const double near_value = (value), near_expected = (expected);                             \
        if (!(fabs(near_value - near_expected) <= (relative)*fabs(near_expected)))                 \
            fail_msg(#value " is %.15g, and should be %.15g", near_value, near_expected);          \
    } while (0)

/* ------------------------------------------------------------------ Hooke */

/* Time from touch at speed 1 until the force is zero, or, where it may pull, the overlap. */
static double hooke_followed(double mass, double stiffness, double eta, int pulls)
{
    const double dt = 1e-5 * sqrt(mass / stiffness);
    double x = 0.0, v = 1.0, t = 0.0;
    for (;;) {
        /* the midpoint rule is enough: its error is of dt^2 */
        const double a = -(stiffness * x + eta * v) / mass;
        const double xm = x + 0.5 * dt * v, vm = v + 0.5 * dt * a;
        x += dt * vm;
        v -= dt * (stiffness * xm + eta * vm) / mass;
        t += dt;
        if (pulls ? x <= 0.0 : stiffness * x + eta * v <= 0.0)
            return t;
    }
}

/* A contact lasts until its force ends: under-, over- and critically damped, and with a tail. */
static void hooke_lasts_until_its_force_ends(void **state)
{
    (void)state;
    static const double zeta[] = {0.0, 0.3, 0.9, 1.0, 1.7, 6.0};
    for (int k = 0; k < 6; ++k)
        for (int pulls = 0; pulls < 2; ++pulls) {
            const double mass = 0.7, stiffness = 1e4;
            const double eta = 2.0 * zeta[k] * sqrt(mass * stiffness);
            dem_hooke p;
            OK(dem_hooke_init(&p));
            p.stiffness_normal = stiffness;
            p.damping = DEM_DAMPING_COEFFICIENT;
            p.damping_normal = eta;
            p.normal = pulls ? DEM_NORMAL_ATTRACTIVE : DEM_NORMAL_CUT;
            contact c = contact_of(DEM_LAW_HOOKE, &p);
            const dem_law_limits s = contact_scales(&c, 0, 1.0, 1.0);
            assert_true(s.stiffness == stiffness);
            NEAR(s.damping, eta, 1e-14);
            if (!pulls || zeta[k] < 1.0)
                NEAR(s.contact_time, hooke_followed(mass, stiffness, eta, pulls), 1e-4);
            else
                assert_true(s.contact_time == 0.0); /* it creeps back for ever */
        }
}

/* What parts after a linear one are told: its force, the slope k_n, and eta of a rate, rate m*. */
static void linear_tells_what_it_is(void **state)
{
    (void)state;
    dem_linear p;
    OK(dem_linear_init(&p));
    p.stiffness_normal = 1e4;
    p.damping = DEM_DAMPING_RATE;
    p.damping_normal = 30.0;
    contact c = contact_of(DEM_LAW_LINEAR_CSDS, &p);
    c.overlap = 1e-3;
    c.v_n = -0.5;
    contact_step(&c, 1);
    NEAR(c.force_normal, 10.0 + 30.0 * c.mass * 0.5, 1e-14);
    NEAR(c.friction, c.force_normal, 1e-14);
    NEAR(c.stiffness, 1e4, 1e-14);
    NEAR(c.damping, 30.0 * c.mass, 1e-14);
    NEAR(c.elastic, 0.5 * 1e4 * 1e-6, 1e-14);
}

/* A spring and a dashpot that stick, and that slide from the middle of a step on: what is lost is
 * the work of the mean force but for what the spring gained, and sliding has what did not stretch
 * it. */
static void linear_slip(void **state)
{
    (void)state;
    const int32_t damping[] = {DEM_DAMPING_COEFFICIENT, DEM_DAMPING_RESTITUTION, DEM_DAMPING_RATE,
                               DEM_DAMPING_COEFFICIENT};
    const char *const law[] = {DEM_LAW_LINEAR_CSDS, DEM_LAW_LINEAR_DSDS};
    const double kt = 2e3, way = 5e-4, limit = 5.0;
    for (int n = 0; n < 24; ++n) {
        const int k = n % 8, axis = n / 8, a = (axis + 1) % 3;
        const double tangential[] = {1e-3, 0.9, 1.4e-3, 0.0};
        dem_linear p;
        OK(dem_linear_init(&p));
        p.stiffness_normal = 1e4;
        p.stiffness_tangential = kt;
        p.friction = 0.5;
        p.damping = damping[k % 4];
        p.restitution = 0.99999;
        p.damping_tangential = tangential[k % 4];
        contact c = contact_of(law[k / 4], &p);
        c.axis = axis;
        c.overlap = 1e-3;
        contact_step(&c, 1);
        const double normal = c.elastic,
                     gamma = p.damping_tangential * (k % 4 == 1 ? sqrt(kt / 1e4) * c.damping
                                                                : (k % 4 == 2 ? c.mass : 1.0)),
                     once = gamma * way / c.dt;
        c.du[a] = way;
        c.v[a] = way / c.dt;
        contact_step(&c, 1);
        NEAR(c.force[a], -kt * way - once, 1e-12);
        NEAR(c.elastic, normal + 0.5 * kt * way * way, 1e-12);
        NEAR(c.lost_dashpot + 1.0, once * way + 1.0, 1e-14);
        assert_true(fabs(c.lost_slip) < 1e-15);

        double from = way;
        for (int step = 0; step < 2; ++step) {
            const double elastic = c.elastic;
            c.du[a] = 6.0 * way;
            c.v[a] = c.du[a] / c.dt;
            contact_step(&c, 1);
            const double mean = 0.5 * (fmin(limit, kt * from + 6.0 * once) + limit),
                         work = mean * c.du[a], slid = c.du[a] - (c.state[0][a] - from);
            NEAR(c.force[a], -limit, 1e-12);
            NEAR(c.lost_slip + c.lost_dashpot, work - (c.elastic - elastic), 1e-12);
            NEAR(c.lost_slip, mean * slid, 1e-12);
            assert_true(gamma > 0.0 || c.lost_dashpot == 0.0);
            from = c.state[0][a];
        }
    }
}

/* A dashpot alone that slides all the time: what is lost is the work of Coulomb's limit, along
 * whatever axis. */
static void viscous_slip(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; ++axis) {
        const int a = (axis + 1) % 3;
        const double way = 5e-4, limit = 5.0;
        dem_hooke h;
        dem_friction f;
        OK(dem_hooke_init(&h));
        OK(dem_friction_init(&f));
        h.stiffness_normal = 1e4;
        f.friction = 0.5;
        f.slider = DEM_SLIDER_VISCOUS;
        f.damping = DEM_DAMPING_COEFFICIENT;
        f.damping_tangential = 2.0 * limit / (way / 1e-6);
        contact c = contact_of(DEM_LAW_HOOKE, &h);
        contact_part(&c, 1, DEM_LAW_FRICTION, &f);
        c.axis = axis;
        c.overlap = 1e-3;
        contact_step(&c, 2);
        c.du[a] = way;
        c.v[a] = way / c.dt;
        for (int step = 0; step < 2; ++step) {
            contact_step(&c, 2);
            NEAR(c.force[a], -limit, 1e-12);
            NEAR(c.lost_slip, limit * way, 1e-12);
            assert_true(c.lost_dashpot == 0.0);
        }
    }
}

/* ------------------------------------------------------------------ Hertz and Mindlin */

static const double OVERLAP = 1e-5;

static dem_hertz glass(void)
{
    dem_hertz p;
    OK(dem_hertz_init(&p));
    p.young[0] = 70e9;
    p.poisson[0] = 0.25;
    return p;
}

/* F = 4/3 E* sqrt(R*) d^(3/2), its slope, its integral 2/5 F d, and a = sqrt(R* d). */
static void hertz_tells_what_it_is(void **state)
{
    (void)state;
    const dem_hertz p = glass();
    contact c = contact_of(DEM_LAW_HERTZ, &p);
    const double young = 70e9 / (2.0 * (1.0 - 0.0625)), root = sqrt(contact_radius(&c));
    c.overlap = OVERLAP;
    contact_step(&c, 1);
    NEAR(c.force_normal, 4.0 / 3.0 * young * root * pow(OVERLAP, 1.5), 1e-13);
    NEAR(c.elastic, 8.0 / 15.0 * young * root * pow(OVERLAP, 2.5), 1e-13);
    NEAR(c.stiffness, 2.0 * young * root * sqrt(OVERLAP), 1e-13);
    NEAR(c.area, root * sqrt(OVERLAP), 1e-13);
    assert_true(c.friction == c.force_normal && c.damping == 0.0);
}

/* eta_t = -2 sqrt(5/6) ln e/sqrt(ln^2 e + pi^2) sqrt(K_t m*) (Li et al., Eq. 6), with e of the
 * normal part where none is given: 1 where that has no restitution of its own. */
static void mindlin_takes_the_restitution_of_hertz(void **state)
{
    (void)state;
    const int32_t forms[] = {DEM_HERTZ_DAMPING_RESTITUTION, DEM_HERTZ_DAMPING_TSUJI,
                             DEM_HERTZ_DAMPING_COEFFICIENT, DEM_HERTZ_DAMPING_NONE};
    for (int k = 0; k < 4; ++k) {
        dem_hertz p = glass();
        p.damping = forms[k];
        p.restitution = 0.6;
        p.damping_normal = k == 1 || k == 2 ? 0.4 : 0.0;
        contact c = contact_of(DEM_LAW_HERTZ, &p);
        dem_mindlin m;
        OK(dem_mindlin_init(&m));
        contact_part(&c, 1, DEM_LAW_MINDLIN, &m);
        c.overlap = OVERLAP;
        c.du[1] = 1e-9;
        c.v[1] = 1e-3;
        contact_step(&c, 2);
        const double shear = 70e9 / 2.5 / (2.0 * 1.75), logarithm = log(0.6);
        const double kt = 8.0 * shear * sqrt(contact_radius(&c) * OVERLAP);
        const double eta = -2.0 * sqrt(5.0 / 6.0) * logarithm / hypot(logarithm, PI) *
                           sqrt(kt * c.mass) * (k == 0);
        NEAR(c.force[1], -kt * 1e-9 - eta * 1e-3, 1e-12);
    }
}

/* One step that slides three times the way of the spring, the dashpot bearing half the limit. What
 * is left of the spring tells the sliders apart. */
static void mindlin_sliders(void **state)
{
    (void)state;
    static const struct {
        int32_t slider;
        double left; /* over limit/k_t */
    } rows[] = {{DEM_SLIDER_DSDS, 0.5}, {DEM_SLIDER_TRUNCATED, 1.0}, {DEM_SLIDER_UNRESET, 3.0}};
    for (int k = 0; k < 3; ++k) {
        const dem_hertz p = glass();
        contact c = contact_of(DEM_LAW_HERTZ, &p);
        dem_mindlin m;
        OK(dem_mindlin_init(&m));
        m.slider = rows[k].slider;
        m.restitution = 0.5;
        m.friction = 0.3;
        contact_part(&c, 1, DEM_LAW_MINDLIN, &m);
        c.overlap = OVERLAP;
        const double shear = 70e9 / 2.5 / (2.0 * 1.75), logarithm = log(0.5);
        const double kt = 8.0 * shear * sqrt(contact_radius(&c) * OVERLAP);
        const double eta =
            -2.0 * sqrt(5.0 / 6.0) * logarithm / hypot(logarithm, PI) * sqrt(kt * c.mass);
        const double limit =
            0.3 * 4.0 / 3.0 * 70e9 / 1.875 * sqrt(contact_radius(&c)) * pow(OVERLAP, 1.5);
        c.du[1] = 3.0 * limit / kt;
        c.v[1] = 0.5 * limit / eta;
        contact_step(&c, 2);
        NEAR(c.force[1], -limit, 1e-12);
        NEAR(c.state[1][1], rows[k].left * limit / kt, 1e-12);
    }
}

/* Without a dashpot: a spring that sticks loses nothing; one that slides at the limit loses limit
 * times way; one that the contact grows narrower under loses what it stored. */
static void mindlin_slip(void **state)
{
    (void)state;
    dem_hertz p = glass();
    p.damping = DEM_HERTZ_DAMPING_NONE;
    contact c = contact_of(DEM_LAW_HERTZ, &p);
    dem_mindlin m;
    OK(dem_mindlin_init(&m));
    m.slider = DEM_SLIDER_DSDS;
    m.friction = 0.3;
    contact_part(&c, 1, DEM_LAW_MINDLIN, &m);
    c.overlap = OVERLAP;
    const double shear = 70e9 / 2.5 / (2.0 * 1.75);
    const double kt = 8.0 * shear * sqrt(contact_radius(&c) * OVERLAP);
    const double limit =
        0.3 * 4.0 / 3.0 * 70e9 / 1.875 * sqrt(contact_radius(&c)) * pow(OVERLAP, 1.5);
    const double stick = 0.5 * limit / kt, small = 1e-12 * limit * stick;
    c.du[1] = stick;
    contact_step(&c, 2);
    const double stored = 0.5 * kt * stick * stick, normal = c.elastic - stored;
    assert_true(fabs(c.lost_slip) < small && fabs(c.lost_dashpot) < small);

    contact narrower = c;
    narrower.overlap = 0.81 * OVERLAP; /* nine tenths as wide and stiff */
    narrower.du[1] = 0.0;
    contact_step(&narrower, 2);
    NEAR(narrower.force[1], -0.9 * kt * stick, 1e-12);
    NEAR(narrower.elastic, pow(0.9, 5.0) * normal + 0.9 * stored, 1e-12);
    NEAR(narrower.lost_slip, 0.1 * stored, 1e-9);

    c.du[1] = 2.0 * stick;
    contact_step(&c, 2);
    /* half of the way stretches the spring up to the limit, at three quarters of it on average */
    NEAR(c.force[1], -limit, 1e-12);
    NEAR(c.elastic, normal + 4.0 * stored, 1e-12);
    NEAR(c.lost_slip, 0.75 * limit * stick, 1e-12);
    contact_step(&c, 2);
    NEAR(c.elastic, normal + 4.0 * stored, 1e-12);
    NEAR(c.lost_slip, limit * 2.0 * stick, 1e-12);
    assert_true(fabs(c.lost_dashpot) < small);
}

/* Rows of springs that are drawn along a path that turns: what is lost is the work of the mean
 * force but for what the springs gained. */
static void rows_account_for_turns(void **state)
{
    (void)state;
    static const char *const laws[] = {DEM_LAW_MINDLIN_DERESIEWICZ, DEM_LAW_MINDLIN_DERESIEWICZ_32};
    for (int k = 0; k < 2; ++k) {
        dem_hertz p = glass();
        p.damping = DEM_HERTZ_DAMPING_NONE;
        contact c = contact_of(DEM_LAW_HERTZ, &p);
        dem_mindlin m;
        OK(dem_mindlin_init(&m));
        m.friction = 0.3;
        contact_part(&c, 1, laws[k], &m);
        c.overlap = OVERLAP;
        contact_step(&c, 2);
        const double way = 1e-7, limit = 0.3 * c.force_normal;
        double lost = 0.0;
        for (int step = 0; step < 100; ++step) {
            const double before[3] = {c.force[0], c.force[1], c.force[2]}, elastic = c.elastic;
            c.du[1] = way * cos(0.05 * step);
            c.du[2] = way * sin(0.05 * step);
            contact_step(&c, 2);
            double work = 0.0;
            for (int a = 1; a < 3; ++a)
                work -= 0.5 * (c.force[a] + before[a]) * c.du[a];
            const double gone = c.lost_slip + c.lost_dashpot;
            if (fabs(gone - (work - (c.elastic - elastic))) > 1e-9 * limit * way)
                fail_msg("%s, step %d: %g is lost of %g", laws[k], step, gone,
                         work - (c.elastic - elastic));
            lost += gone;
        }
        assert_true(lost > 10.0 * limit * way);
    }
}

/* Spring and dashpot where an impact without a dashpot is widest, and tangentially with 2/7 of the
 * mass. */
static void hertz_and_mindlin_scales(void **state)
{
    (void)state;
    dem_hertz p = glass();
    p.damping = DEM_HERTZ_DAMPING_COEFFICIENT;
    p.damping_normal = 3.0;
    contact c = contact_of(DEM_LAW_HERTZ, &p);
    dem_law_limits s = contact_scales(&c, 0, 0.0, 0.5);
    NEAR(s.timestep_limit, c.mass / (0.5 * 3.0), 1e-13);
    const double radius = contact_radius(&c), logarithm = log(0.5), speed = 2.0;
    const double overlap =
        pow(15.0 * c.mass * speed * speed / (16.0 * 70e9 / 1.875 * sqrt(radius)), 0.4);
    const double slope = 2.0 * 70e9 / 1.875 * sqrt(radius * overlap);
    s = contact_scales(&c, 0, speed, 0.5);
    NEAR(s.timestep_limit, unstable_from(slope, 0.5 * 3.0, c.mass), 1e-12);

    p.damping = DEM_HERTZ_DAMPING_NONE;
    p.damping_normal = 0.0;
    c = contact_of(DEM_LAW_HERTZ, &p);
    dem_mindlin m;
    OK(dem_mindlin_init(&m));
    m.restitution = 0.5;
    contact_part(&c, 1, DEM_LAW_MINDLIN, &m);
    const double kt = 8.0 * 70e9 / 2.5 / (2.0 * 1.75) * sqrt(radius * overlap);
    const double eta =
        -2.0 * sqrt(5.0 / 6.0) * logarithm / hypot(logarithm, PI) * sqrt(kt * c.mass);
    s = contact_scales(&c, 1, speed, 0.5);
    NEAR(s.timestep_limit, unstable_from(kt, 0.5 * eta, 2.0 / 7.0 * c.mass), 1e-12);
    assert_true(contact_scales(&c, 1, 0.0, 0.5).timestep_limit == 0.0);
    /* a lower limit of the normal part stays */
    dem_law_limits lower = {.struct_size = sizeof lower, .dashpot_weight = 0.5};
    lower.timestep_limit = 0.5 * s.timestep_limit;
    c.law[1].limits(NULL, c.combined[1], c.mass, c.radius_i, c.radius_j, speed, &lower);
    assert_true(lower.timestep_limit == 0.5 * s.timestep_limit);
}

/* ------------------------------------------------------------------ micro-slip in three cases */

/* Thornton and Yin (1991) on a line, first loaded upwards: dT = 8 G* a theta du +- mu (1 - theta)
 * dN with theta^3 = 1 - (T + mu dN)/(mu N) loading, 1 - (T* - T + 2 mu dN)/(2 mu N) unloading from
 * T*, 1 - (T - T** + 2 mu dN)/(2 mu N) reloading from T**; T* and T** move with mu N. */
typedef struct cases {
    double t, star, low, load;
    int phase;
} cases;

static void cases_step(cases *c, double k, double friction, double load, double du)
{
    const double rise = friction * (load - c->load), top = friction * load;
    c->load = load;
    if (c->phase == 0 && du < 0.0) {
        c->phase = 1;
        c->star = c->t;
    } else if (c->phase == 1 && du > 0.0) {
        c->phase = 2;
        c->low = c->t;
    } else if (c->phase == 2 && du < 0.0)
        c->phase = 1;
    /* the test changes N only between turns, so that the new T* needs no correction yet */
    if (c->phase > 0)
        c->star += rise;
    if (c->phase > 1)
        c->low -= rise;
    const double cube = c->phase == 0   ? 1.0 - (c->t + rise) / top
                        : c->phase == 1 ? 1.0 - (c->star - c->t + 2.0 * rise) / (2.0 * top)
                                        : 1.0 - (c->t - c->low + 2.0 * rise) / (2.0 * top);
    double theta = cbrt(cube);
    if (rise > 0.0 && k * fabs(du) < rise)
        theta = 1.0;
    c->t += k * theta * du + (c->phase == 1 ? -1.0 : 1.0) * (1.0 - theta) * rise;
}

/* Along paths that load, unload and reload while the overlap rises and falls; also mirrored. And at
 * a constant overlap the closed forms of Mindlin and Deresiewicz (1953), in the limit. */
static void micro_slip_in_three_cases(void **state)
{
    (void)state;
    test_long();
    const dem_hertz p = glass();
    const double friction = 0.4, young = 70e9 / 1.875, shear = 70e9 / 2.5 / 3.5;
    for (int mirrored = 0; mirrored < 2; ++mirrored)
        for (int breathes = 0; breathes < 4; ++breathes) {
            enum { LEG = 4000 };
            contact c = contact_of(DEM_LAW_HERTZ, &p);
            dem_mindlin m;
            OK(dem_mindlin_init(&m));
            m.friction = friction;
            m.restitution = 1.0;
            contact_part(&c, 1, DEM_LAW_MINDLIN_THREE_CASE, &m);
            const double radius = contact_radius(&c), side = mirrored ? -1.0 : 1.0;
            const double load0 = 4.0 / 3.0 * young * sqrt(radius) * pow(OVERLAP, 1.5);
            const double k0 = 8.0 * shear * sqrt(radius * OVERLAP);
            const double slip = 1.5 * friction * load0 / k0, limit = friction * load0;
            cases oracle = {0};
            double peak = 0.0, low = 0.0;
            /* up to .6 slip, down by .5, up by .2, down by .3 */
            static const double leg[4] = {0.6, -0.5, 0.2, -0.3};
            c.overlap = OVERLAP;
            for (int l = 0; l < 4; ++l)
                for (int s = 1; s <= LEG; ++s) {
                    const double du = leg[l] * slip / LEG;
                    /* by turns: rises slowly, falls, rises faster than the shear */
                    const double rate = breathes == 1 ? 0.05 : breathes == 2 ? -0.05 : 3.0;
                    if (breathes > 0 && s > 1 && (breathes < 3 || s % 50 == 0))
                        c.overlap += rate * OVERLAP / LEG;
                    const double load = 4.0 / 3.0 * young * sqrt(radius) * pow(c.overlap, 1.5);
                    if (l == 0 && s == 1)
                        oracle.load = 0.0;
                    cases_step(&oracle, 8.0 * shear * sqrt(radius * c.overlap), friction, load, du);
                    c.du[1] = side * du;
                    contact_step(&c, 2);
                    if (fabs(-side * c.force[1] - oracle.t) > 1e-9 * limit)
                        fail_msg("leg %d, step %d: %.12g and not %.12g of the limit", l, s,
                                 -side * c.force[1] / limit, oracle.t / limit);
                    /* that of Hertz, and what the force would store without slip */
                    NEAR(c.elastic,
                         0.4 * load * c.overlap +
                             0.5 * oracle.t * oracle.t / (8.0 * shear * sqrt(radius * c.overlap)),
                         1e-9);
                    const double u = fabs(du) * s / (2.0 * slip);
                    if (breathes > 0 || s < LEG)
                        continue;
                    const double gone = 1.0 - pow(1.0 - u, 1.5);
                    const double exact = l == 0   ? limit * (1.0 - pow(1.0 - 2.0 * u, 1.5))
                                         : l == 1 ? peak - 2.0 * limit * gone
                                         : l == 2 ? low + 2.0 * limit * gone
                                                  : -side * c.force[1];
                    if (l == 0)
                        peak = exact;
                    low = exact;
                    assert_true(fabs(-side * c.force[1] - exact) < 5e-4 * limit);
                }
        }
}

/* ------------------------------------------------------------------ contacts that yield */

/* Dashpots push and do not pull; with cohesion nothing pulls more than the spring; Coulomb's limit
 * counts from the line of cohesion. */
static void yielding_dashpots(void **state)
{
    (void)state;
    const double gamma = 3.0, d = 0.01;
    dem_luding l;
    OK(dem_luding_init(&l));
    l.stiffness_loading = 100.0;
    l.stiffness_unloading = 400.0;
    l.stiffness_cohesion = 50.0;
    l.damping_normal = gamma;
    l.plasticity_depth = 1.0;
    contact c = contact_of(DEM_LAW_LUDING, &l);
    c.overlap = d;
    c.v_n = -2.0;
    contact_step(&c, 1);
    NEAR(c.force_normal, 100.0 * d + gamma * 2.0, 1e-13);
    NEAR(c.friction, c.force_normal + 50.0 * d, 1e-13);
    assert_true(c.damping == gamma);
    c.v_n = 2.0;
    contact_step(&c, 1);
    assert_true(c.force_normal == 0.0);
    NEAR(c.friction, 50.0 * d, 1e-13);
    /* pulled back to the line of cohesion: -k_c overlap */
    c.overlap = 1e-5;
    contact_step(&c, 1);
    NEAR(c.force_normal, -50.0 * 1e-5, 1e-12);
    assert_true(fabs(c.friction) < 1e-15);
    c.v_n = -2.0;
    contact_step(&c, 1);
    NEAR(c.force_normal, -50.0 * 1e-5 + gamma * 2.0, 1e-12);
    NEAR(c.friction, gamma * 2.0, 1e-12);

    dem_walton_braun w;
    OK(dem_walton_braun_init(&w));
    w.stiffness_loading = 100.0;
    w.stiffness_unloading = 400.0;
    w.damping_normal = gamma;
    c = contact_of(DEM_LAW_WALTON_BRAUN, &w);
    c.overlap = d;
    c.v_n = -2.0;
    contact_step(&c, 1);
    NEAR(c.force_normal, 100.0 * d + gamma * 2.0, 1e-13);
    assert_true(c.friction == c.force_normal);
    /* half a period of a quarter each: pi/2 (sqrt(m/k1) + sqrt(m/k2)) */
    dem_law_limits s = contact_scales(&c, 0, 0.5, 0.5);
    NEAR(s.contact_time, 0.5 * PI * (sqrt(0.7 / 100.0) + sqrt(0.7 / 400.0)), 1e-14);
    NEAR(s.timestep_limit, unstable_from(400.0, 0.5 * gamma, 0.7), 1e-14);

    dem_thornton t;
    OK(dem_thornton_init(&t));
    t.young[0] = 70e9;
    t.poisson[0] = 0.25;
    t.yield_pressure = 1e12; /* stays elastic */
    t.restitution = 0.6;
    c = contact_of(DEM_LAW_THORNTON, &t);
    double ratio;
    OK(dem_kernel_damping_ratio_cut(0.6, &ratio));
    const double elastic = 4.0 / 3.0 * 70e9 / 1.875 * sqrt(contact_radius(&c));
    const double eta = sqrt(5.0) * ratio * sqrt(c.mass * elastic) * pow(OVERLAP, 0.25);
    c.overlap = OVERLAP;
    c.v_n = -1e-3;
    contact_step(&c, 1);
    NEAR(c.force_normal, elastic * pow(OVERLAP, 1.5) + eta * 1e-3, 1e-12);
    NEAR(c.stiffness, 1.5 * elastic * sqrt(OVERLAP), 1e-12);
    NEAR(c.elastic, 0.4 * elastic * pow(OVERLAP, 2.5), 1e-12);
    /* the dashpot takes what its mean force of both ends does */
    const double speed = 1e-3, way = 0.1 * OVERLAP;
    c.dt = way / speed;
    c.rate = speed;
    c.overlap = OVERLAP + way;
    contact_step(&c, 1);
    NEAR(c.lost_normal, 0.5 * (1.0 + pow(1.1, 0.25)) * eta * speed * way, 1e-12);
    c.v_n = 1e3;
    contact_step(&c, 1);
    assert_true(c.force_normal == 0.0);
}

/* Luding's spring unloads the stiffer the deeper it was pressed, up to its limit; Thornton's
 * contact is as wide as the deeper of two overlaps, of Hertz and of the plastic slope. */
static void yielding_scales(void **state)
{
    (void)state;
    dem_luding l;
    OK(dem_luding_init(&l));
    l.stiffness_loading = 100.0;
    l.stiffness_unloading = 400.0;
    l.plasticity_depth = 0.5;
    contact c = contact_of(DEM_LAW_LUDING, &l);
    const double most = 400.0 / 300.0 * contact_radius(&c), quarter = sqrt(c.mass / 100.0);
    dem_law_limits s = contact_scales(&c, 0, 0.25 * most / quarter, 1.0);
    NEAR(s.contact_time, 0.5 * PI * (quarter + sqrt(c.mass / 175.0)), 1e-12);
    s = contact_scales(&c, 0, 4.0 * most / quarter, 1.0);
    NEAR(s.contact_time, 0.5 * PI * (quarter + sqrt(c.mass / 400.0)), 1e-12);
    NEAR(s.timestep_limit, 2.0 * sqrt(c.mass / 400.0), 1e-12);

    dem_thornton t;
    OK(dem_thornton_init(&t));
    t.young[0] = 70e9;
    t.poisson[0] = 0.25;
    t.restitution = 0.6;
    double ratio;
    OK(dem_kernel_damping_ratio_cut(0.6, &ratio));
    const double pressures[2] = {1e8, 1e12}, speed = 2.0, young = 70e9 / 1.875;
    for (int k = 0; k < 2; ++k) {
        t.yield_pressure = pressures[k];
        c = contact_of(DEM_LAW_THORNTON, &t);
        const double radius = contact_radius(&c);
        const double plastic = speed * sqrt(c.mass / (PI * pressures[k] * radius));
        const double hertz =
            pow(15.0 * c.mass * speed * speed / (16.0 * young * sqrt(radius)), 0.4);
        assert_true((plastic > hertz) == (k == 0));
        const double eta = sqrt(5.0) * ratio * sqrt(c.mass * 4.0 / 3.0 * young * sqrt(radius)) *
                           pow(k == 0 ? plastic : hertz, 0.25);
        s = contact_scales(&c, 0, speed, 0.5);
        const double slope = 2.0 * young * sqrt(radius * (k == 0 ? plastic : hertz));
        NEAR(s.timestep_limit, unstable_from(slope, 0.5 * eta, c.mass), 1e-9);
    }
}

/* ------------------------------------------------------------------ rolling and twisting */

/* From rest in one step the torque is -R*^2 (k dt + gamma) omega, gamma = 2 zeta sqrt(2/5 m* k)
 * plus what was given; and where the spring alone counts dt must stay below 2 sqrt(2/5 m* over k).
 */
static void rolling_dashpots(void **state)
{
    (void)state;
    static const char *const laws[2] = {DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_CSDS};
    const double k = 1e4, omega = 0.3;
    const dem_hertz p = glass();
    for (int twists = 0; twists < 2; ++twists) {
        dem_rolling r;
        OK(dem_rolling_init(&r));
        r.stiffness = k;
        r.damping_ratio = 0.35;
        r.damping = 2.0;
        r.friction = 1e3;
        contact c = contact_of(DEM_LAW_HERTZ, &p);
        contact_part(&c, 1, laws[twists], &r);
        const double gamma = 2.0 + 2.0 * 0.35 * sqrt(0.4 * c.mass * k), radius = contact_radius(&c);
        const int axis = twists ? 0 : 1;
        c.overlap = OVERLAP;
        c.angular_velocity_i[axis] = 0.5 * omega;
        c.angular_velocity_j[axis] = -0.5 * omega;
        contact_step(&c, 2);
        NEAR(c.torque_i[axis], -radius * radius * (k * c.dt + gamma) * omega, 1e-12);
        assert_true(c.torque_j[axis] == -c.torque_i[axis]);
        r.damping = r.damping_ratio = 0.0;
        contact_part(&c, 1, laws[twists], &r);
        NEAR(contact_scales(&c, 1, 1.0, 1.0).timestep_limit, 2.0 * sqrt(0.4 * c.mass / k), 1e-12);
    }
}

/* Marshall (2009): M = -(k_t a^2/2 theta + gamma_t a^2/2 omega), k_t = 8 G* a with Hertz, up to
 * 2/3 mu a F_n. */
static void marshall_twisting(void **state)
{
    (void)state;
    const double omega = 0.3, shear = 70e9 / 2.5 / 3.5;
    const dem_hertz p = glass();
    for (int given = 0; given < 2; ++given) {
        dem_twisting_marshall t;
        OK(dem_twisting_marshall_init(&t));
        t.stiffness_tangential = given ? 3e7 : 0.0;
        t.damping_tangential = 40.0;
        t.friction = 0.3;
        contact c = contact_of(DEM_LAW_HERTZ, &p);
        contact_part(&c, 1, DEM_LAW_TWISTING_MARSHALL, &t);
        const double a = sqrt(contact_radius(&c) * OVERLAP), k = given ? 3e7 : 8.0 * shear * a;
        c.overlap = OVERLAP;
        c.angular_velocity_i[0] = omega;
        contact_step(&c, 2);
        NEAR(c.torque_i[0], -0.5 * a * a * (k * c.dt + 40.0) * omega, 1e-12);
        c.angular_velocity_i[0] = 1e9;
        contact_step(&c, 2);
        NEAR(c.torque_i[0], -2.0 / 3.0 * 0.3 * a * c.force_normal, 1e-12);
        /* what acts without an area has no torque */
        c.reaches = 1;
        c.overlap = -OVERLAP;
        contact_step(&c, 2);
        assert_true(c.torque_i[0] == 0.0 && c.elastic == 0.0);
    }
}

/* ------------------------------------------------------------------ adhesion: scales */

/* JKR's force and overlap at contact radius a. */
static double jkr_force(double radius, double young, double work, double a)
{
    return 4.0 * young * a * a * a / (3.0 * radius) - sqrt(8.0 * PI * work * young * a * a * a);
}
static double jkr_overlap(double radius, double young, double work, double a)
{
    return a * a / radius - sqrt(2.0 * PI * work * a / young);
}

/* Half a swing about the equilibrium, whose slope is found by differences; and the dashpot where
 * the contact is widest, which is where the work of the force from touch on is used up. */
static void adhesive_scales(void **state)
{
    (void)state;
    dem_adhesion p;
    OK(dem_adhesion_init(&p));
    p.young[0] = 70e6;
    p.poisson[0] = 0.25;
    p.work_of_adhesion = 0.5;
    p.restitution = 0.7;
    const double young = 70e6 / 1.875, work = 0.5;
    for (int jkr = 0; jkr < 2; ++jkr) {
        contact c = contact_of(jkr ? DEM_LAW_JKR : DEM_LAW_DMT, &p);
        const double radius = contact_radius(&c);
        /* where the force is zero: JKR's is so at F = 0, DMT's at Hertz' force = 2 pi w R* */
        const double a = jkr ? cbrt(4.5 * PI * work * radius * radius / young)
                             : cbrt(1.5 * PI * work * radius * radius / young);
        double slope;
        if (jkr) {
            const double h = 1e-5 * a;
            assert_true(fabs(jkr_force(radius, young, work, a)) < 1e-12 * work * radius);
            slope =
                (jkr_force(radius, young, work, a + h) - jkr_force(radius, young, work, a - h)) /
                (jkr_overlap(radius, young, work, a + h) - jkr_overlap(radius, young, work, a - h));
        } else {
            slope = 2.0 * young * a;
        }
        const double swing = PI * sqrt(c.mass / slope);
        /* adhesive forces pull until the contact ends: zeta has a closed form */
        const double ratio = -log(0.7) / hypot(PI, log(0.7));
        const double elastic = 4.0 / 3.0 * young * sqrt(radius);
        dem_law_limits s = contact_scales(&c, 0, 1e-9, 1.0);
        NEAR(s.contact_time, swing, 1e-8);
        /* widest: falls from touch (JKR: at overlap 0 on the stable branch) without a push */
        double widest = jkr ? cbrt(2.0 * PI * work * radius * radius / young) : 0.0, energy = 0.0;
        double force = jkr ? jkr_force(radius, young, work, widest) : -2.0 * PI * work * radius;
        double overlap = 0.0;
        for (const double step = 1e-5 * a; energy <= 0.0; widest += step) {
            const double next = widest + step;
            const double f =
                jkr ? jkr_force(radius, young, work, next)
                    : elastic * pow(next * next / radius, 1.5) - 2.0 * PI * work * radius;
            const double x = jkr ? jkr_overlap(radius, young, work, next) : next * next / radius;
            energy += 0.5 * (f + force) * (x - overlap);
            force = f;
            overlap = x;
        }
        /* eta = sqrt(5) zeta sqrt(m* K) d^(1/4) with d = a^2/R* */
        const double eta =
            sqrt(5.0) * ratio * sqrt(c.mass * elastic) * sqrt(widest) / pow(radius, 0.25);
        print_message("# %s: widest at %.4f of the radius at rest\n", jkr ? "jkr" : "dmt",
                      widest / a);
        const double limit = unstable_from(2.0 * young * widest, eta, c.mass);
        assert_true(s.timestep_limit <= 1.001 * limit);
        assert_true(s.timestep_limit > 0.99 * limit);

        s = contact_scales(&c, 0, 10.0, 1.0);
        NEAR(s.contact_time,
             2.9432751843 * pow(15.0 * c.mass / (16.0 * young * sqrt(radius * 10.0)), 0.4), 1e-8);
    }
}

/* What the parts after it see of a neck: its radius, a stiffness of 2 E* a, and the dashpot. */
static void adhesive_contacts_tell_what_they_are(void **state)
{
    (void)state;
    dem_adhesion p;
    OK(dem_adhesion_init(&p));
    p.young[0] = 70e6;
    p.poisson[0] = 0.25;
    p.work_of_adhesion = 0.5;
    const double young = 70e6 / 1.875;
    contact c = contact_of(DEM_LAW_JKR, &p);
    const double radius = contact_radius(&c);
    const double a = 1.5 * cbrt(4.5 * PI * 0.5 * radius * radius / young);
    c.overlap = jkr_overlap(radius, young, 0.5, a);
    contact_step(&c, 1);
    NEAR(c.area, a, 1e-9);
    NEAR(c.stiffness, 2.0 * young * a, 1e-9);
    NEAR(c.force_normal, jkr_force(radius, young, 0.5, a), 1e-9);
    assert_true(c.damping == 0.0);
    c = contact_of(DEM_LAW_DMT, &p);
    c.overlap = a * a / radius;
    contact_step(&c, 1);
    NEAR(c.area, a, 1e-12);
    NEAR(c.stiffness, 2.0 * young * a, 1e-12);
    p.restitution = 0.6;
    for (int jkr = 0; jkr < 2; ++jkr) {
        c = contact_of(jkr ? DEM_LAW_JKR : DEM_LAW_DMT, &p);
        c.overlap = jkr ? jkr_overlap(radius, young, 0.5, a) : a * a / radius;
        contact_step(&c, 1);
        const double at_rest = c.force_normal;
        c.v_n = -1e3;
        contact_step(&c, 1);
        assert_true(c.damping > 0.0);
        NEAR(c.force_normal - at_rest, 1e3 * c.damping, 1e-9);
    }
}

/* ------------------------------------------------------------------ actm */

/* Contact time as asked for, d = 2 lambda m tau/T; where Hertz' stiffness bounds k the unit of
 * time is (m^2/(k^2 u))^(1/5). The area is Hertz'. */
static void actm_scales(void **state)
{
    (void)state;
    dem_actm p;
    OK(dem_actm_init(&p));
    p.restitution = 0.6;
    p.contact_time = 2e-3;
    p.speed_floor = 0.1;
    p.young[0] = 70e9;
    contact c = contact_of(DEM_LAW_ACTM, &p);
    double lambda, tau;
    OK(dem_collision_inverse(0.6, &lambda, &tau));
    dem_law_limits s = contact_scales(&c, 0, 0.01, 0.5);
    NEAR(s.contact_time, 2e-3, 1e-13);
    /* of speed 1 and stiffness 1 in units of mass and of time: F = k d^(3/2) */
    double own = 2e-3 / tau;
    const double slope = 1.5 * pow(1.25, 0.2);
    NEAR(s.timestep_limit, own * unstable_from(slope, 0.5 * 2.0 * lambda, 1.0), 1e-9);
    p.young[0] = 2e6;
    p.contact_time = 1e-5;
    c = contact_of(DEM_LAW_ACTM, &p);
    const double k = 4.0 / 3.0 * 2e6 / 1.82 * sqrt(contact_radius(&c));
    const double unit = pow(c.mass * c.mass / (k * k * 3.0), 0.2);
    s = contact_scales(&c, 0, 3.0, 1.0);
    NEAR(s.contact_time, tau * unit, 1e-12);
    NEAR(s.timestep_limit, unit * unstable_from(slope, 2.0 * lambda, 1.0), 1e-9);
    /* slower than the floor counts as the floor, for the scales and for a contact */
    const double slowest = pow(c.mass * c.mass / (k * k * 0.1), 0.2);
    s = contact_scales(&c, 0, 0.01, 1.0);
    NEAR(s.contact_time, tau * slowest, 1e-12);
    p.young[0] = 70e9;
    p.contact_time = 2e-3;
    contact slow = contact_of(DEM_LAW_ACTM, &p), floor = slow;
    slow.overlap = floor.overlap = OVERLAP;
    slow.rate = 0.01;
    floor.rate = 0.1;
    contact_step(&slow, 1);
    contact_step(&floor, 1);
    assert_true(slow.stiffness == floor.stiffness && slow.damping == floor.damping);

    c.overlap = OVERLAP;
    c.rate = 3.0;
    contact_step(&c, 1);
    NEAR(c.area, sqrt(contact_radius(&c) * OVERLAP), 1e-14);
    NEAR(c.stiffness, 1.5 * k * sqrt(OVERLAP), 1e-12);
    NEAR(c.elastic, 0.4 * k * pow(OVERLAP, 2.5), 1e-12);
}

/* Vyas et al., Eq. (6): two materials, the moduli on the right bodies. */
static void stiffness_ratio_of_two_materials(void **state)
{
    (void)state;
    double ratio, other;
    OK(dem_collision_stiffness_ratio(0.2, 3.0, 0.45, 5.0, &ratio));
    NEAR(ratio, (0.8 / 3.0 + 0.55 / 5.0) / (0.9 / 3.0 + 0.775 / 5.0), 1e-15);
    OK(dem_collision_stiffness_ratio(0.45, 5.0, 0.2, 3.0, &other));
    NEAR(other, ratio, 1e-15);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hooke_lasts_until_its_force_ends),
        cmocka_unit_test(linear_tells_what_it_is),
        cmocka_unit_test(linear_slip),
        cmocka_unit_test(viscous_slip),
        cmocka_unit_test(hertz_tells_what_it_is),
        cmocka_unit_test(mindlin_takes_the_restitution_of_hertz),
        cmocka_unit_test(mindlin_sliders),
        cmocka_unit_test(mindlin_slip),
        cmocka_unit_test(rows_account_for_turns),
        cmocka_unit_test(hertz_and_mindlin_scales),
        cmocka_unit_test(micro_slip_in_three_cases),
        cmocka_unit_test(yielding_dashpots),
        cmocka_unit_test(yielding_scales),
        cmocka_unit_test(rolling_dashpots),
        cmocka_unit_test(marshall_twisting),
        cmocka_unit_test(adhesive_scales),
        cmocka_unit_test(adhesive_contacts_tell_what_they_are),
        cmocka_unit_test(actm_scales),
        cmocka_unit_test(stiffness_ratio_of_two_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
