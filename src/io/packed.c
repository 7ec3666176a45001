/* SPDX-License-Identifier: MIT */
#include "io/packed.h"

void demi_bytes_writer(demi_bytes *bytes, demi_writer *writer)
{
    demi_writer_start(writer, demi_memory_sink, &bytes->to);
    writer->hash = bytes->hash;
}

void demi_bytes_written(demi_bytes *bytes, demi_writer *writer)
{
    demi_writer_flush(writer);
    bytes->hash = writer->hash;
}

void demi_packed_begin(const demi_packed *packed, uint64_t version, demi_writer *out,
                       uint64_t bytes)
{
    demi_reader magic;
    demi_reader_start(&magic, packed->magic, 1);
    demi_write_u64(out, demi_read_u64(&magic));
    demi_write_u64(out, version);
    demi_write_u64(out, bytes);
}

dem_status demi_packed_frame(demi_context *context, const demi_packed *packed, demi_reader *in,
                             const void *buffer, uint64_t size)
{
    const uint64_t length = size / 8;
    demi_reader magic, tail;
    demi_reader_start(&magic, packed->magic, 1);
    demi_reader_start(in, buffer, length);
    if (length < DEMI_PACKED_HEAD + DEMI_PACKED_TAIL || demi_read_u64(in) != demi_read_u64(&magic))
        return demi_fail(
            context, DEM_ERROR_FORMAT,
            "%s: these %llu bytes are no packed %s: give what %s wrote, from its first "
            "byte on",
            packed->of, (unsigned long long)size, packed->of, packed->call);
    const uint64_t version = demi_read_u64(in), bytes = demi_read_u64(in);
    if (version == 0 || version > packed->version)
        return demi_fail(context, DEM_ERROR_FORMAT, "%s: version %llu is not in [1, %llu]: %s",
                         packed->of, (unsigned long long)version,
                         (unsigned long long)packed->version, DEMI_VERSION_REMEDY(version));
    if (bytes != size || size % 8 != 0)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "%s: %llu bytes are given, and %llu were written: give all of them, and "
                         "no more",
                         packed->of, (unsigned long long)size, (unsigned long long)bytes);
    demi_reader_start(&tail, (const unsigned char *)buffer + 8 * (length - DEMI_PACKED_TAIL), 1);
    if (!demi_stream_intact(buffer, length - DEMI_PACKED_TAIL, demi_read_u64(&tail)))
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "%s: they are damaged, because the checksum of their %llu bytes is wrong: "
                         "pack and send them again",
                         packed->of, (unsigned long long)size);
    in->length -= DEMI_PACKED_TAIL;
    return DEM_OK;
}

dem_status demi_packed_count(demi_context *context, const demi_packed *packed, demi_reader *in,
                             const char *tag, const char *what, uint64_t least, uint64_t *count)
{
    *count = 0;
    demi_read_section(in, tag);
    demi_reader peek = *in;
    const uint64_t said = demi_read_u64(&peek);
    if (peek.failed)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "%s: the section of %s is missing, or longer than the bytes are: pack and "
                         "send them again",
                         packed->of, what);
    *count = demi_read_count(in, least);
    if (in->failed)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "%s: there are said to be %llu %s, and their section has room for %llu: "
                         "pack and send them again",
                         packed->of, (unsigned long long)said, what,
                         (unsigned long long)(peek.length / least));
    return DEM_OK;
}
