/* SPDX-License-Identifier: MIT */
/* Sequences of 64-bit words, each stored with its lowest byte first whatever the machine, with a
 * running checksum. Words stand for unsigned integers, for doubles by their bits, or for two halves
 * of 32 bits.
 *
 * The checksum starts from 0xcbf29ce484222325; for each word w: h = (h ^ w) * 0x100000001b3, then
 * h = h ^ (h >> 32). Each step can be undone, so damage to one word never goes unnoticed. */
#ifndef DEMI_WORDS_H
#define DEMI_WORDS_H

#include <dem/base.h>
#include <string.h>

#define DEMI_WORDS_SEED UINT64_C(0xcbf29ce484222325)

static inline uint64_t demi_words_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

static inline uint64_t demi_word_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

/* ------------------------------------------------------------------ writing */

/* Where bytes go. A status other than DEM_OK ends the writing. */
typedef dem_status demi_sink(void *user, const void *bytes, uint64_t size);

enum { DEMI_BLOCK_WORDS = 1024 };

typedef struct demi_writer {
    demi_sink *sink; /* NULL: only counts */
    void *user;
    uint64_t words, hash;
    dem_status status; /* the sink's first that was not DEM_OK; nothing is written after it */
    unsigned char block[8 * DEMI_BLOCK_WORDS];
} demi_writer;

void demi_writer_start(demi_writer *writer, demi_sink *sink, void *user);
/* Sends what is left in the block. */
void demi_writer_flush(demi_writer *writer);

void demi_put(demi_writer *writer, uint64_t word);
void demi_put_halves(demi_writer *writer, uint32_t low, uint32_t high);
void demi_put_doubles(demi_writer *writer, const double *values, uint64_t count);
/* The length in bytes, then the bytes, filled up with zeros. */
void demi_put_text(demi_writer *writer, const char *text);
/* The tag (eight characters), the length of what `write` writes, in words, and that. */
void demi_put_section(demi_writer *writer, const char *tag,
                      void (*write)(demi_writer *writer, const void *argument),
                      const void *argument);

/* ------------------------------------------------------------------ reading */

/* Reads give 0 once something was missing; `failed` is looked at afterwards. */
typedef struct demi_reader {
    const unsigned char *bytes; /* the next */
    uint64_t words;             /* left of this section, or of the whole */
    uint64_t outside;           /* left after this section */
    int failed;
} demi_reader;

void demi_reader_start(demi_reader *reader, const void *bytes, uint64_t words);

uint64_t demi_take(demi_reader *reader);
void demi_take_halves(demi_reader *reader, uint32_t *low, uint32_t *high);
double demi_take_double(demi_reader *reader);
void demi_take_doubles(demi_reader *reader, double *values, uint64_t count);
/* A text shorter than `size`, with its zero. */
void demi_take_text(demi_reader *reader, char *text, uint64_t size);
/* A count of things of at least `words` each, of which the section must have as many. */
uint64_t demi_take_count(demi_reader *reader, uint64_t words);
/* Enters a section, which must be the next and have this tag; leaves it, and it must be used up. */
void demi_take_section(demi_reader *reader, const char *tag);
void demi_leave_section(demi_reader *reader);

/* The checksum of a number of words. */
uint64_t demi_words_checksum(const void *bytes, uint64_t words);

#endif
