/* SPDX-License-Identifier: MIT */
/* Snapshots as a whole: frame, checksum, and the exchange of a world for another. */
#include <dem/snapshot.h>

#include "base/entry.h"
#include "base/pool.h"
#include "io/file.h"
#include "io/sections.h"
#include "world/hook.h"

/* The first u64. Bytes that are not text, and line ends that a transfer as text would change. */
static const char snapshot_magic[] = "\x89"
                                     "DEM\r\n\x1a\n";

/* Words before the sections (magic, version, length, library), before the version, before the
 * length of the whole, and after the sections (checksum). */
enum { HEAD_LENGTH = 4, HEAD_VERSION_BEFORE = 1, HEAD_LENGTH_BEFORE = 2, TAIL_LENGTH = 1 };

static uint64_t snapshot_length(const dem_world *w)
{
    demi_writer count;
    demi_writer_start(&count, NULL, NULL);
    demi_write_config(&count, w);
    demi_write_sections(&count, w);
    return HEAD_LENGTH + count.length + TAIL_LENGTH;
}

static void write_snapshot(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    demi_reader magic;
    demi_reader_start(&magic, snapshot_magic, 1);
    demi_write_u64(out, demi_read_u64(&magic));
    demi_write_u64(out, DEM_SNAPSHOT_VERSION);
    demi_write_u64(out, 8 * snapshot_length(w));
    demi_write_u64(out, DEM_VERSION);
    demi_hook_exchange(w);
    demi_write_config(out, w);
    demi_write_sections(out, w);
    demi_hook_exchange(w);
    demi_write_u64(out, out->hash);
}

DEMI_GUARDED guarded_world_snapshot_size(const dem_world *world, uint64_t *bytes)
{
    if (bytes == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "bytes: must not be NULL");
    *bytes = 8 * snapshot_length(world);
    return DEM_OK;
}

dem_status dem_world_snapshot_size(const dem_world *world, uint64_t *bytes)
{
    DEMI_READ(world, guarded_world_snapshot_size(world, bytes));
}

DEMI_GUARDED guarded_world_snapshot(const dem_world *world, void *buffer, uint64_t size,
                                    uint64_t *written)
{
    if (buffer == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "buffer: must not be NULL");
    const uint64_t needed = 8 * snapshot_length(world);
    if (size < needed)
        return demi_fail(world->self, DEM_ERROR_RANGE,
                         "size: %llu bytes are fewer than the %llu of the snapshot",
                         (unsigned long long)size, (unsigned long long)needed);
    unsigned char *to = buffer;
    demi_writer writer;
    demi_writer_start(&writer, demi_memory_sink, &to);
    write_snapshot(&writer, world);
    demi_writer_flush(&writer);
    if (written != NULL)
        *written = needed;
    return DEM_OK;
}

dem_status dem_world_snapshot(const dem_world *world, void *buffer, uint64_t size,
                              uint64_t *written)
{
    DEMI_READ(world, guarded_world_snapshot(world, buffer, size, written));
}

DEMI_GUARDED guarded_world_snapshot_write(const dem_world *world, dem_snapshot_sink write,
                                          void *user)
{
    if (write == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "write: must not be NULL");
    demi_writer writer;
    demi_writer_start(&writer, write, user);
    write_snapshot(&writer, world);
    demi_writer_flush(&writer);
    if (writer.status != DEM_OK)
        return demi_fail(world->self, DEM_ERROR_CALLBACK,
                         "write: returned %d (%s), and the snapshot is not complete",
                         (int)writer.status, dem_status_string(writer.status));
    return DEM_OK;
}

dem_status dem_world_snapshot_write(const dem_world *world, dem_snapshot_sink write, void *user)
{
    DEMI_READ(world, guarded_world_snapshot_write(world, write, user));
}

_Static_assert(DEMI_FILE_HEAD == 8 * HEAD_LENGTH, "the head of a file is that of a snapshot");

/* The head of a snapshot of `size` bytes, of which `count` are there. */
static dem_status check_head(demi_context *context, const void *head, uint64_t count, uint64_t size)
{
    if (count < 8 * HEAD_LENGTH || size < 8 * (HEAD_LENGTH + TAIL_LENGTH) ||
        memcmp(head, snapshot_magic, 8) != 0)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "snapshot: these bytes are not a snapshot of libdem");
    demi_reader reader;
    demi_reader_start(&reader, head, HEAD_LENGTH);
    demi_read_u64(&reader);
    const uint64_t version = demi_read_u64(&reader), length = demi_read_u64(&reader);
    if (version == 0 || version > DEM_SNAPSHOT_VERSION)
        return demi_fail(context, DEM_ERROR_FORMAT, "snapshot: format %llu is not in [1, %d]: %s",
                         (unsigned long long)version, DEM_SNAPSHOT_VERSION,
                         DEMI_VERSION_REMEDY(version));
    if (length != size)
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "snapshot: its length is %llu bytes, and size is %llu",
                         (unsigned long long)length, (unsigned long long)size);
    return DEM_OK;
}

