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

/* What to do about bytes of a version that this library does not know. */
#define DEMI_VERSION_REMEDY(version)                                                               \
    ((version) == 0 ? "the bytes are damaged: take another copy" : "use a newer library")

static inline uint64_t demi_stream_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

/* The sum before the word. */
static inline uint64_t demi_stream_unhash(uint64_t hash, uint64_t word)
{
    return (hash ^ hash >> 32) * UINT64_C(0xce965057aff6957b) ^ word;
}

static inline uint64_t demi_u64_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* Compilers make one load or store of these where the machine stores the lowest byte first; of a
 * loop they do not. */
static inline void demi_u64_store(unsigned char *to, uint64_t word)
{
    to[0] = (unsigned char)word;
    to[1] = (unsigned char)(word >> 8);
    to[2] = (unsigned char)(word >> 16);
    to[3] = (unsigned char)(word >> 24);
    to[4] = (unsigned char)(word >> 32);
    to[5] = (unsigned char)(word >> 40);
    to[6] = (unsigned char)(word >> 48);
    to[7] = (unsigned char)(word >> 56);
}

static inline uint64_t demi_u64_load(const unsigned char *from)
{
    return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
           (uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 |
           (uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

/* Words that are stored where there is room for them; each tells where the next one goes. */
static inline unsigned char *demi_put_u64(unsigned char *to, uint64_t word)
{
    demi_u64_store(to, word);
    return to + 8;
}

static inline unsigned char *demi_put_u32(unsigned char *to, uint32_t low, uint32_t high)
{
    return demi_put_u64(to, low | (uint64_t)high << 32);
}

static inline unsigned char *demi_put_doubles(unsigned char *to, const double *values,
                                              uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        to = demi_put_u64(to, demi_u64_of(values[k]));
    return to;
}

/* The sum after the words that lie from one place to another. */
static inline uint64_t demi_stream_sum(uint64_t hash, const unsigned char *from,
                                       const unsigned char *to)
{
    for (; from < to; from += 8)
        hash = demi_stream_hash(hash, demi_u64_load(from));
    return hash;
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

/* Sends a block that is full. */
void demi_writer_send(demi_writer *writer);

static inline void demi_write_u64(demi_writer *writer, uint64_t word)
{
    if (writer->sink != NULL) {
        demi_u64_store(writer->block + 8 * (writer->length % DEMI_BLOCK_U64), word);
        writer->hash = demi_stream_hash(writer->hash, word);
    }
    if (++writer->length % DEMI_BLOCK_U64 == 0)
        demi_writer_send(writer);
}

/* Two u32 as one u64. */
static inline void demi_write_u32(demi_writer *writer, uint32_t low, uint32_t high)
{
    demi_write_u64(writer, low | (uint64_t)high << 32);
}

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

static inline uint64_t demi_read_u64(demi_reader *reader)
{
    if (reader->length == 0 || reader->failed) {
        reader->failed = 1;
        return 0;
    }
    const uint64_t word = demi_u64_load(reader->bytes);
    reader->bytes += 8;
    reader->length--;
    return word;
}

/* Passes over `count` u64. */
static inline void demi_reader_skip(demi_reader *reader, uint64_t count)
{
    if (count > reader->length || reader->failed) {
        reader->failed = 1;
        return;
    }
    reader->bytes += 8 * count;
    reader->length -= count;
}

static inline void demi_read_u32(demi_reader *reader, uint32_t *low, uint32_t *high)
{
    const uint64_t word = demi_read_u64(reader);
    *low = (uint32_t)word;
    *high = (uint32_t)(word >> 32);
}

static inline double demi_read_double(demi_reader *reader)
{
    const uint64_t word = demi_read_u64(reader);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static inline void demi_read_doubles(demi_reader *reader, double *values, uint64_t count)
{
    const unsigned char *from = reader->bytes;
    demi_reader_skip(reader, count);
    if (reader->failed)
        memset(values, 0, (size_t)count * sizeof *values);
    for (uint64_t k = 0; !reader->failed && k < count; ++k) {
        const uint64_t word = demi_u64_load(from + 8 * k);
        memcpy(&values[k], &word, sizeof word);
    }
}

/* A text shorter than `size`, with its zero. */
void demi_read_text(demi_reader *reader, char *text, uint64_t size);
/* A count of things of at least `least` u64 each. The section must be long enough for them. */
uint64_t demi_read_count(demi_reader *reader, uint64_t least);
/* Whether a section with this tag comes next. */
int demi_section_next(const demi_reader *reader, const char *tag);
/* Enters a section, which must be the next and have this tag; leaves it, and it must be used up. */
void demi_read_section(demi_reader *reader, const char *tag);
void demi_leave_section(demi_reader *reader);

/* Whether the checksum is that of `length` u64. */
int demi_stream_intact(const void *bytes, uint64_t length, uint64_t checksum);

#endif
