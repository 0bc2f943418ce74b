/* Arithmetic with sizes that come from outside: a size that is negative or too large is -1, whatever it is multiplied with
   or added to, and no memory is allocated for it. */

#ifndef EVERGRAPH_CHECKED_H
#define EVERGRAPH_CHECKED_H

#include <stdint.h>
#include <stdlib.h>

enum { TOO_LARGE = -1 };

static inline int64_t times(int64_t left, int64_t right)
{
    int64_t result;
    return left < 0 || right < 0 || __builtin_mul_overflow(left, right, &result) ? TOO_LARGE : result;
}

static inline int64_t plus(int64_t left, int64_t right)
{
    int64_t result;
    return left < 0 || right < 0 || __builtin_add_overflow(left, right, &result) ? TOO_LARGE : result;
}

static inline int64_t multiplied(const int64_t *sizes, int64_t count)
{
    int64_t result = 1;
    for (int64_t at = 0; at < count; at++)
        result = times(result, sizes[at]);
    return result;
}

/* The product of some sizes. */
#define TIMES(...)                                                                                                     \
    multiplied((const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

/* Memory for so many things; NULL if there is none. */
static inline void *memory_for(int64_t count, size_t size)
{
    int64_t bytes = times(count, (int64_t)size);
    return bytes < 0 ? NULL : malloc(bytes ? (size_t)bytes : 1);
}

#endif
