/* SPDX-License-Identifier: MIT */
/**
 * @file parameters.c
 * A parameter struct goes to the law that takes it: each built-in law has a function of its own
 * that adds it to a model, and refuses a struct of another kind however alike the two are.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <string.h>

/* All parameter structs, with values that their laws accept. */
typedef union any {
    uint64_t head[2]; /* struct_size, kind */
    dem_linear linear;
    dem_hooke hooke;
    dem_friction friction;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_actm actm;
    dem_adhesion adhesion;
    dem_luding luding;
    dem_walton_braun walton_braun;
    dem_thornton thornton;
    dem_rolling rolling;
    dem_rolling_constant rolling_constant;
    dem_twisting_marshall twisting_marshall;
} any;

static void fill_linear(any *p)
{
    OK(dem_linear_init(&p->linear));
    p->linear.stiffness_normal = 1e4;
}
static void fill_hooke(any *p)
{
    OK(dem_hooke_init(&p->hooke));
    p->hooke.stiffness_normal = 1e4;
}
static void fill_friction(any *p)
{
    OK(dem_friction_init(&p->friction));
    p->friction.stiffness_tangential = 1e3;
}
static void fill_hertz(any *p)
{
    OK(dem_hertz_init(&p->hertz));
    p->hertz.young[0] = 1e7;
}
static void fill_mindlin(any *p)
{
    OK(dem_mindlin_init(&p->mindlin));
}
static void fill_actm(any *p)
{
    OK(dem_actm_init(&p->actm));
    p->actm.contact_time = 1e-3;
    p->actm.speed_floor = 1e-3;
    p->actm.young[0] = 1e7;
}
static void fill_adhesion(any *p)
{
    OK(dem_adhesion_init(&p->adhesion));
    p->adhesion.young[0] = 1e7;
}
static void fill_luding(any *p)
{
    OK(dem_luding_init(&p->luding));
    p->luding.stiffness_loading = 1e4;
    p->luding.stiffness_unloading = 2e4;
}
static void fill_walton_braun(any *p)
{
    OK(dem_walton_braun_init(&p->walton_braun));
    p->walton_braun.stiffness_loading = 1e4;
}
static void fill_thornton(any *p)
{
    OK(dem_thornton_init(&p->thornton));
    p->thornton.young[0] = 1e7;
    p->thornton.yield_pressure = 1e5;
}
static void fill_rolling(any *p)
{
    OK(dem_rolling_init(&p->rolling));
    p->rolling.stiffness = 1e3;
}
static void fill_rolling_constant(any *p)
{
    OK(dem_rolling_constant_init(&p->rolling_constant));
}
static void fill_twisting_marshall(any *p)
{
    OK(dem_twisting_marshall_init(&p->twisting_marshall));
    p->twisting_marshall.stiffness_tangential = 1e3;
}

static const struct {
    const char *name;
    void (*fill)(any *p);
} structs[] = {
    {"dem_linear", fill_linear},
    {"dem_hooke", fill_hooke},
    {"dem_friction", fill_friction},
    {"dem_hertz", fill_hertz},
    {"dem_mindlin", fill_mindlin},
    {"dem_actm", fill_actm},
    {"dem_adhesion", fill_adhesion},
    {"dem_luding", fill_luding},
    {"dem_walton_braun", fill_walton_braun},
    {"dem_thornton", fill_thornton},
    {"dem_rolling", fill_rolling},
    {"dem_rolling_constant", fill_rolling_constant},
    {"dem_twisting_marshall", fill_twisting_marshall},
};

#define ADD(LAW, STRUCT)                                                                           \
    static dem_status add_##LAW(dem_contact_model *model, const any *p)                            \
    {                                                                                              \
        return dem_contact_model_add_##LAW(model, &p->STRUCT);                                     \
    }
ADD(linear_csds, linear)
ADD(linear_dsds, linear)
ADD(hooke, hooke)
ADD(friction, friction)
ADD(hertz, hertz)
ADD(mindlin, mindlin)
ADD(mindlin_deresiewicz, mindlin)
ADD(mindlin_deresiewicz_32, mindlin)
ADD(mindlin_three_case, mindlin)
ADD(actm, actm)
ADD(jkr, adhesion)
ADD(dmt, adhesion)
ADD(luding, luding)
ADD(walton_braun, walton_braun)
ADD(thornton, thornton)
ADD(rolling_csds, rolling)
ADD(rolling_constant, rolling_constant)
ADD(twisting_csds, rolling)
ADD(twisting_marshall, twisting_marshall)

static const struct {
    const char *law, *takes;
    dem_status (*add)(dem_contact_model *model, const any *p);
    int after; /* it stands after a normal part */
} laws[] = {
    {DEM_LAW_LINEAR_CSDS, "dem_linear", add_linear_csds, 0},
    {DEM_LAW_LINEAR_DSDS, "dem_linear", add_linear_dsds, 0},
    {DEM_LAW_HOOKE, "dem_hooke", add_hooke, 0},
    {DEM_LAW_FRICTION, "dem_friction", add_friction, 1},
    {DEM_LAW_HERTZ, "dem_hertz", add_hertz, 0},
    {DEM_LAW_MINDLIN, "dem_mindlin", add_mindlin, 1},
    {DEM_LAW_MINDLIN_DERESIEWICZ, "dem_mindlin", add_mindlin_deresiewicz, 1},
    {DEM_LAW_MINDLIN_DERESIEWICZ_32, "dem_mindlin", add_mindlin_deresiewicz_32, 1},
    {DEM_LAW_MINDLIN_THREE_CASE, "dem_mindlin", add_mindlin_three_case, 1},
    {DEM_LAW_ACTM, "dem_actm", add_actm, 0},
    {DEM_LAW_JKR, "dem_adhesion", add_jkr, 0},
    {DEM_LAW_DMT, "dem_adhesion", add_dmt, 0},
    {DEM_LAW_LUDING, "dem_luding", add_luding, 0},
    {DEM_LAW_WALTON_BRAUN, "dem_walton_braun", add_walton_braun, 0},
    {DEM_LAW_THORNTON, "dem_thornton", add_thornton, 0},
    {DEM_LAW_ROLLING_CSDS, "dem_rolling", add_rolling_csds, 1},
    {DEM_LAW_ROLLING_CONSTANT, "dem_rolling_constant", add_rolling_constant, 1},
    {DEM_LAW_TWISTING_CSDS, "dem_rolling", add_twisting_csds, 1},
    {DEM_LAW_TWISTING_MARSHALL, "dem_twisting_marshall", add_twisting_marshall, 1},
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* A model whose last part is still to be given. */
static dem_contact_model model_before(int after, const any *hertz)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    if (after)
        OK(dem_contact_model_add_hertz(&model, &hertz->hertz));
    return model;
}

