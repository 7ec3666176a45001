/* SPDX-License-Identifier: MIT */
/* Snapshots as a whole: frame, checksum, and the exchange of a world for another. */
#include <dem/snapshot.h>

#include "base/pool.h"
#include "io/file.h"
#include "io/sections.h"

/* The first word. Bytes that are not text, and line ends that a transfer as text would change. */
static const char snapshot_magic[] = "\x89"
                                     "DEM\r\n\x1a\n";

/* Words before the sections (magic, version, length, library), and after them (checksum). */
enum { HEAD_WORDS = 4, TAIL_WORDS = 1 };

static uint64_t snapshot_words(const dem_world *w)
{
    demi_writer count;
    demi_writer_start(&count, NULL, NULL);
    demi_put_config(&count, w);
    demi_put_sections(&count, w);
    return HEAD_WORDS + count.words + TAIL_WORDS;
}

static void put_snapshot(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    demi_reader magic;
    demi_reader_start(&magic, snapshot_magic, 1);
    demi_put(out, demi_take(&magic));
    demi_put(out, DEM_SNAPSHOT_VERSION);
    demi_put(out, 8 * snapshot_words(w));
    demi_put(out, DEM_VERSION);
    demi_put_config(out, w);
    demi_put_sections(out, w);
    demi_put(out, out->hash);
}

dem_status dem_world_snapshot_size(const dem_world *world, uint64_t *bytes)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (bytes == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "bytes: NULL");
    *bytes = 8 * snapshot_words(world);
    return DEM_OK;
}

static dem_status memory_put(void *user, const void *bytes, uint64_t size)
{
    unsigned char **to = user;
    memcpy(*to, bytes, (size_t)size);
    *to += size;
    return DEM_OK;
}

dem_status dem_world_snapshot(const dem_world *world, void *buffer, uint64_t size,
                              uint64_t *written)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (buffer == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "buffer: NULL");
    const uint64_t needed = 8 * snapshot_words(world);
    if (size < needed)
        return demi_fail(world->self, DEM_ERROR_RANGE,
                         "size: %llu bytes are fewer than the %llu of the snapshot",
                         (unsigned long long)size, (unsigned long long)needed);
    unsigned char *to = buffer;
    demi_writer writer;
    demi_writer_start(&writer, memory_put, &to);
    put_snapshot(&writer, world);
    demi_writer_flush(&writer);
    if (written != NULL)
        *written = needed;
    return DEM_OK;
}

/* The frame of a snapshot; afterwards the reader stands before the sections. */
static dem_status check_frame(demi_context *context, const void *buffer, uint64_t size,
                              demi_reader *reader)
{
    if (size < 8 * (HEAD_WORDS + TAIL_WORDS) || memcmp(buffer, snapshot_magic, 8) != 0)
        return demi_fail(context, DEM_ERROR_FORMAT, "snapshot: this is none of libdem");
    demi_reader_start(reader, buffer, size / 8);
    demi_take(reader);
    const uint64_t version = demi_take(reader), length = demi_take(reader);
    demi_take(reader);
    if (version == 0 || version > DEM_SNAPSHOT_VERSION)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "snapshot: format %llu is not among those known, 1 to %d",
                         (unsigned long long)version, DEM_SNAPSHOT_VERSION);
    if (length != size)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "snapshot: it has %llu bytes, and %llu were given",
                         (unsigned long long)length, (unsigned long long)size);
    demi_reader last;
    demi_reader_start(&last, (const unsigned char *)buffer + size - 8, 1);
    if (size % 8 != 0 || demi_words_checksum(buffer, size / 8 - 1) != demi_take(&last))
        return demi_fail(context, DEM_ERROR_FORMAT, "snapshot: damaged, its checksum is wrong");
    reader->words -= TAIL_WORDS;
    return DEM_OK;
}

/* A world as the snapshot has it, with the laws and hooks of another. */
static dem_status make_world(dem_world *world, demi_reader *reader, dem_world **made)
{
    demi_context *context = &world->context;
    dem_world_config config = world->config;
    demi_take_config(reader, &config);
    if (reader->failed)
        return demi_fail(context, DEM_ERROR_FORMAT, "snapshot: its configuration is not valid");
    config.struct_size = sizeof config;
    memset(&config.log, 0, sizeof config.log);
    config.threads = 1;
    dem_error error;
    dem_status status = dem_world_create(&config, made, &error);
    if (status != DEM_OK)
        return demi_fail(context, status == DEM_ERROR_MEMORY ? status : DEM_ERROR_FORMAT,
                         "snapshot: %.200s", error.message);
    const dem_law *laws = world->models.laws.data;
    for (uint64_t k = 0; status == DEM_OK && k < world->models.law_count; ++k)
        status = dem_world_law_register(*made, &laws[k]);
    if (status == DEM_OK)
        status = demi_take_sections(reader, *made);
    if (status != DEM_OK) {
        demi_report_error(context, "%s", dem_world_error(*made));
        dem_world_destroy(*made);
    }
    return status;
}

/* The world takes over what the other holds and keeps what the host gave it, and `held` bytes. */
static void exchange(dem_world *world, dem_world *other, uint64_t held)
{
    const dem_world old = *world;
    const uint64_t kept = demi_pool_bytes(old.pool) + held;
    *world = *other;
    world->self = &world->context;
    world->context = old.context;
    world->context.bytes = other->context.bytes + kept;
    world->context.message[0] = 0;
    world->pool = old.pool;
    world->config.allocator = old.config.allocator;
    world->config.log = old.config.log;
    world->config.executor = old.config.executor;
    world->config.threads = old.config.threads;
    world->generation = old.generation + 1;
    *other = old;
    other->self = &other->context;
    other->context.bytes = old.context.bytes - kept;
    other->pool = NULL;
}

/* Of the memory of the world's context, `held` bytes are not the world's. */
static dem_status world_restore(dem_world *world, const void *buffer, uint64_t size, uint64_t held)
{
    demi_reader reader;
    dem_world *made = NULL;
    dem_status status = check_frame(&world->context, buffer, size, &reader);
    if (status == DEM_OK)
        status = make_world(world, &reader, &made);
    if (status != DEM_OK)
        return status;
    exchange(world, made, held);
    dem_world_destroy(made);
    return DEM_OK;
}

dem_status dem_world_restore(dem_world *world, const void *buffer, uint64_t size)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (buffer == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "buffer: NULL");
    return world_restore(world, buffer, size, 0);
}

dem_status dem_world_save(const dem_world *world, const char *path)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (path == NULL || path[0] == 0)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "path: missing");
    return demi_file_save(world->self, path, put_snapshot, world);
}

dem_status dem_world_load(dem_world *world, const char *path)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (path == NULL || path[0] == 0)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "path: missing");
    void *bytes;
    uint64_t size;
    dem_status status = demi_file_load(&world->context, path, &bytes, &size);
    if (status != DEM_OK)
        return status;
    status = world_restore(world, bytes, size, size);
    demi_release(&world->context, bytes, size);
    return status;
}
