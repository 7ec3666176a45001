/* SPDX-License-Identifier: MIT */
/* Streams of 64-bit unsigned integers (u64), each stored with its lowest byte first on every
 * machine, with a running checksum. A u64 is a number, the bits of a double, or two u32. Lengths
 * count u64.
 *
 * The checksum starts from 0xcbf29ce484222325; for each u64 w: h = (h ^ w) * 0x100000001b3, then
 * h = h ^ (h >> 32). Each step can be undone, so damage to one u64 never goes unnoticed. */
#ifndef DEMI_STREAM_H
#define DEMI_STREAM_H

#include <dem/base.h>
#include <string.h>

#define DEMI_STREAM_SEED UINT64_C(0xcbf29ce484222325)

static inline uint64_t demi_stream_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

static inline uint64_t demi_u64_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ------------------------------------------------------------------ writing */

/* Where bytes go. A status other than DEM_OK ends the writing. */
typedef dem_status demi_sink(void *user, const void *bytes, uint64_t size);
/* The sink of memory; `user` is an unsigned char **, which moves on. */
demi_sink demi_memory_sink;

enum { DEMI_BLOCK_U64 = 1024 };

typedef struct demi_writer {
    demi_sink *sink; /* NULL: only counts */
    void *user;
    uint64_t length, hash;
    dem_status status; /* the sink's first that was not DEM_OK; nothing is written after it */
    unsigned char block[8 * DEMI_BLOCK_U64];
} demi_writer;

void demi_writer_start(demi_writer *writer, demi_sink *sink, void *user);
/* Sends what is left in the block. */
void demi_writer_flush(demi_writer *writer);

void demi_write_u64(demi_writer *writer, uint64_t word);
/* Two u32 as one u64. */
void demi_write_u32(demi_writer *writer, uint32_t low, uint32_t high);
void demi_write_doubles(demi_writer *writer, const double *values, uint64_t count);
/* The length in bytes, then the bytes, filled up with zeros. */
void demi_write_text(demi_writer *writer, const char *text);
/* The tag (eight characters), the length of what `write` writes, and that. */
void demi_write_section(demi_writer *writer, const char *tag,
                        void (*write)(demi_writer *writer, const void *argument),
                        const void *argument);

/* ------------------------------------------------------------------ reading */

/* Reads give 0 once something was missing; `failed` is looked at afterwards. */
typedef struct demi_reader {
    const unsigned char *bytes; /* the next */
    uint64_t length;            /* left of this section, or of the whole */
    uint64_t outside;           /* left after this section */
    int failed;
} demi_reader;

void demi_reader_start(demi_reader *reader, const void *bytes, uint64_t length);

uint64_t demi_read_u64(demi_reader *reader);
void demi_read_u32(demi_reader *reader, uint32_t *low, uint32_t *high);
double demi_read_double(demi_reader *reader);
void demi_read_doubles(demi_reader *reader, double *values, uint64_t count);
/* Passes over `count` u64. */
void demi_reader_skip(demi_reader *reader, uint64_t count);
/* A text shorter than `size`, with its zero. */
void demi_read_text(demi_reader *reader, char *text, uint64_t size);
/* A count of things of at least `least` u64 each. The section must be long enough for them. */
uint64_t demi_read_count(demi_reader *reader, uint64_t least);
/* Whether a section with this tag comes next. */
int demi_section_next(const demi_reader *reader, const char *tag);
/* Enters a section, which must be the next and have this tag; leaves it, and it must be used up. */
void demi_read_section(demi_reader *reader, const char *tag);
void demi_leave_section(demi_reader *reader);

/* The checksum of `length` u64. */
uint64_t demi_stream_checksum(const void *bytes, uint64_t length);

#endif
