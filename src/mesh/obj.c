/* SPDX-License-Identifier: MIT */
/* Wavefront OBJ: lines of vertices and faces; the others are not for us. */
#include "base/entry.h"
#include "mesh/mesh.h"
#include "mesh/text.h"

#include <string.h>

typedef struct obj_reader {
    dem_mesh *mesh;
    demi_text text;
} obj_reader;

static dem_status obj_unexpected(obj_reader *r, demi_word word, const char *wanted)
{
    char shown[DEMI_WORD_SHOWN];
    return demi_fail(&r->mesh->context, DEM_ERROR_FORMAT, "OBJ, line %llu: \"%s\" where %s must be",
                     (unsigned long long)r->text.line, demi_word_shown(word, shown), wanted);
}

/* The next word of the line that is in no comment. */
static int obj_word(obj_reader *r, demi_word *word)
{
    if (!demi_text_word_in_line(&r->text, word))
        return 0;
    const char *comment = memchr(word->at, '#', (size_t)word->length);
    if (comment == NULL)
        return 1;
    if (comment > word->at) { /* the next word is the comment */
        word->length = (uint64_t)(comment - word->at);
        r->text.at = comment;
        return 1;
    }
    return 0;
}

static dem_status obj_vertex(obj_reader *r)
{
    dem_mesh *mesh = r->mesh;
    const dem_status status = demi_mesh_room(mesh, mesh->vertex_count + 1, mesh->facet_count);
    if (status != DEM_OK)
        return status;
    double *vertex = mesh->vertex.data + 3 * mesh->vertex_count;
    demi_word word;
    for (int c = 0; c < 3; ++c)
        if (!obj_word(r, &word) || !demi_word_number(word, &vertex[c]))
            return obj_unexpected(r, word, "a coordinate");
    ++mesh->vertex_count;
    return DEM_OK;
}

/* The vertex of a corner "12", "12/5" or "-1//7": numbers from 1, or back from the last one. */
static int obj_corner(const obj_reader *r, demi_word word, uint32_t *vertex)
{
    const uint64_t count = r->mesh->vertex_count;
    const int back = word.length > 0 && word.at[0] == '-';
    uint64_t number = 0, k = (uint64_t)back;
    for (; k < word.length && word.at[k] >= '0' && word.at[k] <= '9' && number <= count; ++k)
        number = 10 * number + (uint64_t)(word.at[k] - '0');
    if (number == 0 || number > count || (k < word.length && word.at[k] != '/'))
        return 0;
    *vertex = (uint32_t)(back ? count - number : number - 1);
    return 1;
}

/* A face is a fan of facets around its first corner. */
static dem_status obj_face(obj_reader *r)
{
    dem_mesh *mesh = r->mesh;
    demi_word word;
    uint32_t corner[3];
    uint64_t corners = 0;
    for (; obj_word(r, &word); ++corners) {
        if (!obj_corner(r, word, &corner[corners < 2 ? corners : 2]))
            return obj_unexpected(r, word, "the number of a vertex before it");
        if (corners < 2)
            continue;
        const dem_status status = demi_mesh_room(mesh, mesh->vertex_count, mesh->facet_count + 1);
        if (status != DEM_OK)
            return status;
        uint32_t *facet = mesh->facet.data + 3 * mesh->facet_count++;
        for (int k = 0; k < 3; ++k)
            facet[k] = corner[k];
        corner[1] = corner[2];
    }
    return corners < 3 ? obj_unexpected(r, word, "a third vertex of the face") : DEM_OK;
}

dem_status demi_mesh_from_obj(dem_mesh *mesh, const void *argument)
{
    const demi_mesh_bytes *file = argument;
    obj_reader r = {mesh, demi_text_open(file->bytes, file->size)};
    dem_status status = DEM_OK;
    for (; status == DEM_OK && r.text.at < r.text.end; demi_text_next_line(&r.text)) {
        demi_word word;
        if (!obj_word(&r, &word))
            continue;
        if (demi_word_is(word, "v"))
            status = obj_vertex(&r);
        else if (demi_word_is(word, "f"))
            status = obj_face(&r);
    }
    return status;
}

DEMI_GUARDED guarded_mesh_create_obj(const dem_mesh_config *config, const void *bytes,
                                     uint64_t size, dem_mesh **mesh, dem_error *error)
{
    const demi_mesh_bytes file = {bytes, size};
    return demi_mesh_make(config, bytes == NULL ? NULL : demi_mesh_from_obj, &file, mesh, error);
}

dem_status dem_mesh_create_obj(const dem_mesh_config *config, const void *bytes, uint64_t size,
                               dem_mesh **mesh, dem_error *error)
{
    DEMI_QUIET(guarded_mesh_create_obj(config, bytes, size, mesh, error));
}
