/* SPDX-License-Identifier: MIT */
/**
 * @file mesh.c
 * Fuzzer of the readers of meshes: the first byte chooses STL, OBJ or arrays, the rest is the file.
 * A mesh that is accepted is one that contacts can be computed with.
 */
#include "bytes.h"

#include <math.h>

/* Arrays of a few vertices, so that facets share them, and of coordinates of few values. */
static dem_status mesh_arrays(const dem_mesh_config *config, fuzz_bytes from, dem_mesh **mesh)
{
    double x[64][3];
    uint32_t facets[256][3];
    const uint64_t vertices = fuzz_pick(&from, 64) + 1;
    uint64_t count = 0;
    for (uint64_t k = 0; k < 3 * vertices; ++k)
        x[k / 3][k % 3] = fuzz_number(&from, 1.0);
    for (; from.left > 0 && count < 256; ++count)
        for (int k = 0; k < 3; ++k)
            facets[count][k] = (uint32_t)fuzz_pick(&from, vertices + (count == 255));
    return dem_mesh_create(config, x[0], vertices, facets[0], count, mesh, NULL);
}

static void mesh_check(const dem_mesh *mesh, const dem_mesh_config *config)
{
    dem_mesh_properties p;
    p.struct_size = sizeof(p);
    FUZZ_PROMISE(dem_mesh_properties_get(mesh, &p) == DEM_OK);
    FUZZ_PROMISE(p.facet_count > 0 && p.vertex_count > 0 && p.edge_count <= 3 * p.facet_count);
    FUZZ_PROMISE((p.defects & config->refused) == 0 && isfinite(p.area) && p.area >= 0.0);
    for (uint64_t k = 0; k < 3 * p.vertex_count; ++k)
        FUZZ_PROMISE(fabs(dem_mesh_vertices(mesh)[k]) <= 1e60);
    for (uint64_t k = 0; k < 3 * p.facet_count; ++k)
        FUZZ_PROMISE(dem_mesh_facets(mesh)[k] < p.vertex_count);
    for (uint64_t f = 0; f < p.facet_count; ++f)
        FUZZ_PROMISE((dem_mesh_defects(mesh)[f] & ~(uint32_t)DEM_MESH_DEFECTS_ALL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t held = 0;
    dem_mesh *mesh = NULL;
    dem_mesh_config config;
    FUZZ_PROMISE(dem_mesh_config_init(&config) == DEM_OK);
    if (size == 0)
        return 0;
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    config.refused = data[0] >> 2 & (data[0] & 2 ? 63u : 0u);
    config.weld_distance = data[0] & 128 ? 0.25 : 0.0;
    dem_status status;
    switch (data[0] % 4) {
    case 0:
    case 1:
        status = dem_mesh_create_stl(&config, data + 1, size - 1, &mesh, NULL);
        break;
    case 2:
        status = dem_mesh_create_obj(&config, data + 1, size - 1, &mesh, NULL);
        break;
    default:
        status = mesh_arrays(&config, (fuzz_bytes){data + 1, size - 1}, &mesh);
    }
    FUZZ_PROMISE((status == DEM_OK) == (mesh != NULL));
    if (mesh != NULL)
        mesh_check(mesh, &config);
    dem_mesh_destroy(mesh);
    FUZZ_PROMISE(held == 0);
    return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    static const char *const texts[] = {
        "Asolid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 "
        "0\nendloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0\nvertex "
        "0 1 -0.\nendloop\nendfacet\nendsolid\n",
        "Bv 0 0 0\nv 1 0 0\nv 1 1.5e-1 0\nv 0 1 0\nf 1 2 3 4\nf -1/2 -2//3 -3/1/1\n# end\n"};
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    for (size_t n = 0; n < sizeof(texts) / sizeof(texts[0]); ++n) {
        char name[32];
        snprintf(name, sizeof(name), "text-%zu", n);
        fuzz_seed(name, texts[n], strlen(texts[n]));
    }
    uint8_t binary[1 + 84 + 2 * 50] = {0};
    binary[81] = 2;
    for (size_t k = 0; k < 18; ++k)
        binary[1 + 84 + 50 * (k / 9) + 12 + 4 * (k % 9) + 3] = (uint8_t)(k % 5 == 0 ? 63 : 0);
    fuzz_seed("binary", binary, sizeof(binary));
    fuzz_seeds_mixed(16, 200);
    exit(0);
}
