/* Ids such as row numbers of a table, for XLA's programs on CPUs: the distinct ones among them.

   It is for the row `DeepFM step, 26 fields, 2e5 x 16` of benchmarks.
*/

#include "ffi.h"

#include <string.h>

static inline int64_t id_at(const void *ids, int wide, int64_t at)
{
    return wide ? ((const int64_t *)ids)[at] : ((const int32_t *)ids)[at];
}

static inline void put_id(void *ids, int wide, int64_t at, int64_t id)
{
    if (wide)
        ((int64_t *)ids)[at] = id;
    else
        ((int32_t *)ids)[at] = (int32_t)id;
}

/* Writes the distinct ids in the order in which they come first, then the largest integer; and the number of each id among
   them. The table, which has twice as many places as there are ids or more, finds the number of an id by its hash. */
static inline void number_all(const void *ids, int wide, int64_t count, int32_t *table, uint64_t places, void *distinct,
                              int32_t *numbers)
{
    int64_t found = 0;
    memset(table, 0xFF, places * sizeof *table);
    for (int64_t at = 0; at < count; at++) {
        int64_t id = id_at(ids, wide, at);
        uint64_t place = (uint64_t)id * 0x9E3779B97F4A7C15u >> 32 & (places - 1);
        while (table[place] >= 0 && id_at(distinct, wide, table[place]) != id)
            place = (place + 1) & (places - 1);
        if (table[place] < 0) {
            table[place] = (int32_t)found;
            put_id(distinct, wide, found++, id);
        }
        numbers[at] = table[place];
    }
    for (; found < count; found++)
        put_id(distinct, wide, found, wide ? INT64_MAX : INT32_MAX);
}

/* The numbers are how many ids there are, less than 2^31, and whether they have 64 bits. */
static void *distinct(Frame *frame)
{
    const int64_t *numbers = numbers_of(frame);
    if (!has_argument(frame, 0, numbers[0]) || !has_result(frame, 0, numbers[0])
        || !has_result(frame, 1, numbers[0]) || numbers[0] > INT32_MAX)
        return ill_sized(frame);
    uint64_t places = 16;
    while (places < 2 * (uint64_t)numbers[0])
        places *= 2;
    int32_t *table = memory_for((int64_t)places, sizeof *table);
    if (!table)
        return out_of_memory(frame);
    const void *ids = frame->arguments.buffers[0]->data;
    void *found = frame->results.buffers[0]->data, *named = frame->results.buffers[1]->data;
    if (numbers[1])
        number_all(ids, 1, numbers[0], table, places, found, named);
    else
        number_all(ids, 0, numbers[0], table, places, found, named);
    free(table);
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("distinct", distinct, "x>x4", 2)

KERNEL_MODULE(ids, "Ids in XLA's programs.")
