/* SPDX-License-Identifier: MIT */
/* STL: triangles with three vertices each, binary or as text. */
#include "base/entry.h"
#include "mesh/mesh.h"
#include "mesh/text.h"

#include <string.h>

enum { STL_HEAD = 84, STL_COUNT_AT = 80, STL_FACET = 50, STL_VERTICES_AT = 12 };

static uint32_t stl_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double stl_float(const unsigned char *at)
{
    const uint32_t bits = stl_u32(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Appends the facet that has the last three vertices of `vertex_count`. */
static void stl_facet(dem_mesh *mesh)
{
    uint32_t *facet = mesh->facet.data + 3 * mesh->facet_count++;
    for (uint32_t k = 0; k < 3; ++k)
        facet[k] = (uint32_t)mesh->vertex_count + k;
    mesh->vertex_count += 3;
}

static dem_status stl_binary(dem_mesh *mesh, const unsigned char *bytes, uint64_t count)
{
    const dem_status status = demi_mesh_room(mesh, 3 * count, count);
    if (status != DEM_OK)
        return status;
    const unsigned char *at = bytes + STL_HEAD + STL_VERTICES_AT;
    for (uint64_t f = 0; f < count; ++f, at += STL_FACET) {
        double *vertex = mesh->vertex.data + 3 * mesh->vertex_count;
        for (int c = 0; c < 9; ++c)
            vertex[c] = stl_float(at + sizeof(float) * (size_t)c);
        stl_facet(mesh);
    }
    return DEM_OK;
}

static dem_status stl_unexpected(dem_mesh *mesh, const demi_text *text, demi_word word,
                                 const char *wanted)
{
    char shown[DEMI_WORD_SHOWN];
    return demi_fail(&mesh->context, DEM_ERROR_FORMAT, "STL, line %llu: \"%s\" where %s must be",
                     (unsigned long long)text->line, demi_word_shown(word, shown), wanted);
}

static dem_status stl_words(dem_mesh *mesh, demi_text *text, const char *const *words)
{
    demi_word word;
    for (; *words != NULL; ++words)
        if (!demi_text_word(text, &word) || !demi_word_is(word, *words))
            return stl_unexpected(mesh, text, word, *words);
    return DEM_OK;
}

static dem_status stl_numbers(dem_mesh *mesh, demi_text *text, double number[3])
{
    demi_word word;
    for (int c = 0; c < 3; ++c)
        if (!demi_text_word(text, &word) || !demi_word_number(word, &number[c]))
            return stl_unexpected(mesh, text, word, "a number");
    return DEM_OK;
}

/* A facet, whose first word is read. Its normal may be anything: many programs write "nan". */
static dem_status stl_text_facet(dem_mesh *mesh, demi_text *text)
{
    static const char *const normal[] = {"normal", NULL}, *const outer[] = {"outer", "loop", NULL},
                             *const vertex[] = {"vertex", NULL},
                             *const end[] = {"endloop", "endfacet", NULL};
    demi_word word;
    dem_status status = stl_words(mesh, text, normal);
    for (int c = 0; status == DEM_OK && c < 3; ++c)
        (void)demi_text_word(text, &word);
    if (status == DEM_OK)
        status = stl_words(mesh, text, outer);
    if (status == DEM_OK)
        status = demi_mesh_room(mesh, mesh->vertex_count + 3, mesh->facet_count + 1);
    for (uint64_t k = 0; status == DEM_OK && k < 3; ++k) {
        status = stl_words(mesh, text, vertex);
        if (status == DEM_OK)
            status = stl_numbers(mesh, text, mesh->vertex.data + 3 * (mesh->vertex_count + k));
    }
    if (status == DEM_OK)
        status = stl_words(mesh, text, end);
    if (status == DEM_OK)
        stl_facet(mesh);
    return status;
}

/* One or more solids. What follows "solid" and "endsolid" in a line is their name. */
static dem_status stl_text(dem_mesh *mesh, demi_text *text)
{
    demi_word word;
    int open = 0;
    while (demi_text_word(text, &word)) {
        if (open && demi_word_is(word, "facet")) {
            const dem_status status = stl_text_facet(mesh, text);
            if (status != DEM_OK)
                return status;
        } else if (demi_word_is(word, open ? "endsolid" : "solid")) {
            open = !open;
            demi_text_next_line(text);
        } else
            return stl_unexpected(mesh, text, word, open ? "facet or endsolid" : "solid");
    }
    return open ? stl_unexpected(mesh, text, word, "endsolid") : DEM_OK;
}

dem_status demi_mesh_from_stl(dem_mesh *mesh, const void *argument)
{
    const demi_mesh_bytes *file = argument;
    const unsigned char *bytes = file->bytes;
    const uint64_t count = file->size >= STL_HEAD ? stl_u32(bytes + STL_COUNT_AT) : 0;
    if (file->size >= STL_HEAD && file->size == STL_HEAD + STL_FACET * count)
        return stl_binary(mesh, bytes, count);
    demi_text text = demi_text_open(bytes, file->size);
    demi_text first = text;
    demi_word word;
    if (demi_text_word(&first, &word) && demi_word_is(word, "solid"))
        return stl_text(mesh, &text);
    if (file->size < STL_HEAD)
        return demi_fail(&mesh->context, DEM_ERROR_FORMAT,
                         "STL: %llu bytes, of which the first are not \"solid\", are fewer than "
                         "the 84 of an empty binary file",
                         (unsigned long long)file->size);
    return demi_fail(&mesh->context, DEM_ERROR_FORMAT,
                     "STL: a binary file of %llu facets has %llu bytes, not %llu: it is damaged",
                     (unsigned long long)count, (unsigned long long)(STL_HEAD + STL_FACET * count),
                     (unsigned long long)file->size);
}

DEMI_GUARDED guarded_mesh_create_stl(const dem_mesh_config *config, const void *bytes,
                                     uint64_t size, dem_mesh **mesh, dem_error *error)
{
    const demi_mesh_bytes file = {bytes, size};
    return demi_mesh_make(config, bytes == NULL ? NULL : demi_mesh_from_stl, &file, mesh, error);
}

dem_status dem_mesh_create_stl(const dem_mesh_config *config, const void *bytes, uint64_t size,
                               dem_mesh **mesh, dem_error *error)
{
    DEMI_QUIET(guarded_mesh_create_stl(config, bytes, size, mesh, error));
}
