/* SPDX-License-Identifier: MIT */
#include "io/stream.h"

/* Compilers make one load or store of these where the machine stores the lowest byte first; of a
 * loop they do not. */
static void u64_store(unsigned char *to, uint64_t word)
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

static uint64_t u64_load(const unsigned char *from)
{
    return (uint64_t)from[0] | (uint64_t)from[1] << 8 | (uint64_t)from[2] << 16 |
           (uint64_t)from[3] << 24 | (uint64_t)from[4] << 32 | (uint64_t)from[5] << 40 |
           (uint64_t)from[6] << 48 | (uint64_t)from[7] << 56;
}

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

void demi_write_u64(demi_writer *writer, uint64_t word)
{
    if (writer->sink != NULL) {
        u64_store(writer->block + 8 * (writer->length % DEMI_BLOCK_U64), word);
        writer->hash = demi_stream_hash(writer->hash, word);
    }
    if (++writer->length % DEMI_BLOCK_U64 == 0)
        writer_send(writer, DEMI_BLOCK_U64);
}

void demi_write_u32(demi_writer *writer, uint32_t low, uint32_t high)
{
    demi_write_u64(writer, low | (uint64_t)high << 32);
}

/* Stores words that the block has room for. */
static void block_store(demi_writer *writer, const double *values, uint64_t count)
{
    unsigned char *to = writer->block + 8 * (writer->length % DEMI_BLOCK_U64);
    uint64_t hash = writer->hash;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t word = demi_u64_of(values[k]);
        u64_store(to + 8 * k, word);
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
    return u64_load((const unsigned char *)tag);
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

uint64_t demi_read_u64(demi_reader *reader)
{
    if (reader->length == 0 || reader->failed) {
        reader->failed = 1;
        return 0;
    }
    const uint64_t word = u64_load(reader->bytes);
    reader->bytes += 8;
    reader->length--;
    return word;
}

void demi_reader_skip(demi_reader *reader, uint64_t count)
{
    if (count > reader->length || reader->failed) {
        reader->failed = 1;
        return;
    }
    reader->bytes += 8 * count;
    reader->length -= count;
}

void demi_read_u32(demi_reader *reader, uint32_t *low, uint32_t *high)
{
    const uint64_t word = demi_read_u64(reader);
    *low = (uint32_t)word;
    *high = (uint32_t)(word >> 32);
}

double demi_read_double(demi_reader *reader)
{
    const uint64_t word = demi_read_u64(reader);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

void demi_read_doubles(demi_reader *reader, double *values, uint64_t count)
{
    const unsigned char *from = reader->bytes;
    demi_reader_skip(reader, count);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t word = reader->failed ? 0 : u64_load(from + 8 * k);
        memcpy(&values[k], &word, sizeof word);
    }
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
    return reader->length > 0 && !reader->failed && u64_load(reader->bytes) == tag_u64(tag);
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

uint64_t demi_stream_checksum(const void *bytes, uint64_t length)
{
    const unsigned char *from = bytes;
    uint64_t hash = DEMI_STREAM_SEED;
    for (uint64_t k = 0; k < length; ++k)
        hash = demi_stream_hash(hash, u64_load(from + 8 * k));
    return hash;
}
