/* The numbers that describe windows which slide over images, as kernels get them: how many images, channels and outputs
   there are; then, each for three axes, the sizes of the images, the windows, strides, dilations, the padding in front
   and the places of the windows.
*/

#ifndef EVERGRAPH_GEOMETRY_H
#define EVERGRAPH_GEOMETRY_H

#include "ffi.h"

#include <string.h>

enum { SIZES = 3, WINDOWS = 6, STRIDES = 9, DILATIONS = 12, BEFORE = 15, PLACES = 18, NUMBERS = 21 };

static int64_t product(const int64_t *sizes) { return multiplied(sizes, 3); }

/* The elements of an array by its role: images (x), a filter for all channels (w) or for each (d), results (y). */
static int64_t wanted_of(char role, const int64_t *numbers)
{
    int64_t images = numbers[0], channels = numbers[1], outputs = numbers[2];
    switch (role) {
    case 'x': return TIMES(images, product(numbers + SIZES), channels);
    case 'w': return TIMES(product(numbers + WINDOWS), channels, outputs);
    case 'd': return outputs % channels ? TOO_LARGE : times(product(numbers + WINDOWS), outputs);
    default: return TIMES(images, product(numbers + PLACES), outputs);
    }
}

/* Whether arguments and a result with these roles have the sizes that the numbers say, and these can be sizes. A stride or
   dilation below 2^31, times a place or an offset, is then far from the largest integer. */
static int is_described(Frame *frame, const char *roles)
{
    const int64_t *numbers = numbers_of(frame), count = (int64_t)strlen(roles) - 1;
    for (int at = 0; at < NUMBERS; at++)
        if (numbers[at] < (at < BEFORE || at >= PLACES))
            return 0;
    for (int at = WINDOWS; at < NUMBERS; at++)
        if (numbers[at] > (at >= BEFORE && at < PLACES ? INT64_MAX / 4 : INT32_MAX))
            return 0;
    for (int64_t at = 0; at < count; at++)
        if (!has_argument(frame, at, wanted_of(roles[at], numbers)))
            return 0;
    return has_result(frame, 0, wanted_of(roles[count], numbers));
}

#endif
