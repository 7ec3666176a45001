/* SPDX-License-Identifier: MIT */
/* Reads LAMMPS data files of atom_style sphere: a title, a header of counts and box bounds, the
 * section Atoms (id type diameter density x y z, perhaps ix iy iz), perhaps Velocities (id, then
 * velocity and angular velocity). Nothing is guessed: what is not understood is an error with its
 * line. */
#define _POSIX_C_SOURCE 200809L
#include "demo.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 12 };

typedef struct reader {
    const char *path;
    FILE *stream;
    char *line;
    size_t capacity;
    uint64_t number;      /* of the line, from 1 */
    char *word[WORD_MAX]; /* of the line, comments removed */
    int words;            /* WORD_MAX + 1: more than fit */
    int again;            /* the next call of next() gives the same line once more */
    char comment[32];     /* first word of the comment */
} reader;

static int fail(const reader *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(const reader *in, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s:%llu: ", in->path, (unsigned long long)in->number);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return -1;
}

static void split(reader *in)
{
    char *comment = strchr(in->line, '#');
    in->comment[0] = '\0';
    in->words = 0;
    if (comment != NULL) {
        *comment = '\0';
        (void)sscanf(comment + 1, "%31s", in->comment);
    }
    char *rest = NULL;
    for (char *w = strtok_r(in->line, " \t\r\n", &rest); w != NULL;
         w = strtok_r(NULL, " \t\r\n", &rest)) {
        if (in->words == WORD_MAX) {
            in->words = WORD_MAX + 1;
            return;
        }
        in->word[in->words++] = w;
    }
}

/* Reads one line, however empty. 1: there is one; 0: the file ends; -1: error. */
static int line_read(reader *in)
{
    errno = 0;
    const ssize_t length = getline(&in->line, &in->capacity, in->stream);
    if (length < 0) {
        if (ferror(in->stream) != 0 || errno == ENOMEM || errno == EISDIR)
            return fail(in, "cannot read: %s", strerror(errno));
        return 0;
    }
    ++in->number;
    if (strlen(in->line) != (size_t)length)
        return fail(in, "a zero byte: this is not a text file");
    if (in->line[length - 1] != '\n')
        return fail(in, "the last line has no end: the file is cut short");
    return 1;
}

/* Next line with words in it; as line_read. */
static int next(reader *in)
{
    if (in->again != 0) {
        in->again = 0;
        return 1;
    }
    for (;;) {
        const int got = line_read(in);
        if (got <= 0)
            return got;
        split(in);
        if (in->words > 0)
            return 1;
    }
}

static int number(const reader *in, const char *what, const char *word, double *value)
{
    char *end = NULL;
    *value = strtod(word, &end);
    if (end == word || *end != '\0')
        return fail(in, "%s: '%s' is not a number", what, word);
    if (!isfinite(*value))
        return fail(in, "%s: '%s' is not a finite number", what, word);
    return 0;
}

static int integer(const reader *in, const char *what, const char *word, long long low,
                   long long high, long long *value)
{
    char *end = NULL;
    errno = 0;
    *value = strtoll(word, &end, 10);
    if (end == word || *end != '\0')
        return fail(in, "%s: '%s' is not a whole number", what, word);
    if (errno == ERANGE || *value < low || *value > high)
        return fail(in, "%s: %s is not in %lld to %lld", what, word, low, high);
    return 0;
}

typedef struct header {
    long long atoms, types;
    int bounds[3]; /* given */
} header;

static int bounds(reader *in, demo_grains *grains, header *h, int axis)
{
    static const char *const high[3] = {"xhi", "yhi", "zhi"};
    if (strcmp(in->word[3], high[axis]) != 0)
        return fail(in, "'%s' where '%s' was expected", in->word[3], high[axis]);
    if (h->bounds[axis] != 0)
        return fail(in, "the box bounds '%s %s' are given twice", in->word[2], in->word[3]);
    if (number(in, "lower box bound", in->word[0], &grains->low[axis]) != 0 ||
        number(in, "upper box bound", in->word[1], &grains->high[axis]) != 0)
        return -1;
    if (!(grains->low[axis] < grains->high[axis]))
        return fail(in, "the box has no size: %s is not below %s", in->word[0], in->word[1]);
    h->bounds[axis] = 1;
    return 0;
}

/* One line of the header. 1: understood; 0: it is not of the header; -1: error. */
static int header_line(reader *in, demo_grains *grains, header *h)
{
    static const char *const low[3] = {"xlo", "ylo", "zlo"};
    if (in->words == 2 && strcmp(in->word[1], "atoms") == 0) {
        if (h->atoms != 0)
            return fail(in, "the number of atoms is given twice");
        return integer(in, "number of atoms", in->word[0], 1, LLONG_MAX, &h->atoms) != 0 ? -1 : 1;
    }
    if (in->words == 3 && strcmp(in->word[1], "atom") == 0 && strcmp(in->word[2], "types") == 0) {
        if (h->types != 0)
            return fail(in, "the number of atom types is given twice");
        return integer(in, "number of atom types", in->word[0], 1, 1000000, &h->types) != 0 ? -1
                                                                                            : 1;
    }
    for (int axis = 0; axis < 3; ++axis)
        if (in->words == 4 && strcmp(in->word[2], low[axis]) == 0)
            return bounds(in, grains, h, axis) != 0 ? -1 : 1;
    /* counts of what spheres do not have are welcome if they are zero: "0 bonds" */
    const char first = in->word[0][0];
    if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') {
        if ((in->words == 2 || in->words == 3) && strcmp(in->word[0], "0") == 0)
            return 1;
        return fail(in, "header line '%s ... %s' is not understood", in->word[0],
                    in->word[in->words > WORD_MAX ? WORD_MAX - 1 : in->words - 1]);
    }
    return 0;
}

