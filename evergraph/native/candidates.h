/* Classes drawn from the distributions of candidate samplers: uniform, log-uniform, by weights, and by counts. */

#ifndef EVERGRAPH_CANDIDATES_H
#define EVERGRAPH_CANDIDATES_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "philox.h"

enum { LOG_UNIFORM, UNIFORM, WEIGHTED, COUNTED, DISTRIBUTIONS };

typedef struct {
    State state;
    int distribution;
    const float *shares;   /* Walker's tables for WEIGHTED: the probability of a column's own class, */
    const int64_t *others; /* and its other class; or for COUNTED the running sums of counts, of which the last is the limit */
    uint64_t taken, limit; /* words of the stream so far; integers are drawn below the limit */
    uint32_t words[4];
    double scale; /* the logarithm of how many classes there are and one */
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
    sampling->table = memory_for((int64_t)sampling->places, sizeof *sampling->table);
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

/* The next word of the stream. */
static inline uint32_t next_word(Sampling *sampling)
{
    if (sampling->taken % 4 == 0)
        block(&sampling->state, sampling->taken / 4, sampling->words);
    return sampling->words[sampling->taken++ % 4];
}

/* A number in [0, 1) whose fraction has 23 bits. */
static inline float next_unit(Sampling *sampling)
{
    uint32_t bits = (next_word(sampling) & 0x7FFFFF) | 0x3F800000;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value - 1;
}

/* An integer below the limit from as many bits as `largest` has. The smallest values are left out where remainders would
   not be equally likely otherwise. */
static inline uint64_t next_below(Sampling *sampling, uint64_t largest)
{
    uint64_t limit = sampling->limit, skipped = limit & (limit - 1) ? largest % limit + 1 : 0, bits;
    do {
        bits = next_word(sampling);
        if (largest > UINT32_MAX)
            bits |= (uint64_t)next_word(sampling) << 32;
    } while (bits < skipped);
    return bits % limit;
}

/* The number of sums that are not above a value. */
static inline int64_t place_among(const int64_t *sums, int64_t count, int64_t value)
{
    int64_t low = 0;
    while (low < count) {
        int64_t middle = low + (count - low) / 2;
        if (sums[middle] <= value)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static inline int64_t next_by_weight(Sampling *sampling)
{
    float part = next_unit(sampling);
    int64_t column = (int64_t)next_below(sampling, UINT32_MAX);
    return part < sampling->shares[column] ? column : sampling->others[column];
}

static inline int64_t next_class(Sampling *sampling)
{
    uint32_t pair[2];
    switch (sampling->distribution) {
    case UNIFORM:
        return (int64_t)next_below(sampling, UINT64_MAX);
    case WEIGHTED:
        return next_by_weight(sampling);
    case COUNTED:
        return place_among(sampling->others, sampling->range, (int64_t)next_below(sampling, UINT32_MAX));
    default:
        pair[0] = next_word(sampling);
        pair[1] = next_word(sampling);
        return ((int64_t)exp(wide_unit(pair) * sampling->scale) - 1) % sampling->range;
    }
}

/* Draws until all classes are found, or `most` more draws were made. */
static inline void draw_classes(Sampling *sampling, int64_t most)
{
    sampling->scale = log1p((double)sampling->range);
    for (int64_t stop = sampling->draws + most; sampling->found < sampling->count && sampling->draws < stop;
         sampling->draws++) {
        int64_t class = next_class(sampling);
        if (!sampling->table || is_new(sampling, class))
            sampling->classes[sampling->found++] = class;
    }
}

#endif