/* Every law with every struct: its own is taken, and any other refused by name. */
static void test_only_its_own_struct(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    any hertz;
    fill_hertz(&hertz);
    int taken = 0, alike = 0;
    for (size_t l = 0; l < COUNT(laws); ++l)
        for (size_t s = 0; s < COUNT(structs); ++s) {
            any p;
            memset(&p, 0, sizeof p);
            structs[s].fill(&p);
            dem_contact_model model = model_before(laws[l].after, &hertz);
            OK(dem_contact_model_add(&model, laws[l].law, &p));
            const dem_status status = dem_contact_model_set(world, 0, 0, &model);
            if (strcmp(structs[s].name, laws[l].takes) == 0) {
                if (status != DEM_OK)
                    fail_msg("%s: %s", laws[l].law, dem_world_error(world));
                ++taken;
                continue;
            }
            char wanted[256];
            snprintf(wanted, sizeof wanted, "\"%s\": this law takes %s, not %s", laws[l].law,
                     laws[l].takes, structs[s].name);
            assert_int_equal(status, DEM_ERROR_ARGUMENT);
            assert_non_null(strstr(dem_world_error(world), wanted));
            dem_linear linear;
            OK(dem_linear_init(&linear));
            alike += strcmp(laws[l].takes, "dem_linear") == 0 && p.head[0] == linear.struct_size;
        }
    assert_int_equal(taken, COUNT(laws));
    assert_true(alike > 0); /* a struct of the very size of dem_linear was among them */
    dem_world_destroy(world);
}

/* The function of each law adds that law and nothing else. */
static void test_functions_add_their_law(void **state)
{
    (void)state;
    any p;
    for (size_t l = 0; l < COUNT(laws); ++l) {
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        for (int k = 0; k < 4; ++k)
            OK(laws[l].add(&model, &p));
        assert_int_equal(laws[l].add(&model, &p), DEM_ERROR_RANGE);
        for (int k = 0; k < 4; ++k) {
            assert_string_equal(model.parts[k].law, laws[l].law);
            assert_ptr_equal(model.parts[k].parameters, &p);
        }
        assert_int_equal(laws[l].add(NULL, &p), DEM_ERROR_ARGUMENT);
    }
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    assert_int_equal(dem_contact_model_add(&model, NULL, &p), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_model_add_hertz(&model, NULL), DEM_ERROR_ARGUMENT);
    assert_null(model.parts[0].law);
}

/* A struct that no initialiser filled has no kind; the message says which one to call. */
static void test_struct_without_a_kind(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    const dem_linear linear = {.struct_size = sizeof linear, .stiffness_normal = 1.0};
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    assert_int_equal(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(dem_world_error(world), "call dem_linear_init"));
    dem_world_destroy(world);
}

/* A law of the host has kinds too, if it wants. */
static void test_kinds_of_a_host(void **state)
{
    (void)state;
    static const struct {
        uint64_t kind, size;
        dem_status status;
    } rows[] = {{0, 8, DEM_OK},
                {1, 16, DEM_ERROR_RANGE},
                {DEM_PARAMETERS_HOST - 1, 16, DEM_ERROR_RANGE},
                {DEM_PARAMETERS_HOST, 15, DEM_ERROR_RANGE},
                {DEM_PARAMETERS_HOST, 16, DEM_OK},
                {UINT64_MAX, 16, DEM_OK}};
    for (size_t k = 0; k < COUNT(rows); ++k) {
        dem_world_config config = scene_config();
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        test_law_control control = {0, -1, 0.0};
        dem_law law = test_law(&control);
        law.parameters_kind = rows[k].kind;
        law.parameters_size = rows[k].size;
        assert_int_equal(dem_world_law_register(world, &law), rows[k].status);
        for (uint64_t wrong = 0; rows[k].status == DEM_OK && wrong < 2; ++wrong) {
            const uint64_t parameters[2] = {16, rows[k].kind - wrong};
            dem_contact_model model;
            OK(dem_contact_model_init(&model));
            OK(dem_contact_model_add(&model, law.name, parameters));
            assert_int_equal(dem_contact_model_set(world, 0, 0, &model),
                             wrong && rows[k].kind != 0 ? DEM_ERROR_ARGUMENT : DEM_OK);
        }
        if (rows[k].status == DEM_OK && rows[k].kind != 0)
            assert_non_null(strstr(dem_world_error(world), "the kind that this law takes"));
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_its_own_struct),
        cmocka_unit_test(test_functions_add_their_law),
        cmocka_unit_test(test_struct_without_a_kind),
        cmocka_unit_test(test_kinds_of_a_host),
    };
    return cmocka_run_group_tests_name("parameters", tests, NULL, NULL);
}