static int header_check(const reader *in, const header *h)
{
    if (h->atoms == 0)
        return fail(in, "the header does not give the number of atoms");
    if (h->types == 0)
        return fail(in, "the header does not give the number of atom types");
    for (int axis = 0; axis < 3; ++axis)
        if (h->bounds[axis] == 0)
            return fail(in, "the header does not give the box bounds along %c", "xyz"[axis]);
    return 0;
}

static int atom(const reader *in, const header *h, demo_grain *g)
{
    static const char *const axis[3] = {"x", "y", "z"}, *const image[3] = {"ix", "iy", "iz"};
    long long value;
    if (in->words != 7 && in->words != 10)
        return fail(in,
                    "a line of Atoms has 7 or 10 columns (id type diameter density x y z "
                    "[ix iy iz]), not %s%d",
                    in->words > WORD_MAX ? "more than " : "",
                    in->words > WORD_MAX ? WORD_MAX : in->words);
    if (integer(in, "id", in->word[0], 1, LLONG_MAX, &value) != 0)
        return -1;
    g->id = (uint64_t)value;
    if (integer(in, "type", in->word[1], 1, h->types, &value) != 0)
        return -1;
    g->type = (int)value;
    if (number(in, "diameter", in->word[2], &g->diameter) != 0 ||
        number(in, "density", in->word[3], &g->density) != 0)
        return -1;
    if (!(g->diameter > 0.0))
        return fail(in, "diameter %s is not positive", in->word[2]);
    if (!(g->density > 0.0))
        return fail(in, "density %s is not positive", in->word[3]);
    for (int k = 0; k < 3; ++k)
        if (number(in, axis[k], in->word[4 + k], &g->position[k]) != 0)
            return -1;
    for (int k = 0; k < 3 && in->words == 10; ++k)
        if (integer(in, image[k], in->word[7 + k], INT32_MIN, INT32_MAX, &value) != 0)
            return -1;
    return 0;
}

/* Where an id was given: its row and line, for duplicates and for Velocities. */
typedef struct place {
    uint64_t id, row, line;
    int has_velocity;
} place;

static int place_compare(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    return p->line < q->line ? -1 : p->line > q->line;
}

/* Room for one row more; grows as rows come, so that a wrong count asks for no memory. */
static int grow(const reader *in, demo_grains *grains, place **places, uint64_t *capacity)
{
    if (grains->count < *capacity)
        return 0;
    const uint64_t wanted = *capacity == 0 ? 4096 : 2 * *capacity;
    demo_grain *more = realloc(grains->grain, (size_t)wanted * sizeof *more);
    if (more == NULL)
        return fail(in, "no memory for %llu atoms", (unsigned long long)wanted);
    grains->grain = more;
    place *further = realloc(*places, (size_t)wanted * sizeof *further);
    if (further == NULL)
        return fail(in, "no memory for %llu atoms", (unsigned long long)wanted);
    *places = further;
    *capacity = wanted;
    return 0;
}

/* The number of rows that a section must have is there, and no more. `got` is what next gave. */
static int section_end(reader *in, const char *section, uint64_t rows, const header *h, int got)
{
    if (got < 0)
        return -1;
    if (got == 0 || (in->word[0][0] >= 'A' && in->word[0][0] <= 'Z'))
        return fail(in, "%s has %llu lines, the header says %lld atoms", section,
                    (unsigned long long)rows, h->atoms);
    return 0;
}

static int no_more_rows(reader *in, const char *section, const header *h)
{
    const int got = next(in);
    if (got < 0)
        return -1;
    if (got == 0)
        return 0;
    in->again = 1;
    if (!(in->word[0][0] >= 'A' && in->word[0][0] <= 'Z'))
        return fail(in, "%s has more lines than the %lld atoms of the header", section, h->atoms);
    return 0;
}

