/* SPDX-License-Identifier: MIT */
/**
 * @file models.c
 * What is counted of the models of all pairs of materials, so that calls need not look at each
 * pair: films, laws that act across gaps, and doubles of state.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include "base/isa.h"
#include "contact/models.h"

#include <dem/dem.h>
#include <math.h>
#include <string.h>

enum { MATERIALS = 3 };

typedef struct known {
    demi_context context;
    demi_models models;
} known;

static void known_make(known *k)
{
    memset(k, 0, sizeof *k);
    const dem_allocator allocator = {NULL, NULL, NULL};
    const dem_log log = {NULL, NULL};
    OK(demi_context_init(&k->context, &allocator, &log));
    OK(demi_models_init(&k->context, &k->models, MATERIALS, demi_isa_index(DEM_ISA_AUTO), 0));
}

static void known_set(known *k, int32_t a, int32_t b, const dem_contact_model *model)
{
    demi_model *old;
    OK(demi_models_set(&k->context, &k->models, a, b, model, &old));
    demi_model_free(&k->context, old);
}

/** Compares what is counted with what all models have. */
static void expect_counts(const known *k)
{
    uint64_t films = 0, reaching = 0;
    uint32_t widest = 0;
    for (int32_t a = 0; a < MATERIALS; ++a)
        for (int32_t b = a; b < MATERIALS; ++b) {
            const demi_model *model = demi_models_get(&k->models, a, b);
            if (model == NULL)
                continue;
            films += model->film != 0;
            reaching += model->laws[0].reach != NULL || model->laws[1].reach != NULL;
            widest = model->state_size > widest ? model->state_size : widest;
        }
    assert_int_equal(k->models.films, films);
    assert_int_equal(k->models.reaching, reaching);
    assert_int_equal(demi_models_widest(&k->models), widest);
}

/** A model as bytes keep it, set in other models. */
static void known_restore(known *k, const demi_model *model)
{
    demi_model_part part[DEMI_PARTS_MAX];
    memset(part, 0, sizeof part);
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        strcpy(part[p].law, law->name);
        part[p].version = law->version;
        part[p].kind = law->kind;
        part[p].combined_size = law->combined_size;
        memcpy(part[p].combined, model->combined[p], sizeof part[p].combined);
    }
    OK(demi_models_restore(&k->context, &k->models, model->material_a, model->material_b,
                           model->lever_arm, model->part_count, part));
}

static double reach_of(void *user, const void *parameters, double radius_i, double radius_j)
{
    const double *combined = parameters;
    (void)user;
    return combined[0] + combined[1] * radius_i * radius_j;
}

/* A model acts as far as the part that reaches farthest, whichever it is, and whatever other parts
 * have; at a plane as far as between two spheres of the same size, at least. */
static void reach_is_that_of_the_widest_part(void **state)
{
    (void)state;
    for (int widest = 0; widest < 3; ++widest) {
        demi_model model;
        memset(&model, 0, sizeof model);
        model.part_count = 3;
        for (int p = 0; p < 3; ++p) {
            model.combined[p][0] = p == widest ? 0.5 : 0.25;
            model.laws[p].reach = reach_of;
        }
        assert_true(demi_model_reach(&model, 1.0, 2.0) == 0.5);
        assert_true(demi_model_reach(&model, 1.0, 0.0) == 0.5);
        model.combined[widest][1] = 0.125;
        assert_true(demi_model_reach(&model, 1.0, 2.0) == 0.75);
        assert_true(demi_model_reach(&model, 2.0, 0.0) == 1.0);
        model.combined[(widest + 1) % 3][0] = INFINITY; /* which is none */
        model.laws[(widest + 2) % 3].reach = NULL;
        assert_true(demi_model_reach(&model, 1.0, 2.0) == 0.75);
    }
}

static void models_are_counted(void **state)
{
    (void)state;
    enum { EMPTY, LINEAR, WIDE, REACHING, FILM, KINDS };
    known k, restored;
    dem_contact_model model[KINDS];
    dem_linear linear;
    dem_hooke hooke;
    dem_film film;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1e3;
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = 1e3;
    OK(dem_film_init(&film));
    film.viscosity = 1e-3;
    film.gap_min = 1e-6;
    film.gap_max = 1e-4;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = 1e6;
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    adhesion.young[0] = 1e6;
    adhesion.work_of_adhesion = 0.1;
    for (int n = 0; n < KINDS; ++n)
        OK(dem_contact_model_init(&model[n]));
    OK(dem_contact_model_add_linear_csds(&model[LINEAR], &linear));
    OK(dem_contact_model_add_hertz(&model[WIDE], &hertz));
    OK(dem_contact_model_add_mindlin_deresiewicz_32(&model[WIDE], &mindlin));
    OK(dem_contact_model_add_jkr(&model[REACHING], &adhesion));
    OK(dem_contact_model_add_hooke(&model[FILM], &hooke));
    OK(dem_contact_model_add_film(&model[FILM], &film));

    known_make(&k);
    expect_counts(&k);
    uint32_t widest = 0;
    for (int n = 0; n < 60; ++n) { /* each kind in the place of each other */
        known_set(&k, n % 2, 1 + n % 2, &model[(n + n / 7) % KINDS]);
        known_set(&k, 2, n % 3, &model[n * n / 4 % KINDS]);
        expect_counts(&k);
        widest =
            k.models.films > 0 && k.models.reaching > 0 ? demi_models_widest(&k.models) : widest;
        known_make(&restored);
        for (int32_t a = 0; a < MATERIALS; ++a)
            for (int32_t b = a; b < MATERIALS; ++b)
                if (demi_models_get(&k.models, a, b) != NULL)
                    known_restore(&restored, demi_models_get(&k.models, a, b));
        expect_counts(&restored);
        demi_models_free(&restored.context, &restored.models);
    }
    assert_true(widest > 64); /* all kinds were there at once */
    for (int32_t a = 0; a < MATERIALS; ++a)
        for (int32_t b = 0; b < MATERIALS; ++b)
            known_set(&k, a, b, &model[EMPTY]);
    expect_counts(&k);
    assert_true(k.models.films == 0 && k.models.reaching == 0 &&
                demi_models_widest(&k.models) == 0);
    demi_models_free(&k.context, &k.models);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reach_is_that_of_the_widest_part),
        cmocka_unit_test(models_are_counted),
    };
    return cmocka_run_group_tests_name("models", tests, NULL, NULL);
}
