/* SPDX-License-Identifier: MIT */
/**
 * @file stream.h
 * The frame of a snapshot and its sections, as docs/checkpoint.md describes them; that of packed
 * bytes has one word less.
 */
#ifndef DEM_TEST_STREAM_H
#define DEM_TEST_STREAM_H

#include <stdint.h>
#include <string.h>

static inline uint64_t stream_word(const unsigned char *bytes, uint64_t k)
{
    uint64_t word = 0;
    for (int m = 7; m >= 0; --m)
        word = word << 8 | bytes[8 * k + (uint64_t)m];
    return word;
}

static inline void stream_word_set(unsigned char *bytes, uint64_t k, uint64_t word)
{
    for (int m = 0; m < 8; ++m)
        bytes[8 * k + (uint64_t)m] = (unsigned char)(word >> 8 * m);
}

static inline double stream_double(const unsigned char *bytes, uint64_t k)
{
    const uint64_t word = stream_word(bytes, k);
    double value;
    memcpy(&value, &word, sizeof(value));
    return value;
}

static inline void stream_double_set(unsigned char *bytes, uint64_t k, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof(word));
    stream_word_set(bytes, k, word);
}

/** Of the first words. */
static inline uint64_t stream_checksum(const unsigned char *bytes, uint64_t words)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (uint64_t k = 0; k < words; ++k) {
        h = (h ^ stream_word(bytes, k)) * UINT64_C(0x100000001b3);
        h ^= h >> 32;
    }
    return h;
}

/** Makes the checksum that of what is there. */
static inline void stream_sign(unsigned char *bytes, uint64_t size)
{
    stream_word_set(bytes, size / 8 - 1, stream_checksum(bytes, size / 8 - 1));
}

/** The word where the content of a section begins, or 0; its length is in the word before. head:
 * words before the first section. */
static inline uint64_t stream_section_after(uint64_t head, const unsigned char *bytes,
                                            uint64_t size, const char *tag)
{
    for (uint64_t k = head; k + 2 < size / 8; k += 2 + stream_word(bytes, k + 1))
        if (memcmp(bytes + 8 * k, tag, 8) == 0)
            return k + 2;
    return 0;
}

static inline uint64_t stream_section(const unsigned char *bytes, uint64_t size, const char *tag)
{
    return stream_section_after(4, bytes, size, tag);
}

#endif