static int atoms_read(reader *in, const header *h, demo_grains *grains, place **places)
{
    uint64_t capacity = 0;
    if (in->comment[0] != '\0' && strcmp(in->comment, "sphere") != 0)
        return fail(in, "atom_style is '%s'; only sphere is understood", in->comment);
    while (grains->count < (uint64_t)h->atoms) {
        const int got = next(in);
        if (section_end(in, "Atoms", grains->count, h, got) != 0 ||
            grow(in, grains, places, &capacity) != 0)
            return -1;
        demo_grain *g = &grains->grain[grains->count];
        memset(g, 0, sizeof *g);
        if (atom(in, h, g) != 0)
            return -1;
        (*places)[grains->count] = (place){g->id, grains->count, in->number, 0};
        ++grains->count;
    }
    if (no_more_rows(in, "Atoms", h) != 0)
        return -1;
    qsort(*places, (size_t)grains->count, sizeof **places, place_compare);
    for (uint64_t k = 1; k < grains->count; ++k) {
        if ((*places)[k].id != (*places)[k - 1].id)
            continue;
        in->number = (*places)[k].line;
        return fail(in, "id %llu was given already in line %llu",
                    (unsigned long long)(*places)[k].id, (unsigned long long)(*places)[k - 1].line);
    }
    return 0;
}

static int velocity(const reader *in, demo_grains *grains, place *places)
{
    static const char *const name[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    long long id;
    if (in->words != 7)
        return fail(in, "a line of Velocities has 7 columns (id vx vy vz wx wy wz), not %s%d",
                    in->words > WORD_MAX ? "more than " : "",
                    in->words > WORD_MAX ? WORD_MAX : in->words);
    if (integer(in, "id", in->word[0], 1, LLONG_MAX, &id) != 0)
        return -1;
    uint64_t low = 0, high = grains->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (places[middle].id < (uint64_t)id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == grains->count || places[low].id != (uint64_t)id)
        return fail(in, "id %lld has no line in Atoms", id);
    if (places[low].has_velocity != 0)
        return fail(in, "id %lld has a velocity already", id);
    places[low].has_velocity = 1;
    demo_grain *g = &grains->grain[places[low].row];
    for (int k = 0; k < 6; ++k)
        if (number(in, name[k], in->word[1 + k],
                   k < 3 ? &g->velocity[k] : &g->angular_velocity[k - 3]) != 0)
            return -1;
    return 0;
}

static int velocities_read(reader *in, const header *h, demo_grains *grains, place *places)
{
    for (uint64_t row = 0; row < grains->count; ++row) {
        const int got = next(in);
        if (section_end(in, "Velocities", row, h, got) != 0 || velocity(in, grains, places) != 0)
            return -1;
    }
    grains->has_velocities = 1;
    return no_more_rows(in, "Velocities", h);
}

static int file_read(reader *in, demo_grains *grains, place **places)
{
    header h = {0};
    const int title = line_read(in); /* the first line is a title, whatever it says */
    if (title <= 0)
        return title < 0 ? -1 : fail(in, "the file is empty");
    int got = 0, part = 1;
    while (part > 0) {
        got = next(in);
        if (got < 0)
            return -1;
        part = got == 0 ? 0 : header_line(in, grains, &h);
    }
    if (part < 0 || header_check(in, &h) != 0)
        return -1;
    grains->types = (int)h.types;
    for (; got == 1; got = next(in)) {
        if (in->words == 1 && strcmp(in->word[0], "Atoms") == 0) {
            if (grains->count != 0)
                return fail(in, "a second section Atoms");
            if (atoms_read(in, &h, grains, places) != 0)
                return -1;
        } else if (in->words == 1 && strcmp(in->word[0], "Velocities") == 0) {
            if (grains->count == 0)
                return fail(in, "Velocities come before Atoms");
            if (grains->has_velocities != 0)
                return fail(in, "a second section Velocities");
            if (velocities_read(in, &h, grains, *places) != 0)
                return -1;
        } else {
            return fail(in, "section or header line '%s' is not understood", in->word[0]);
        }
    }
    if (got < 0)
        return -1;
    return grains->count == 0 ? fail(in, "the section Atoms is missing") : 0;
}

int lammps_data_read(const char *path, demo_grains *grains)
{
    reader in = {.path = path};
    place *places = NULL;
    memset(grains, 0, sizeof *grains);
    in.stream = fopen(path, "r");
    if (in.stream == NULL)
        return fail(&in, "cannot open: %s", strerror(errno));
    const int bad = file_read(&in, grains, &places);
    fclose(in.stream);
    free(in.line);
    free(places);
    if (bad != 0)
        demo_grains_free(grains);
    return bad;
}

void demo_grains_free(demo_grains *grains)
{
    free(grains->grain);
    memset(grains, 0, sizeof *grains);
}
