/* SPDX-License-Identifier: MIT */
/* Meshes from files. */
#include "base/entry.h"
#include "io/file.h"
#include "mesh/mesh.h"

#include <string.h>

typedef struct mesh_file {
    const char *path;
    demi_mesh_source *format;
} mesh_file;

/* Whether a path ends with `ending`, which is in small letters. */
static int mesh_file_ends(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    if (length < tail)
        return 0;
    for (size_t k = 0; k < tail; ++k) {
        const char c = path[length - tail + k];
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != ending[k])
            return 0;
    }
    return 1;
}

/* A file may begin with anything. */
static dem_status mesh_file_check(demi_context *context, const void *head, uint64_t count,
                                  uint64_t size)
{
    (void)context, (void)head, (void)count, (void)size;
    return DEM_OK;
}

static dem_status mesh_from_file(dem_mesh *mesh, const void *argument)
{
    const mesh_file *file = argument;
    void *bytes;
    uint64_t size;
    dem_status status = demi_file_load(&mesh->context, file->path, mesh_file_check, &bytes, &size);
    if (status != DEM_OK)
        return status;
    const demi_mesh_bytes content = {bytes, size};
    status = file->format(mesh, &content);
    demi_release(&mesh->context, bytes, size);
    return status;
}

DEMI_GUARDED guarded_mesh_create_file(const dem_mesh_config *config, const char *path,
                                      dem_mesh **mesh, dem_error *error)
{
    mesh_file file = {path, NULL};
    if (path != NULL && mesh_file_ends(path, ".stl"))
        file.format = demi_mesh_from_stl;
    else if (path != NULL && mesh_file_ends(path, ".obj"))
        file.format = demi_mesh_from_obj;
    if (mesh != NULL)
        *mesh = NULL;
    DEMI_REFUSE(path != NULL && file.format == NULL, DEM_ERROR_UNKNOWN,
                "file \"%.100s\": its name ends with neither .stl nor .obj", path);
    return demi_mesh_make(config, path != NULL ? mesh_from_file : NULL, &file, mesh, error);
}

dem_status dem_mesh_create_file(const dem_mesh_config *config, const char *path, dem_mesh **mesh,
                                dem_error *error)
{
    DEMI_QUIET(guarded_mesh_create_file(config, path, mesh, error));
}
