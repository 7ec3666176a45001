/* SPDX-License-Identifier: MIT */
/* The smallest PNG writer: 8-bit RGB, deflate's stored blocks, no compression. */
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

/* Packs rows, each with its filter byte 0, as a zlib stream of stored blocks. */
static size_t pack(unsigned char *out, int width, int height, const unsigned char *rgb)
{
    const size_t row = 3 * (size_t)width + 1, total = row * (size_t)height;
    size_t size = 0, left = 0;
    uint32_t a = 1, b = 0;
    out[size++] = 0x78;
    out[size++] = 0x01;
    for (size_t k = 0; k < total; ++k) {
        if (left == 0) {
            left = total - k < 65535 ? total - k : 65535;
            out[size++] = left == total - k;
            out[size++] = (unsigned char)left;
            out[size++] = (unsigned char)(left >> 8);
            out[size++] = (unsigned char)~left;
            out[size++] = (unsigned char)(~left >> 8);
        }
        const size_t column = k % row;
        const unsigned char byte = column == 0 ? 0 : rgb[k / row * (row - 1) + column - 1];
        out[size++] = byte;
        a = (a + byte) % 65521u;
        b = (b + a) % 65521u;
        --left;
    }
    word(out + size, b << 16 | a);
    return size + 4;
}

int png_write(const char *folder, const char *name, int width, int height, const unsigned char *rgb)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const size_t total = (3 * (size_t)width + 1) * (size_t)height;
    unsigned char *packed = malloc(total + total / 65535 * 5 + 16);
    unsigned char header[13] = {0};
    demo_file file;
    if (packed == NULL) {
        fprintf(stderr, "%s/%s: no memory for the picture\n", folder, name);
        return -1;
    }
    if (demo_file_open(&file, folder, name) != 0) {
        free(packed);
        return -1;
    }
    word(header, (uint32_t)width);
    word(header + 4, (uint32_t)height);
    header[8] = 8; /* bits */
    header[9] = 2; /* RGB */
    demo_file_write(&file, signature, sizeof signature);
    chunk(&file, "IHDR", header, sizeof header);
    chunk(&file, "IDAT", packed, pack(packed, width, height, rgb));
    chunk(&file, "IEND", header, 0);
    free(packed);
    return demo_file_close(&file);
}
