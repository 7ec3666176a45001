/* SPDX-License-Identifier: MIT */
#include "base/sized.h"

#include <string.h>

dem_status demi_sized_check_at(const void *input, uint64_t first_size, uint64_t known_size)
{
    uint64_t size;
    memcpy(&size, input, sizeof size);
    if (size < first_size || size > 65536)
        return DEM_ERROR_STRUCT_SIZE;
    const unsigned char *bytes = input;
    for (uint64_t k = known_size; k < size; ++k)
        if (bytes[k] != 0)
            return DEM_ERROR_STRUCT_SIZE;
    return DEM_OK;
}

dem_status demi_sized_read_at(void *copy, const void *input, uint64_t first_size,
                              uint64_t known_size)
{
    const dem_status status = demi_sized_check_at(input, first_size, known_size);
    if (status != DEM_OK)
        return status;
    uint64_t size;
    memcpy(&size, input, sizeof size);
    memcpy(copy, input, (size_t)(size < known_size ? size : known_size));
    memcpy(copy, &known_size, sizeof known_size);
    return DEM_OK;
}

dem_status demi_sized_write_at(void *output, uint64_t size, const void *values, uint64_t first_size,
                               uint64_t known_size)
{
    if (size < first_size || size > 65536)
        return DEM_ERROR_STRUCT_SIZE;
    memcpy(output, values, (size_t)(size < known_size ? size : known_size));
    if (size > known_size)
        memset((unsigned char *)output + known_size, 0, (size_t)(size - known_size));
    memcpy(output, &size, sizeof size);
    return DEM_OK;
}
