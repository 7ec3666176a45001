/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot.h
 * The whole state of a world, to and from memory and files.
 *
 *     dem_world_save(world, "run.dem");
 *     ... later, in this process or another, on this machine or another ...
 *     dem_world_create(&config, &world, NULL);     hooks, threads and isa as wanted now
 *     dem_world_law_register(world, &law);         laws of the host's own that the models name
 *     dem_world_load(world, "run.dem");
 *
 * What follows has the same bits as if nothing had been saved or loaded, for every number of
 * threads and every instruction set; taking a snapshot changes nothing. Handles of particles stay
 * valid. A snapshot holds the configuration but for allocator, log, executor, threads and isa,
 * which stay those of the world that is restored, and it holds materials, models, particles, walls,
 * contacts with their history, the order in which sums run, time and energies. Laws are kept by
 * name and version with what their combine made of the parameters, as 64-bit words: a law of the
 * host's whose combined parameters hold a pointer cannot be restored.
 *
 * The format has a version of its own and is described in docs/checkpoint.md. It is the same on all
 * machines. Whatever bytes are given to a restore: they are either a whole snapshot, or refused
 * with a reason while the world stays as it was.
 */
#ifndef DEM_SNAPSHOT_H
#define DEM_SNAPSHOT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the format that this library writes. It reads this one and all before it. */
#define DEM_SNAPSHOT_VERSION 1

/** How many bytes a snapshot of the world as it stands takes.
 * @param world the world
 * @param bytes out: a multiple of 8
 * @return DEM_OK or DEM_ERROR_ARGUMENT */
DEM_API dem_status dem_world_snapshot_size(const dem_world *world, uint64_t *bytes);

/** Writes a snapshot into memory of the host's.
 * @param world the world; not changed
 * @param buffer out: [size] bytes, of any alignment
 * @param size at least what dem_world_snapshot_size gives
 * @param written out: bytes used; or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE (size is too small; the buffer is as it was) */
DEM_API dem_status dem_world_snapshot(const dem_world *world, void *buffer, uint64_t size,
                                      uint64_t *written);

/** Makes a world what it was when a snapshot was taken. All it held is replaced; views of it are
 * stale. Needs memory for both states meanwhile.
 * @param world any world, empty or not, to which the host's laws were registered
 * @param buffer [size] bytes
 * @param size as written
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FORMAT (not a snapshot, damaged, cut short, or of a later
 *  version), _UNKNOWN (a law is missing or has another version), _MEMORY */
DEM_API dem_status dem_world_restore(dem_world *world, const void *buffer, uint64_t size);

/** Writes a snapshot to a file.
 *
 * It is written beside the file, under its name with something and `.part` appended, brought to the
 * disk, and given its name: whatever happens meanwhile, under `path` there is either what was there
 * before or the new snapshot. A process that is killed may leave a `.part` file behind.
 * @param world the world; not changed
 * @param path where; an existing ordinary file is replaced, nothing else is
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FILE (what was there remains), _MEMORY */
DEM_API dem_status dem_world_save(const dem_world *world, const char *path);

/** Restores a world from a file; see dem_world_restore.
 * @param world any world, empty or not, to which the host's laws were registered
 * @param path an ordinary file
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _FILE (cannot be read), or as dem_world_restore */
DEM_API dem_status dem_world_load(dem_world *world, const char *path);

#ifdef __cplusplus
}
#endif
#endif
