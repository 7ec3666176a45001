/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot.h
 * The whole state of a world, to and from memory and files.
 *
 *     dem_world_save(world, "run.dem");
 *     ... later, in this process or another, on this machine or another ...
 *     dem_world_create(&config, &world, &error);   hooks, threads and isa of today
 *     dem_world_law_register(world, &law);         your laws that the models name
 *     dem_world_load(world, "run.dem");
 *
 * The run continues with the bits of a run without the snapshot, for every number of threads and
 * every instruction set. A snapshot does not change the world. Handles of particles and
 * bodies stay valid.
 *
 * A snapshot holds the configuration, materials, models, particles, bodies with their shapes, walls
 * with their meshes, contacts with their history, fields of a fluid and impulses, host data, the
 * order of sums, time and energies. Allocator, log, executor, callbacks, threads and isa are not in
 * it; the world that you restore keeps its own. A snapshot keeps the name and the version of a law,
 * and its combined parameters as 64-bit words. If the combined parameters of your law hold a
 * pointer, you cannot restore them. The loads of ghost bodies are not in it: ghosts are to be set
 * anew before the next step. Where a snapshot has no host data, the world that you restore keeps
 * its host_doubles, and the data are 0.
 *
 * The format has a version of its own and is the same on all machines, see docs/checkpoint.md. It
 * does not depend on how the library lists pairs: a restore builds the list once more. A restore
 * refuses bytes that are not a whole snapshot, tells the reason, and leaves the world as it was.
 */
#ifndef DEM_SNAPSHOT_H
#define DEM_SNAPSHOT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the format that this library writes. It reads this version and all earlier ones. */
#define DEM_SNAPSHOT_VERSION 2

/** Tells the size of a snapshot of the world in its present state.
 * @param world the world
 * @param bytes out: a multiple of 8
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_world_snapshot_size(const dem_world *world, uint64_t *bytes);

/** Writes a snapshot into your memory.
 * @param world the world; not changed
 * @param buffer out: [size] bytes, of any alignment
 * @param size at least what dem_world_snapshot_size gives
 * @param written out: bytes used; or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE (size is too small; nothing is written) */
DEM_API dem_status dem_world_snapshot(const dem_world *world, void *buffer, uint64_t size,
                                      uint64_t *written);

/** Restores a world from a snapshot. It replaces all that the world held, and makes views stale.
 * The call needs memory for both states.
 * @param world any world, empty or not, with your laws registered
 * @param buffer [size] bytes
 * @param size as written
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FORMAT (not a snapshot, damaged, cut short, or of a later
 *  version), _UNKNOWN (a law is missing or has another version), _MEMORY */
DEM_API dem_status dem_world_restore(dem_world *world, const void *buffer, uint64_t size);

/** Takes bytes of a snapshot, one piece after the other. Returns DEM_OK, or a status that ends the
 * writing. */
typedef dem_status (*dem_snapshot_sink)(void *user, const void *bytes, uint64_t size);

/** Gives the next `size` bytes of a snapshot. Returns DEM_OK, or a status that ends the reading. */
typedef dem_status (*dem_snapshot_source)(void *user, void *bytes, uint64_t size);

/** Writes the bytes of dem_world_snapshot piece by piece, with no memory of its own: into a section
 * of your checkpoint, through a compressor, to another rank. dem_world_snapshot_size tells how many
 * bytes come in all.
 * @param world the world; not changed
 * @param write called with pieces of at most 8192 bytes, in order; it may make no call on the
 *  world
 * @param user passed to `write`
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _CALLBACK (`write` did not return DEM_OK, and is not called
 *  again) */
DEM_API dem_status dem_world_snapshot_write(const dem_world *world, dem_snapshot_sink write,
                                            void *user);

/** Restores a world from bytes that come piece by piece; see dem_world_restore. The call reads the
 * first 32 bytes, refuses what cannot be a snapshot, then reads the rest of the snapshot and no
 * byte more. It needs memory for the bytes.
 * @param world any world, empty or not, with your laws registered
 * @param read called for pieces in order; it may make no call on the world
 * @param user passed to `read`
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _CALLBACK (`read` did not return DEM_OK, and is not called
 *  again), or as dem_world_restore */
DEM_API dem_status dem_world_snapshot_read(dem_world *world, dem_snapshot_source read, void *user);

/** Writes a snapshot to a file.
 *
 * The call writes a new file in the same folder, `dem-<process>-<number>.part`, brings it to the
 * disk with `fsync`, renames it to `path`, and brings the folder to the disk. At every moment
 * `path` is either the old file or the new snapshot. A process that is killed may leave a `.part`
 * file.
 *
 * An existing file is replaced, even if it is read-only: the folder must be writable. The new file
 * has its mode (permission bits), and its owner and group as far as the process may set them. If it
 * may not set the group, the group gets no more rights than others. Other hard links keep the old
 * file. If `path` is a symbolic link, the link stays, and the file that it points to is replaced or
 * made. A new file has the mode 0666 less the umask. Paths may have any length that the system
 * allows. errno does not change.
 * @param world the world; not changed
 * @param path the file; if it exists it must be a regular file, or a link to one
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _MEMORY, _FILE. After _FILE the old file is unchanged, unless
 *  the message says that the new one is written but a loss of power may undo it: then the `fsync`
 * of the folder failed */
DEM_API dem_status dem_world_save(const dem_world *world, const char *path);

/** Restores a world from a file; see dem_world_restore. The call checks the first 32 bytes, and
 * refuses a file that cannot be a snapshot of its size before it reads the rest. errno does not
 * change.
 * @param world any world, empty or not, with your laws registered
 * @param path a regular file, or a symbolic link to one
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FILE (cannot be read), or as dem_world_restore */
DEM_API dem_status dem_world_load(dem_world *world, const char *path);

#ifdef __cplusplus
}
#endif
#endif