/* The frame of a snapshot; afterwards the reader stands before the sections. */
static dem_status check_frame(demi_context *context, const void *buffer, uint64_t size,
                              demi_reader *reader, uint64_t *version)
{
    const dem_status status = check_head(context, buffer, size, size);
    if (status != DEM_OK)
        return status;
    demi_reader last;
    demi_reader_start(&last, (const unsigned char *)buffer + size - 8, 1);
    if (size % 8 != 0 || !demi_stream_intact(buffer, size / 8 - 1, demi_read_u64(&last)))
        return demi_fail(context, DEM_ERROR_FORMAT,
                         "snapshot: it is damaged, because its checksum is wrong");
    demi_reader_start(reader, (const unsigned char *)buffer + 8 * HEAD_VERSION_BEFORE, 1);
    *version = demi_read_u64(reader);
    demi_reader_start(reader, (const unsigned char *)buffer + 8 * HEAD_LENGTH,
                      size / 8 - HEAD_LENGTH - TAIL_LENGTH);
    return DEM_OK;
}

/* A world as the snapshot has it, with the laws and hooks of another. */
static dem_status make_world(dem_world *world, demi_reader *reader, uint64_t version,
                             dem_world **made)
{
    demi_context *context = &world->context;
    dem_world_config config = world->config;
    demi_read_config(reader, &config);
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
        status = demi_read_sections(reader, version, *made);
    if (status == DEM_OK)
        status = demi_shapes_tell(world, *made);
    if (status != DEM_OK) {
        demi_context_error(context, "%s", dem_world_error(*made));
        demi_world_free(*made);
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
    world->told_fast |= old.told_fast; /* what the log was told, it was told */
    demi_models_told(&world->models, &old.models);
    demi_walls_told(world, &old);
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
    uint64_t version;
    dem_status status = check_frame(&world->context, buffer, size, &reader, &version);
    if (status == DEM_OK)
        status = make_world(world, &reader, version, &made);
    if (status != DEM_OK)
        return status;
    exchange(world, made, held);
    demi_world_free(made);
    return DEM_OK;
}

DEMI_GUARDED guarded_world_restore(dem_world *world, const void *buffer, uint64_t size)
{
    if (buffer == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "buffer: must not be NULL");
    return world_restore(world, buffer, size, 0);
}

dem_status dem_world_restore(dem_world *world, const void *buffer, uint64_t size)
{
    DEMI_SET(world, guarded_world_restore(world, buffer, size));
}

static dem_status source_read(demi_context *context, dem_snapshot_source read, void *user,
                              void *bytes, uint64_t size)
{
    const dem_status status = read(user, bytes, size);
    if (status == DEM_OK)
        return DEM_OK;
    return demi_fail(context, DEM_ERROR_CALLBACK,
                     "read: returned %d (%s), and the snapshot is not complete", (int)status,
                     dem_status_string(status));
}

DEMI_GUARDED guarded_world_snapshot_read(dem_world *world, dem_snapshot_source read, void *user)
{
    demi_context *context = &world->context;
    if (read == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "read: must not be NULL");
    unsigned char head[8 * HEAD_LENGTH];
    dem_status status = source_read(context, read, user, head, sizeof head);
    if (status != DEM_OK)
        return status;
    demi_reader length;
    demi_reader_start(&length, head + 8 * HEAD_LENGTH_BEFORE, 1);
    const uint64_t size = demi_read_u64(&length);
    status = check_head(context, head, sizeof head, size);
    if (status != DEM_OK)
        return status;
    unsigned char *bytes = demi_allocate(context, size);
    if (bytes == NULL)
        return demi_fail_memory(context, "snapshot", size);
    memcpy(bytes, head, sizeof head);
    status = source_read(context, read, user, bytes + sizeof head, size - sizeof head);
    if (status == DEM_OK)
        status = world_restore(world, bytes, size, size);
    demi_release(context, bytes, size);
    return status;
}

dem_status dem_world_snapshot_read(dem_world *world, dem_snapshot_source read, void *user)
{
    DEMI_SET(world, guarded_world_snapshot_read(world, read, user));
}

DEMI_GUARDED guarded_world_save(const dem_world *world, const char *path)
{
    if (path == NULL || path[0] == 0)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "path: must not be NULL or empty");
    return demi_file_save(world->self, path, write_snapshot, world);
}

dem_status dem_world_save(const dem_world *world, const char *path)
{
    DEMI_READ(world, guarded_world_save(world, path));
}

/* Says which file it is whose bytes are wrong. */
static dem_status load_failed(demi_context *context, const char *path, dem_status status)
{
    char why[sizeof context->message];
    memcpy(why, context->message, sizeof why);
    if (strncmp(why, "file ", 5) != 0) /* the log has the reason already */
        demi_context_text(context, "file \"%.100s\": %s", path, why);
    return status;
}

DEMI_GUARDED guarded_world_load(dem_world *world, const char *path)
{
    if (path == NULL || path[0] == 0)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "path: must not be NULL or empty");
    void *bytes;
    uint64_t size;
    dem_status status = demi_file_load(&world->context, path, check_head, &bytes, &size);
    if (status != DEM_OK)
        return load_failed(&world->context, path, status);
    status = world_restore(world, bytes, size, size);
    demi_release(&world->context, bytes, size);
    return status == DEM_OK ? DEM_OK : load_failed(&world->context, path, status);
}

dem_status dem_world_load(dem_world *world, const char *path)
{
    DEMI_SET(world, guarded_world_load(world, path));
}
