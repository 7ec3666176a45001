/* SPDX-License-Identifier: MIT */
#include "io/words.h"

/* Compilers make one load or store of these where the machine stores the lowest byte first. */
static void word_store(unsigned char *to, uint64_t word)
{
    for (int k = 0; k < 8; ++k)
        to[k] = (unsigned char)(word >> (8 * k));
}

static uint64_t word_load(const unsigned char *from)
{
    uint64_t word = 0;
    for (int k = 0; k < 8; ++k)
        word |= (uint64_t)from[k] << (8 * k);
    return word;
}

void demi_writer_start(demi_writer *writer, demi_sink *sink, void *user)
{
    writer->sink = sink;
    writer->user = user;
    writer->words = 0;
    writer->hash = DEMI_WORDS_SEED;
    writer->status = DEM_OK;
}

static void writer_send(demi_writer *writer, uint64_t words)
{
    if (writer->sink != NULL && writer->status == DEM_OK && words > 0)
        writer->status = writer->sink(writer->user, writer->block, 8 * words);
}

void demi_writer_flush(demi_writer *writer)
{
    writer_send(writer, writer->words % DEMI_BLOCK_WORDS);
}

void demi_put(demi_writer *writer, uint64_t word)
{
    if (writer->sink != NULL) {
        word_store(writer->block + 8 * (writer->words % DEMI_BLOCK_WORDS), word);
        writer->hash = demi_words_hash(writer->hash, word);
    }
    if (++writer->words % DEMI_BLOCK_WORDS == 0)
        writer_send(writer, DEMI_BLOCK_WORDS);
}

void demi_put_halves(demi_writer *writer, uint32_t low, uint32_t high)
{
    demi_put(writer, low | (uint64_t)high << 32);
}

void demi_put_doubles(demi_writer *writer, const double *values, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        demi_put(writer, demi_word_of(values[k]));
}

void demi_put_text(demi_writer *writer, const char *text)
{
    const uint64_t size = strlen(text);
    demi_put(writer, size);
    for (uint64_t k = 0; k < size; k += 8) {
        uint64_t word = 0;
        for (uint64_t m = k; m < k + 8 && m < size; ++m)
            word |= (uint64_t)(unsigned char)text[m] << (8 * (m - k));
        demi_put(writer, word);
    }
}

static uint64_t tag_word(const char *tag)
{
    return word_load((const unsigned char *)tag);
}

void demi_put_section(demi_writer *writer, const char *tag,
                      void (*write)(demi_writer *writer, const void *argument),
                      const void *argument)
{
    demi_writer count;
    demi_writer_start(&count, NULL, NULL);
    write(&count, argument);
    demi_put(writer, tag_word(tag));
    demi_put(writer, count.words);
    if (writer->sink != NULL)
        write(writer, argument);
    else
        writer->words += count.words;
}

void demi_reader_start(demi_reader *reader, const void *bytes, uint64_t words)
{
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->words = words;
}

uint64_t demi_take(demi_reader *reader)
{
    if (reader->words == 0 || reader->failed) {
        reader->failed = 1;
        return 0;
    }
    const uint64_t word = word_load(reader->bytes);
    reader->bytes += 8;
    reader->words--;
    return word;
}

void demi_take_halves(demi_reader *reader, uint32_t *low, uint32_t *high)
{
    const uint64_t word = demi_take(reader);
    *low = (uint32_t)word;
    *high = (uint32_t)(word >> 32);
}

double demi_take_double(demi_reader *reader)
{
    const uint64_t word = demi_take(reader);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

void demi_take_doubles(demi_reader *reader, double *values, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        values[k] = demi_take_double(reader);
}

void demi_take_text(demi_reader *reader, char *text, uint64_t size)
{
    const uint64_t length = demi_take(reader);
    memset(text, 0, (size_t)size);
    if (length >= size) {
        reader->failed = 1;
        return;
    }
    uint64_t word = 0;
    for (uint64_t k = 0; k < length; ++k) {
        if (k % 8 == 0)
            word = demi_take(reader);
        text[k] = (char)(unsigned char)(word >> (8 * (k % 8)));
    }
}

uint64_t demi_take_count(demi_reader *reader, uint64_t words)
{
    const uint64_t count = demi_take(reader);
    if (reader->failed || count > reader->words / words) {
        reader->failed = 1;
        return 0;
    }
    return count;
}

void demi_take_section(demi_reader *reader, const char *tag)
{
    const uint64_t found = demi_take(reader), words = demi_take(reader);
    if (reader->failed || found != tag_word(tag) || words > reader->words) {
        reader->failed = 1;
        return;
    }
    reader->outside = reader->words - words;
    reader->words = words;
}

void demi_leave_section(demi_reader *reader)
{
    if (reader->words != 0)
        reader->failed = 1;
    reader->words = reader->outside;
    reader->outside = 0;
}

uint64_t demi_words_checksum(const void *bytes, uint64_t words)
{
    const unsigned char *from = bytes;
    uint64_t hash = DEMI_WORDS_SEED;
    for (uint64_t k = 0; k < words; ++k)
        hash = demi_words_hash(hash, word_load(from + 8 * k));
    return hash;
}
