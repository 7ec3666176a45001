/* SPDX-License-Identifier: MIT */
/* What packed contacts and packed particles share: the frame around their sections, and how a
 * section that counts something begins.
 *
 * Words of 64 bits, lowest byte first: magic, version, length in bytes; sections; checksum. */
#ifndef DEMI_PACKED_H
#define DEMI_PACKED_H

#include "base/context.h"
#include "io/stream.h"

/* Words before the sections and after them. */
enum { DEMI_PACKED_HEAD = 3, DEMI_PACKED_TAIL = 1 };

/* A kind of packed bytes. */
typedef struct demi_packed {
    const char *of;    /* "contacts": what messages begin with */
    const char *magic; /* 8 bytes that are not text, with line ends that a transfer would change */
    const char *call;  /* that writes them */
    uint64_t version;  /* the newest */
} demi_packed;

/* What is written into memory: bytes up to `to`, and their checksum. */
typedef struct demi_bytes {
    unsigned char *to;
    uint64_t hash;
} demi_bytes;

/* What was stored from `to` on belongs to it. */
static inline void demi_bytes_end(demi_bytes *bytes, unsigned char *to)
{
    bytes->hash = demi_stream_sum(bytes->hash, bytes->to, to);
    bytes->to = to;
}

/* The head of a section whose length is known. */
static inline unsigned char *demi_put_head(unsigned char *to, const char *tag, uint64_t length)
{
    to = demi_put_u64(to, demi_u64_load((const unsigned char *)tag));
    return demi_put_u64(to, length);
}

/* A writer for what comes next, and its end. */
void demi_bytes_writer(demi_bytes *bytes, demi_writer *writer);
void demi_bytes_written(demi_bytes *bytes, demi_writer *writer);

void demi_packed_begin(const demi_packed *packed, uint64_t version, demi_writer *out,
                       uint64_t bytes);

/* Head and checksum; on success the reader is at the first section, and ends before the checksum.
 */
dem_status demi_packed_frame(demi_context *context, const demi_packed *packed, demi_reader *in,
                             const void *buffer, uint64_t size);

/* Enters a section and reads how many of `what` it has, each of at least so many words. */
dem_status demi_packed_count(demi_context *context, const demi_packed *packed, demi_reader *in,
                             const char *tag, const char *what, uint64_t least, uint64_t *count);

#endif
