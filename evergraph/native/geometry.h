/* The numbers that describe windows which slide over images, as kernels get them: how many images, channels and outputs
   there are; then, each for three axes, the sizes of the images, the windows, strides, dilations, the padding in front
   and the places of the windows.
*/

#ifndef EVERGRAPH_GEOMETRY_H
#define EVERGRAPH_GEOMETRY_H

#include "ffi.h"

#if HAS_KERNELS

#include <string.h>

enum { SIZES = 3, WINDOWS = 6, STRIDES = 9, DILATIONS = 12, BEFORE = 15, PLACES = 18, NUMBERS = 21 };

static int64_t product(const int64_t *sizes) { return sizes[0] * sizes[1] * sizes[2]; }

/* The elements of an array by its role: images (x), a filter for all channels (w) or for each (d), results (y). */
static int64_t wanted_of(char role, const int64_t *numbers)
{
    int64_t images = numbers[0], channels = numbers[1], outputs = numbers[2];
    switch (role) {
    case 'x': return images * product(numbers + SIZES) * channels;
    case 'w': return product(numbers + WINDOWS) * channels * outputs;
    case 'd': return outputs % channels ? -1 : product(numbers + WINDOWS) * outputs;
    default: return images * product(numbers + PLACES) * outputs;
    }
}

/* Whether arguments and a result with these roles have the sizes that the numbers say, and these can be sizes. */
static int is_described(Frame *frame, const char *roles)
{
    const int64_t *numbers = numbers_of(frame), count = (int64_t)strlen(roles) - 1;
    if (frame->attributes.arrays[0]->count != NUMBERS || frame->arguments.count != count || frame->results.count != 1)
        return 0;
    for (int at = 0; at < NUMBERS; at++)
        if (numbers[at] < (at < BEFORE || at >= PLACES))
            return 0;
    for (int64_t at = 0; at < count; at++)
        if (elements_of(frame->arguments.buffers[at]) != wanted_of(roles[at], numbers))
            return 0;
    return elements_of(frame->results.buffers[0]) == wanted_of(roles[count], numbers);
}

static void *misfit(Frame *frame) { return failure(frame, INVALID, "windows and arrays have sizes that do not fit"); }

#endif

#endif
