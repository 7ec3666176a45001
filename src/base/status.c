/* SPDX-License-Identifier: MIT */
/* Texts of status values, and the version of the library. */
#include <dem/base.h>

const char *dem_status_string(dem_status status)
{
    switch (status) {
    case DEM_OK:
        return "success";
    case DEM_ERROR_ARGUMENT:
        return "missing or contradictory argument";
    case DEM_ERROR_RANGE:
        return "number out of range";
    case DEM_ERROR_STRUCT_SIZE:
        return "struct size not valid";
    case DEM_ERROR_MEMORY:
        return "out of memory";
    case DEM_ERROR_HANDLE:
        return "stale or unknown handle";
    case DEM_ERROR_UNKNOWN:
        return "unknown name or enum value";
    case DEM_ERROR_DUPLICATE:
        return "id or name already taken";
    case DEM_ERROR_STATE:
        return "call not possible in this state";
    case DEM_ERROR_DIVERGED:
        return "number no longer finite";
    case DEM_ERROR_OVERLAP:
        return "overlap beyond its limit";
    case DEM_ERROR_CALLBACK:
        return "error reported by a callback";
    case DEM_ERROR_FILE:
        return "file not readable or writable";
    case DEM_ERROR_FORMAT:
        return "data damaged or of an unknown format";
    default:
        return "unknown status";
    }
}

uint32_t dem_version(void)
{
    return DEM_VERSION;
}
