/* SPDX-License-Identifier: MIT */
/**
 * @file normal_laws.c
 * Bad parameters of the adhesive and hysteretic normal laws: each is refused by name, and the
 * model that was there stays.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/sized.h"

#include <dem/dem.h>
#include <math.h>

#define OK(call) assert_int_equal((call), DEM_OK)

static dem_contact_history *history;

static void open_history(void)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
}

static dem_status give(const char *law, const void *parameters)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = law;
    model.parts[0].parameters = parameters;
    return dem_contact_history_model_set(history, 0, 0, &model);
}

/* One field of a struct of doubles (or of int32_t, if `whole`) is set to each bad value in turn. */
typedef struct field {
    const char *name; /* which the message must hold */
    size_t offset;
    double bad[4];
    int count;
} field;

static void refuse(const char *law, const void *good, size_t size, const field *fields,
                   size_t count)
{
    OK(give(law, good));
    for (size_t f = 0; f < count; ++f)
        for (int k = 0; k < fields[f].count; ++k) {
            unsigned char bad[256];
            memcpy(bad, good, size);
            memcpy(bad + fields[f].offset, &fields[f].bad[k], sizeof(double));
            const dem_status got = give(law, bad);
            const char *message = dem_contact_history_error(history);
            if (got != DEM_ERROR_RANGE || strstr(message, fields[f].name) == NULL ||
                strstr(message, law) == NULL)
                fail_msg("%s.%s = %g: status %d, message \"%s\"", law, fields[f].name,
                         fields[f].bad[k], (int)got, message);
        }
}

static void adhesion(void **state)
{
    (void)state;
    open_history();
    dem_adhesion p;
    OK(dem_adhesion_init(&p));
    assert_true(p.work_of_adhesion == 0.0 && p.restitution == 1.0 && p.poisson[0] == 0.3);
    const char *const laws[] = {DEM_LAW_JKR, DEM_LAW_DMT};
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(give(laws[k], &p), DEM_ERROR_RANGE); /* young has no default */
        dem_adhesion good = p;
        good.young[0] = 1e7;
        good.work_of_adhesion = 0.1;
#define AT(member) offsetof(dem_adhesion, member)
        const field fields[] = {
            {"young[0]", AT(young[0]), {0.0, -1.0, NAN, INFINITY}, 4},
            {"young[1]", AT(young[1]), {-1.0, NAN, INFINITY}, 3},
            {"poisson[0]", AT(poisson[0]), {-1.0, 0.51, NAN, -INFINITY}, 4},
            {"poisson[1]", AT(poisson[1]), {0.2, NAN, 0.6}, 3}, /* with young[1] = 0 */
            {"work_of_adhesion", AT(work_of_adhesion), {-1e-9, NAN, INFINITY}, 3},
            {"restitution", AT(restitution), {0.0, -0.1, 1.01, NAN}, 4},
        };
#undef AT
        refuse(laws[k], &good, sizeof good, fields, sizeof fields / sizeof fields[0]);
        good.struct_size = 8;
        assert_int_equal(give(laws[k], &good), DEM_ERROR_STRUCT_SIZE);
    }
    dem_contact_history_destroy(history);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adhesion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
