/* SPDX-License-Identifier: MIT */
/**
 * @file folder.h
 * A folder of a test's own, and the name of a file in it. Needs cmocka.h before it.
 */
#ifndef DEM_TEST_FOLDER_H
#define DEM_TEST_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder_name[256], folder_path[300];

static inline int folder_make(void **state)
{
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder_name, sizeof(folder_name), "%s/libdem-test-XXXXXX",
             base != NULL ? base : "/tmp");
    if (mkdtemp(folder_name) == NULL)
        return -1;
    snprintf(folder_path, sizeof(folder_path), "%s/world.dem", folder_name);
    return 0;
}

/** How many files are in the folder; removes them if asked to. */
static inline int folder_walk(int empty)
{
    DIR *listing = opendir(folder_name);
    int files = 0;
    assert_non_null(listing);
    for (struct dirent *entry; (entry = readdir(listing)) != NULL;) {
        char name[600];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof(name), "%s/%s", folder_name, entry->d_name);
        if (empty)
            assert_int_equal(remove(name), 0);
        ++files;
    }
    closedir(listing);
    return files;
}

static inline int folder_files(void)
{
    return folder_walk(0);
}

/** Removes what is in the folder; tells how many files that were. */
static inline int folder_empty(void)
{
    return folder_walk(1);
}

static inline int folder_remove(void **state)
{
    (void)state;
    folder_empty();
    return rmdir(folder_name);
}

#endif
