/* SPDX-License-Identifier: MIT */
#include "io/stream.h"

dem_status demi_memory_sink(void *user, const void *bytes, uint64_t size)
{
    unsigned char **to = user;
    memcpy(*to, bytes, (size_t)size);
    *to += size;
    return DEM_OK;
}

void demi_writer_start(demi_writer *writer, demi_sink *sink, void *user)
{
    writer->sink = sink;
    writer->user = user;
    writer->length = 0;
    writer->hash = DEMI_STREAM_SEED;
    writer->status = DEM_OK;
}

static void writer_send(demi_writer *writer, uint64_t length)
{
    if (writer->sink != NULL && writer->status == DEM_OK && length > 0)
        writer->status = writer->sink(writer->user, writer->block, 8 * length);
}

void demi_writer_flush(demi_writer *writer)
{
    writer_send(writer, writer->length % DEMI_BLOCK_U64);
}

void demi_writer_send(demi_writer *writer)
{
    writer_send(writer, DEMI_BLOCK_U64);
}

/* Stores words that the block has room for. */
static void block_store(demi_writer *writer, const double *values, uint64_t count)
{
    unsigned char *to = writer->block + 8 * (writer->length % DEMI_BLOCK_U64);
    uint64_t hash = writer->hash;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t word = demi_u64_of(values[k]);
        demi_u64_store(to + 8 * k, word);
        hash = demi_stream_hash(hash, word);
    }
    writer->hash = hash;
}

void demi_write_doubles(demi_writer *writer, const double *values, uint64_t count)
{
    while (count > 0) {
        const uint64_t room = DEMI_BLOCK_U64 - writer->length % DEMI_BLOCK_U64,
                       n = count < room ? count : room;
        if (writer->sink != NULL)
            block_store(writer, values, n);
        writer->length += n;
        if (n == room)
            writer_send(writer, DEMI_BLOCK_U64);
        values += n;
        count -= n;
    }
}

void demi_write_text(demi_writer *writer, const char *text)
{
    const uint64_t size = strlen(text);
    demi_write_u64(writer, size);
    for (uint64_t k = 0; k < size; k += 8) {
        uint64_t word = 0;
        for (uint64_t m = k; m < k + 8 && m < size; ++m)
            word |= (uint64_t)(unsigned char)text[m] << (8 * (m - k));
        demi_write_u64(writer, word);
    }
}

static uint64_t tag_u64(const char *tag)
{
    return demi_u64_load((const unsigned char *)tag);
}

void demi_write_section(demi_writer *writer, const char *tag,
                        void (*write)(demi_writer *writer, const void *argument),
                        const void *argument)
{
    demi_writer count;
    demi_writer_start(&count, NULL, NULL);
    write(&count, argument);
    demi_write_u64(writer, tag_u64(tag));
    demi_write_u64(writer, count.length);
    if (writer->sink != NULL)
        write(writer, argument);
    else
        writer->length += count.length;
}

void demi_reader_start(demi_reader *reader, const void *bytes, uint64_t length)
{
    memset(reader, 0, sizeof *reader);
    reader->bytes = bytes;
    reader->length = length;
}

void demi_read_text(demi_reader *reader, char *text, uint64_t size)
{
    const uint64_t length = demi_read_u64(reader);
    memset(text, 0, (size_t)size);
    if (length >= size) {
        reader->failed = 1;
        return;
    }
    uint64_t word = 0;
    for (uint64_t k = 0; k < length; ++k) {
        if (k % 8 == 0)
            word = demi_read_u64(reader);
        text[k] = (char)(unsigned char)(word >> (8 * (k % 8)));
        if (text[k] == 0) /* a text of this length has none: it would be another, shorter one */
            reader->failed = 1;
    }
}

uint64_t demi_read_count(demi_reader *reader, uint64_t least)
{
    const uint64_t count = demi_read_u64(reader);
    if (reader->failed || count > reader->length / least) {
        reader->failed = 1;
        return 0;
    }
    return count;
}

int demi_section_next(const demi_reader *reader, const char *tag)
{
    return reader->length > 0 && !reader->failed && demi_u64_load(reader->bytes) == tag_u64(tag);
}

void demi_read_section(demi_reader *reader, const char *tag)
{
    const uint64_t found = demi_read_u64(reader), length = demi_read_u64(reader);
    if (reader->failed || found != tag_u64(tag) || length > reader->length) {
        reader->failed = 1;
        return;
    }
    reader->outside = reader->length - length;
    reader->length = length;
}

void demi_leave_section(demi_reader *reader)
{
    if (reader->length != 0)
        reader->failed = 1;
    reader->length = reader->outside;
    reader->outside = 0;
}

/* A sum waits for the one before it, so it is made from both ends: each step can be undone. */
int demi_stream_intact(const void *bytes, uint64_t length, uint64_t checksum)
{
    const unsigned char *from = bytes, *to = from + 8 * length;
    uint64_t before = DEMI_STREAM_SEED, after = checksum;
    for (; to - from >= 16; from += 8) {
        to -= 8;
        before = demi_stream_hash(before, demi_u64_load(from));
        after = demi_stream_unhash(after, demi_u64_load(to));
    }
    return demi_stream_sum(before, from, to) == after;
}
