/* Classes drawn from the log-uniform distribution, for classes in order of how often they occur. */

#ifndef EVERGRAPH_CANDIDATES_H
#define EVERGRAPH_CANDIDATES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "philox.h"

typedef struct {
    State state;
    int64_t range, count, *classes; /* how many classes there are, how many are wanted, and where they go */
    int64_t found, draws;
    int64_t *table; /* hash table of the classes found; NULL if they may come more than once */
    size_t places;
} Sampling;

/* Whether there is memory for a sampling whose classes come once. */
static inline int remember_classes(Sampling *sampling)
{
    sampling->places = 16;
    while (sampling->places < 2 * (size_t)sampling->count)
        sampling->places *= 2;
    sampling->table = malloc(sampling->places * sizeof *sampling->table);
    if (sampling->table)
        memset(sampling->table, 0xFF, sampling->places * sizeof *sampling->table);
    return sampling->table != NULL;
}

/* Puts a class into the table; whether it was not there yet. */
static inline int is_new(Sampling *sampling, int64_t class)
{
    size_t at = (size_t)((uint64_t)class * 0x9E3779B97F4A7C15u) & (sampling->places - 1);
    while (sampling->table[at] >= 0) {
        if (sampling->table[at] == class)
            return 0;
        at = (at + 1) & (sampling->places - 1);
    }
    sampling->table[at] = class;
    return 1;
}

/* Draws until all classes are found, or `most` more draws were made; most is even. */
static inline void draw_classes(Sampling *sampling, int64_t most)
{
    double scale = log1p((double)sampling->range);
    uint32_t words[4];
    for (int64_t stop = sampling->draws + most; sampling->found < sampling->count && sampling->draws < stop;
         sampling->draws++) {
        if (sampling->draws % 2 == 0)
            block(&sampling->state, (uint64_t)sampling->draws / 2, words);
        double part = wide_unit(words + 2 * (sampling->draws % 2));
        int64_t class = ((int64_t)exp(part * scale) - 1) % sampling->range;
        if (!sampling->table || is_new(sampling, class))
            sampling->classes[sampling->found++] = class;
    }
}

#endif
