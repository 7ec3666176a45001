/* SPDX-License-Identifier: MIT */
/* The section "list" of the first format, which had the list as it was: chunks, copied rows, and
 * pairs in batch groups. Of these the contacts are taken, and how the chunks drift. */
#include "io/kept_list.h"

#define REFUSE_IF(condition, ...)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            return demi_fail(&w->context, DEM_ERROR_FORMAT, "snapshot: " __VA_ARGS__);             \
    } while (0)

/* A chunk, and where its copied rows are. */
typedef struct old_chunk {
    uint64_t begin, rows, each; /* each: of all chunks but the last */
    uint32_t groups, pairs, copy_count;
    demi_reader copies;
    demi_drift drift;
} old_chunk;

/* The pairs of one model. */
typedef struct old_group {
    uint32_t count, lives;
    const demi_model *model;
    demi_reader pairs, bits;
} old_group;

static void skip(demi_reader *in, uint64_t words)
{
    in->failed |= words > in->length;
    if (in->failed)
        return;
    in->bytes += 8 * words;
    in->length -= words;
}

/* The halves of a word further on. */
static void look(const demi_reader *at, uint64_t word, uint32_t *low, uint32_t *high)
{
    demi_reader one = *at;
    skip(&one, word);
    demi_read_u32(&one, low, high);
}

static void read_size(demi_reader *in, old_chunk *chunk)
{
    uint32_t rows;
    demi_read_u32(in, &rows, &chunk->groups);
    demi_read_u32(in, &chunk->pairs, &chunk->copy_count);
    chunk->rows = rows;
    skip(in, 6); /* its box */
    demi_read_doubles(in, chunk->drift.mean_velocity, 3);
    skip(in, 1); /* its largest radius */
    chunk->drift.displacement_bound = demi_read_double(in);
}

/* One end of a pair: a row of the chunk, or a copied one. */
static dem_status read_end(dem_world *w, const old_chunk *chunk, uint32_t slot,
                           demi_kept_contact *contact, int *copied)
{
    const uint64_t copy = slot - chunk->each;
    *copied = slot >= chunk->rows;
    REFUSE_IF(*copied && (slot < chunk->each || copy >= chunk->copy_count),
              "a pair of neighbours is not valid");
    if (!*copied) {
        contact->own = (uint32_t)(chunk->begin + slot);
        return DEM_OK;
    }
    uint32_t periods;
    look(&chunk->copies, copy, &contact->other, &periods);
    contact->shift = periods & 0xffu;
    contact->feature = periods >> 8;
    return DEM_OK;
}

static dem_status read_ends(dem_world *w, const old_chunk *chunk, const old_group *group,
                            uint64_t pair, demi_kept_contact *contact)
{
    uint32_t slot[2];
    int copied[2];
    *contact = (demi_kept_contact){.shift = DEMI_SHIFT_NONE};
    look(&group->pairs, pair, &slot[0], &slot[1]);
    dem_status status = read_end(w, chunk, slot[1], contact, &copied[1]);
    const uint32_t second = contact->own;
    if (status == DEM_OK)
        status = read_end(w, chunk, slot[0], contact, &copied[0]);
    if (status != DEM_OK)
        return status;
    REFUSE_IF(copied[0] && copied[1], "a pair of neighbours is not valid");
    if (!copied[0] && !copied[1])
        contact->other = second;
    return DEM_OK;
}

/* Whether both bodies of a contact are still there; ends that never were are looked at later. */
static int contact_exists(const dem_world *w, const demi_kept_contact *contact)
{
    const uint32_t at = contact->other & ~DEMI_WALL_BIT;
    if (contact->own < w->rows && w->row_id.read[contact->own] == 0)
        return 0;
    if ((contact->other & DEMI_WALL_BIT) != 0)
        return at >= w->walls || w->wall.read[at].id != 0;
    return at >= w->rows || w->row_id.read[at] != 0;
}

