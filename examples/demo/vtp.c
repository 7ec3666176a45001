/* SPDX-License-Identifier: MIT */
/* ParaView files: XML PolyData with appended raw data, and a .pvd file that knows the times. */
#include "demo.h"

#include <string.h>

enum { ARRAYS = 7 };

typedef struct column {
    const char *type, *name;
    int components;
    const void *data; /* NULL: written by the row's number, see numbers_write */
    uint64_t first;   /* number of the first row */
} column;

static void column_declare(demo_file *file, const column *c, uint64_t offset)
{
    fprintf(file->stream,
            "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" "
            "format=\"appended\" offset=\"%llu\"/>\n",
            c->type, c->name, c->components, (unsigned long long)offset);
}

static void numbers_write(demo_file *file, uint64_t first, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t value = first + k;
        demo_file_write(file, &value, sizeof value);
    }
}

static void section(demo_file *file, const char *name, const column *columns, int from, int to,
                    uint64_t count, uint64_t *offset)
{
    fprintf(file->stream, "      <%s>\n", name);
    for (int k = from; k < to; ++k) {
        column_declare(file, &columns[k], *offset);
        *offset += 8 + 8 * count * (uint64_t)columns[k].components;
    }
    fprintf(file->stream, "      </%s>\n", name);
}

int vtp_write(const char *folder, const char *name, const demo_frame *kinematics)
{
    const column columns[ARRAYS] = {{"UInt64", "id", 1, kinematics->id, 0},
                                    {"Float64", "radius", 1, kinematics->radius, 0},
                                    {"Float64", "velocity", 3, kinematics->velocity, 0},
                                    {"Float64", "force", 3, kinematics->force, 0},
                                    {"Float64", "position", 3, kinematics->position, 0},
                                    {"Int64", "connectivity", 1, NULL, 0},
                                    {"Int64", "offsets", 1, NULL, 1}};
    const uint16_t probe = 1;
    unsigned char low_first;
    memcpy(&low_first, &probe, 1);
    demo_file file;
    if (demo_file_open(&file, folder, name) != 0)
        return -1;
    uint64_t offset = 0;
    fprintf(file.stream,
            "<?xml version=\"1.0\"?>\n"
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n"
            "  <PolyData>\n"
            "    <Piece NumberOfPoints=\"%llu\" NumberOfVerts=\"%llu\" NumberOfLines=\"0\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
            low_first != 0 ? "LittleEndian" : "BigEndian", (unsigned long long)kinematics->count,
            (unsigned long long)kinematics->count);
    section(&file, "PointData", columns, 0, 4, kinematics->count, &offset);
    section(&file, "Points", columns, 4, 5, kinematics->count, &offset);
    section(&file, "Verts", columns, 5, 7, kinematics->count, &offset);
    fputs("    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_", file.stream);
    for (int k = 0; k < ARRAYS; ++k) {
        const uint64_t bytes = 8 * kinematics->count * (uint64_t)columns[k].components;
        demo_file_write(&file, &bytes, sizeof bytes);
        if (columns[k].data != NULL)
            demo_file_write(&file, columns[k].data, (size_t)bytes);
        else
            numbers_write(&file, columns[k].first, kinematics->count);
    }
    fputs("\n  </AppendedData>\n</VTKFile>\n", file.stream);
    return demo_file_close(&file);
}

int vtp_series_write(const char *folder, const char *name, const char *stem, int count,
                     const double *times)
{
    demo_file file;
    if (demo_file_open(&file, folder, name) != 0)
        return -1;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
          "  <Collection>\n",
          file.stream);
    for (int k = 0; k < count; ++k)
        fprintf(file.stream, "    <DataSet timestep=\"%.9g\" file=\"%s_%d.vtp\"/>\n", times[k],
                stem, k);
    fputs("  </Collection>\n</VTKFile>\n", file.stream);
    return demo_file_close(&file);
}
