/* SPDX-License-Identifier: MIT */
#include "contact/lanes.h"

#include "base/isa.h"

DEMI_COPIES(demi_lanes_function, demi_lanes_run);

dem_status demi_lanes_run_isa(int isa, demi_lanes *lanes, uint64_t n, demi_lanes_call *call,
                              demi_totals *totals)
{
    return demi_lanes_run[isa](lanes, n, call, totals);
}
