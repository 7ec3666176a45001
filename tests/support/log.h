/* SPDX-License-Identifier: MIT */
/**
 * @file log.h
 * A log of a host that counts its messages by level and keeps the warnings.
 */
#ifndef DEM_TEST_LOG_H
#define DEM_TEST_LOG_H

#include <dem/dem.h>
#include <string.h>

enum { TEST_LOG_KEPT = 16 };

typedef struct test_log {
    int count[8];                     /**< by level */
    char warning[TEST_LOG_KEPT][512]; /**< the first ones */
} test_log;

static inline void test_log_message(void *user, int32_t level, const char *text)
{
    test_log *log = user;
    if (level == DEM_LOG_WARNING && log->count[level] < TEST_LOG_KEPT)
        strncpy(log->warning[log->count[level]], text, sizeof log->warning[0] - 1);
    log->count[level & 7]++;
}

/** The hook that writes to a log, which must live as long as the object that has the hook. */
static inline dem_log test_log_hook(test_log *log)
{
    memset(log, 0, sizeof *log);
    return (dem_log){log, test_log_message};
}

/** Warnings that contain a text. */
static inline int test_log_warnings(const test_log *log, const char *part)
{
    int found = 0;
    for (int k = 0; k < log->count[DEM_LOG_WARNING] && k < TEST_LOG_KEPT; ++k)
        found += strstr(log->warning[k], part) != NULL;
    return found;
}

#endif