static dem_status read_contact(demi_reader *in, dem_world *w, const old_chunk *chunk,
                               const old_group *group, uint64_t pair)
{
    demi_kept_contact contact;
    const demi_model *model;
    double *state;
    dem_status status = read_ends(w, chunk, group, pair, &contact);
    if (status != DEM_OK)
        return status;
    if (!contact_exists(w, &contact)) {
        skip(in, group->model->state_size);
        return DEM_OK;
    }
    status = demi_contacts_add(w, &contact, &model, &state);
    if (status != DEM_OK)
        return status;
    REFUSE_IF(model != group->model, "a pair of neighbours has another model");
    demi_read_doubles(in, state, model->state_size);
    return DEM_OK;
}

static dem_status read_group(demi_reader *in, dem_world *w, const old_chunk *chunk)
{
    const uint32_t materials = (uint32_t)w->config.material_count;
    old_group group = {.model = NULL};
    uint32_t kind, a, b, low, high;
    demi_read_u32(in, &group.count, &kind);
    demi_read_u32(in, &a, &b);
    skip(in, 1); /* reach */
    group.pairs = *in;
    skip(in, group.count);
    group.lives = kind >> 1 & 1u;
    REFUSE_IF(in->failed || a >= materials || b >= materials, "pairs of one model are not valid");
    if (!group.lives)
        return DEM_OK;
    group.model = demi_models_get(&w->models, (int32_t)a, (int32_t)b);
    REFUSE_IF(group.model == NULL, "materials %u and %u have no model", a, b);
    group.bits = *in;
    skip(in, (group.count + UINT64_C(63)) / 64);
    dem_status status = DEM_OK;
    for (uint64_t p = 0; status == DEM_OK && !in->failed && p < group.count; ++p) {
        look(&group.bits, p / 64, &low, &high);
        if (((p % 64 < 32 ? low : high) >> p % 32 & 1u) != 0)
            status = read_contact(in, w, chunk, &group, p);
    }
    return status;
}

static dem_status read_chunk(demi_reader *in, dem_world *w, old_chunk *chunk)
{
    dem_status status = DEM_OK;
    chunk->copies = *in;
    skip(in, chunk->copy_count);
    for (uint32_t r = 0; status == DEM_OK && !in->failed && r < chunk->groups; ++r)
        status = read_group(in, w, chunk);
    return status;
}

/* How the chunks drift; tells how many rows they have. */
static dem_status read_drifts(demi_reader *in, dem_world *w, demi_kept_list *kept, uint64_t chunks,
                              uint64_t each, uint64_t *rows)
{
    old_chunk chunk = {.each = each};
    *rows = 0;
    for (uint64_t k = 0; k < chunks; ++k) {
        read_size(in, &chunk);
        REFUSE_IF(in->failed || chunk.rows == 0 || chunk.rows > each || *rows != k * each,
                  "chunk %llu of the list is not valid", (unsigned long long)k);
        *rows += chunk.rows;
        dem_status status = demi_array_reserve(&w->context, &kept->drift, k + 1, 1, "contacts");
        if (status == DEM_OK)
            status = demi_drift_check(w, &chunk.drift);
        if (status != DEM_OK)
            return status;
        kept->drift.data[k] = chunk.drift;
    }
    return DEM_OK;
}

dem_status demi_read_list_1(demi_reader *in, dem_world *w, demi_kept_list *kept)
{
    uint32_t chunks, each;
    uint64_t rows;
    demi_read_u32(in, &chunks, &each);
    kept->skin = demi_read_double(in);
    skip(in, 1); /* margin */
    kept->reach = demi_read_double(in);
    demi_reader sizes = *in;
    dem_status status = read_drifts(in, w, kept, chunks, each, &rows);
    if (status == DEM_OK)
        status = demi_contacts_begin(w, rows);
    if (status == DEM_OK && !w->list_stale)
        status = demi_drifts_begin(w, kept, rows, each);
    old_chunk chunk = {.each = each};
    for (uint64_t k = 0; status == DEM_OK && !in->failed && k < chunks; ++k) {
        read_size(&sizes, &chunk);
        chunk.begin = k * each;
        status = read_chunk(in, w, &chunk);
    }
    return status == DEM_OK ? demi_contacts_end(w) : status;
}
