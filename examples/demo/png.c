/* SPDX-License-Identifier: MIT */
/* A small PNG writer: 8-bit RGB, one block of deflate with its fixed codes. */
#include "demo.h"

#include <stdlib.h>
#include <string.h>

static uint32_t crc_table(uint32_t byte)
{
    uint32_t c = byte;
    for (int k = 0; k < 8; ++k)
        c = (c & 1u) != 0 ? 0xedb88320u ^ (c >> 1) : c >> 1;
    return c;
}

static void word(unsigned char out[4], uint32_t value)
{
    for (int k = 0; k < 4; ++k)
        out[k] = (unsigned char)(value >> (24 - 8 * k));
}

static void chunk(demo_file *file, const char *type, const unsigned char *data, size_t size)
{
    static uint32_t table[256];
    unsigned char number[4];
    if (table[1] == 0)
        for (uint32_t k = 0; k < 256; ++k)
            table[k] = crc_table(k);
    uint32_t crc = 0xffffffffu;
    for (int k = 0; k < 4; ++k)
        crc = table[(crc ^ (unsigned char)type[k]) & 255u] ^ (crc >> 8);
    for (size_t k = 0; k < size; ++k)
        crc = table[(crc ^ data[k]) & 255u] ^ (crc >> 8);
    word(number, (uint32_t)size);
    demo_file_write(file, number, 4);
    demo_file_write(file, type, 4);
    demo_file_write(file, data, size);
    word(number, crc ^ 0xffffffffu);
    demo_file_write(file, number, 4);
}

/* Bits of a deflate stream, the lowest first. */
typedef struct bits {
    unsigned char *out;
    size_t size;
    uint32_t held;
    int count;
} bits;

static void bits_put(bits *b, uint32_t value, int count)
{
    b->held |= value << b->count;
    b->count += count;
    while (b->count >= 8) {
        b->out[b->size++] = (unsigned char)b->held;
        b->held >>= 8;
        b->count -= 8;
    }
}

/* A code of the fixed table of deflate, whose first bit is the highest. */
static void code_put(bits *b, uint32_t code, int count)
{
    uint32_t turned = 0;
    for (int k = 0; k < count; ++k)
        turned |= (code >> k & 1u) << (count - 1 - k);
    bits_put(b, turned, count);
}

static void symbol_put(bits *b, uint32_t symbol)
{
    if (symbol < 144)
        code_put(b, 48 + symbol, 8);
    else if (symbol < 256)
        code_put(b, 400 + symbol - 144, 9);
    else if (symbol < 280)
        code_put(b, symbol - 256, 7);
    else
        code_put(b, 192 + symbol - 280, 8);
}

/* Says: `length` bytes (3 to 258) as `distance` (1 to 32768) before. Above the first values, each
 * further 4 lengths or 2 distances of a row have one more extra bit. */
static void match_put(bits *b, uint32_t length, uint32_t distance)
{
    const uint32_t l = length - 3, d = distance - 1;
    int extra = 0;
    if (l == 255) {
        symbol_put(b, 285);
    } else if (l < 8) {
        symbol_put(b, 257 + l);
    } else {
        while (l >> (extra + 3) != 0)
            ++extra;
        symbol_put(b, 257 + 4 * (uint32_t)extra + (l >> extra));
        bits_put(b, l & ((1u << extra) - 1u), extra);
    }
    extra = 0;
    if (d < 4) {
        code_put(b, d, 5);
    } else {
        while (d >> (extra + 2) != 0)
            ++extra;
        code_put(b, 2 * (uint32_t)extra + (d >> extra), 5);
        bits_put(b, d & ((1u << extra) - 1u), extra);
    }
}

static uint32_t match_length(const unsigned char *data, size_t at, size_t before, size_t total)
{
    uint32_t length = 0;
    while (length < 258 && at + length < total && data[before + length] == data[at + length])
        ++length;
    return length;
}

/* One block with the fixed codes: each three bytes are looked for where they were last. */
static void deflate(bits *b, const unsigned char *data, size_t total)
{
    enum { PLACES = 1 << 15 };
    static size_t last[PLACES]; /* place + 1; 0: none */
    memset(last, 0, sizeof last);
    bits_put(b, 3, 3); /* the last block, fixed codes */
    for (size_t k = 0; k < total;) {
        uint32_t length = 0;
        size_t before = 0;
        if (k + 2 < total) {
            const uint32_t three =
                (uint32_t)data[k] << 16 | (uint32_t)data[k + 1] << 8 | (uint32_t)data[k + 2];
            size_t *place = &last[(three * 2654435761u) >> 17];
            before = *place;
            *place = k + 1;
            if (before != 0 && k + 1 - before <= 32768)
                length = match_length(data, k, before - 1, total);
        }
        if (length >= 3) {
            match_put(b, length, (uint32_t)(k + 1 - before));
            k += length;
        } else {
            symbol_put(b, data[k++]);
        }
    }
    symbol_put(b, 256);
    bits_put(b, 0, 7); /* the last bits */
}

/* Differences from the pixel before make rows with filter byte 1. */
static void filter(unsigned char *out, int width, int height, const unsigned char *rgb)
{
    const size_t row = 3 * (size_t)width;
    for (size_t j = 0; j < (size_t)height; ++j) {
        *out++ = 1;
        for (size_t k = 0; k < row; ++k) {
            const unsigned char *at = rgb + j * row + k;
            *out++ = (unsigned char)(*at - (k < 3 ? 0 : at[-3]));
        }
    }
}

/* Packs rows as a zlib stream; `out` has room for 9 bits a byte, and 64 bytes. */
static size_t pack(unsigned char *out, const unsigned char *rows, size_t total)
{
    bits b = {out, 2, 0, 0};
    uint32_t low = 1, high = 0;
    out[0] = 0x78;
    out[1] = 0x01;
    deflate(&b, rows, total);
    for (size_t k = 0; k < total; ++k) {
        low = (low + rows[k]) % 65521u;
        high = (high + low) % 65521u;
    }
    word(out + b.size, high << 16 | low);
    return b.size + 4;
}

int png_write(const char *folder, const char *name, int width, int height, const unsigned char *rgb)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const size_t total = (3 * (size_t)width + 1) * (size_t)height;
    unsigned char *rows = malloc(total);
    unsigned char *packed = malloc(total + total / 8 + 64);
    unsigned char header[13] = {0};
    demo_file file;
    if (rows == NULL || packed == NULL) {
        fprintf(stderr, "%s/%s: no memory for the picture\n", folder, name);
        free(rows);
        free(packed);
        return -1;
    }
    if (demo_file_open(&file, folder, name) != 0) {
        free(rows);
        free(packed);
        return -1;
    }
    filter(rows, width, height, rgb);
    word(header, (uint32_t)width);
    word(header + 4, (uint32_t)height);
    header[8] = 8; /* bits */
    header[9] = 2; /* RGB */
    demo_file_write(&file, signature, sizeof signature);
    chunk(&file, "IHDR", header, sizeof header);
    chunk(&file, "IDAT", packed, pack(packed, rows, total));
    chunk(&file, "IEND", header, 0);
    free(rows);
    free(packed);
    return demo_file_close(&file);
}
