/* Rows of matrices, for XLA's programs on CPUs: their order, single elements of it, and places in sorted rows.
   rows.c, rows64.c, rows_int.c and rows_int64.c are the modules for float32, float64, int32 and int64.

   It is for the row `nth_element` of benchmarks.
*/

#include "ffi.h"

#include <string.h>

#if defined(OF_DOUBLES) || defined(OF_LONG_INTEGERS)
typedef uint64_t Key;
#else
typedef uint32_t Key;
#endif

static const Key SIGN = (Key)1 << (8 * sizeof(Key) - 1);
enum { BITS = 11, BUCKETS = 1 << BITS, PASSES = (8 * sizeof(Key) + BITS - 1) / BITS };
enum { STRIP = 32, SHORT = 256, FEW = 16 }; /* a heap serves short rows, and a part of a row that is this small */

typedef struct {
    const Number *left, *right;
    void *result;
    int64_t size, count; /* of a row of the input, and of the result */
    int option;
    atomic_int failed;
} Job;

/* ---- the order of a row: descending, equal elements in their order, zeros equal, NaN first */

typedef struct {
    Key key;
    uint32_t place;
} Item;

#if defined(OF_INTEGERS) || defined(OF_LONG_INTEGERS)

static inline Key key_of(Number number) { return ~((Key)number ^ SIGN); }

#else

static inline Key key_of(Number number)
{
    Key bits;
    if (number != number)
        return 0;
    number += 0; /* minus zero becomes zero */
    memcpy(&bits, &number, sizeof bits);
    return bits & SIGN ? bits : ~(bits | SIGN);
}

#endif

/* Sorts by a digit of the keys; the items end up in `to`. Returns 0 if all have the same digit, and leaves them. */
static int pass(const Item *from, Item *to, int64_t size, int shift)
{
    uint32_t start[BUCKETS] = {0}, total = 0;
    for (int64_t at = 0; at < size; at++)
        start[from[at].key >> shift & (BUCKETS - 1)]++;
    if (start[from[0].key >> shift & (BUCKETS - 1)] == size)
        return 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
        uint32_t count = start[bucket];
        start[bucket] = total;
        total += count;
    }
    for (int64_t at = 0; at < size; at++)
        to[start[from[at].key >> shift & (BUCKETS - 1)]++] = from[at];
    return 1;
}

static inline int comes_later(Item a, Item b) { return a.key > b.key || (a.key == b.key && a.place > b.place); }

/* Lets an item sink to its place in a heap whose top is the last in order. */
static void sink(Item *heap, int64_t count, int64_t at)
{
    Item item = heap[at];
    for (int64_t below; (below = 2 * at + 1) < count; at = below) {
        below += below + 1 < count && comes_later(heap[below + 1], heap[below]);
        if (!comes_later(heap[below], item))
            break;
        heap[at] = heap[below];
    }
    heap[at] = item;
}

/* Whether a number in a strip is above the limit, or one of them is NaN. */
FAST static int has_larger(const Number *x, Number limit)
{
    int found = 0;
    for (int at = 0; at < STRIP; at++)
        found |= !(x[at] <= limit);
    return found;
}

/* The first items in order, found by a heap of those that are first so far. */
static void keep_first(const Number *x, int64_t size, int64_t count, Item *heap)
{
    for (int64_t at = 0; at < count; at++)
        heap[at] = (Item){key_of(x[at]), (uint32_t)at};
    for (int64_t at = count / 2 - 1; at >= 0; at--)
        sink(heap, count, at);
    for (int64_t at = count; at < size;) {
        if (at + STRIP <= size && !has_larger(x + at, x[heap[0].place])) {
            at += STRIP;
            continue;
        }
        for (int64_t end = at + STRIP < size ? at + STRIP : size; at < end; at++) {
            Key key = key_of(x[at]);
            if (key < heap[0].key) {
                heap[0] = (Item){key, (uint32_t)at};
                sink(heap, count, 0);
            }
        }
    }
    for (int64_t end = count - 1; end > 0; end--) {
        Item last = heap[0];
        heap[0] = heap[end];
        heap[end] = last;
        sink(heap, end, 0);
    }
}

static void order_few(Job *job, const Number *x, int32_t *result)
{
    Item *heap = memory_for(job->count, sizeof *heap);
    if (!heap) {
        atomic_store(&job->failed, 1);
        return;
    }
    if (job->count)
        keep_first(x, job->size, job->count, heap);
    for (int64_t at = 0; at < job->count; at++)
        result[at] = (int32_t)heap[at].place;
    free(heap);
}

static void order_row(void *data, long row)
{
    Job *job = data;
    if (job->size <= SHORT || job->count <= job->size / FEW) {
        order_few(job, job->left + row * job->size, (int32_t *)job->result + row * job->count);
        return;
    }
    const Number *x = job->left + row * job->size;
    int32_t *result = (int32_t *)job->result + row * job->count;
    Item *items = memory_for(times(job->size, 2), sizeof *items), *other = items + job->size;
    if (!items) {
        atomic_store(&job->failed, 1);
        return;
    }
    for (int64_t at = 0; at < job->size; at++)
        items[at] = (Item){key_of(x[at]), (uint32_t)at};
    for (int digit = 0; digit < PASSES; digit++)
        if (pass(items, other, job->size, digit * BITS)) {
            Item *swap = items;
            items = other;
            other = swap;
        }
    for (int64_t at = 0; at < job->count; at++)
        result[at] = (int32_t)items[at].place;
    free(items < other ? items : other);
}

/* ---- places in sorted rows */

/* How many elements are below a value, or not above it; without branches, which processors would guess wrong. */
static inline int64_t count_below(const Number *ordered, int64_t size, Number value, int with_equal)
{
    int64_t low = 0;
    for (int64_t left = size, half; left > 0; left -= half) {
        half = (left + 1) / 2;
        Number seen = ordered[low + half - 1];
        low += (with_equal ? seen <= value : seen < value) ? half : 0;
    }
    return low;
}

static void place_row(void *data, long row)
{
    Job *job = data;
    const Number *ordered = job->left + row * job->size, *values = job->right + row * job->count;
    int32_t *result = (int32_t *)job->result + row * job->count;
    for (int64_t at = 0; at < job->count; at++)
        result[at] = (int32_t)(job->option ? count_below(ordered, job->size, values[at], 1)
                                           : count_below(ordered, job->size, values[at], 0));
}

/* ---- the place of one element in the order of its row, found digit by digit without sorting */

/* Narrows keys down to those with the digit that the key at `*left` in their order has; how many are left. */
static int64_t narrow(Key *keys, int64_t size, int shift, int64_t *left)
{
    uint32_t even[BUCKETS] = {0}, odd[BUCKETS] = {0}, bucket = 0; /* two of them, as neighbours are often alike */
    int64_t at = 0, kept = 0;
    for (; at + 1 < size; at += 2) {
        even[keys[at] >> shift & (BUCKETS - 1)]++;
        odd[keys[at + 1] >> shift & (BUCKETS - 1)]++;
    }
    if (at < size)
        even[keys[at] >> shift & (BUCKETS - 1)]++;
    for (; *left >= (int64_t)even[bucket] + odd[bucket]; bucket++)
        *left -= (int64_t)even[bucket] + odd[bucket];
    for (at = 0; at < size; at++) {
        keys[kept] = keys[at];
        kept += (keys[at] >> shift & (BUCKETS - 1)) == bucket;
    }
    return kept;
}

static void find_row(void *data, long row)
{
    Job *job = data;
    const Number *x = job->left + row * job->size;
    int64_t left = *(const int32_t *)job->right, size = job->size, at = 0;
    Key *keys = memory_for(size, sizeof *keys);
    if (!keys) {
        atomic_store(&job->failed, 1);
        return;
    }
    for (int64_t each = 0; each < size; each++)
        keys[each] = key_of(x[each]);
    left = left < 0 ? 0 : left < size ? left : size - 1;
    for (int digit = PASSES - 1; digit >= 0; digit--)
        size = narrow(keys, size, digit * BITS, &left);
    while (key_of(x[at]) != keys[0])
        at++;
    ((int32_t *)job->result)[row] = (int32_t)at;
    free(keys);
}

/* ---- how many elements of a row are larger than the one at a place; `option` where an element is not finite */

FAST static void rank_row(void *data, long row)
{
    Job *job = data;
    const Number *x = job->left + row * job->size;
    int32_t place = ((const int32_t *)job->right)[row], larger = 0, strange = place < 0 || place >= job->size;
    Number chosen = strange ? 0 : x[place];
    for (int64_t at = 0; at < job->size; at++) {
        larger += x[at] > chosen;
        strange += x[at] - x[at] != 0;
    }
    ((int32_t *)job->result)[row] = strange ? job->option : larger;
}

/* ---- calls: the numbers are rows, the sizes of a row of the input and of the result, and an option */

static void *run(Frame *frame, void (*row)(void *, long), int64_t second)
{
    const int64_t *numbers = numbers_of(frame);
    if (numbers[1] < 1 || numbers[1] > INT32_MAX
        || !has_argument(frame, 0, times(numbers[0], numbers[1])) || (frame->arguments.count > 1 && !has_argument(frame, 1, second))
        || !has_result(frame, 0, times(numbers[0], numbers[2])))
        return ill_sized(frame);
    Job job = {frame->arguments.buffers[0]->data,
               frame->arguments.count > 1 ? frame->arguments.buffers[1]->data : NULL,
               frame->results.buffers[0]->data, numbers[1], numbers[2], (int)numbers[3], 0};
    share(frame, numbers[0], row, &job);
    return atomic_load(&job.failed) ? out_of_memory(frame) : NULL;
}

static void *order(Frame *frame)
{
    return numbers_of(frame)[2] > numbers_of(frame)[1] ? ill_sized(frame) : run(frame, order_row, 0);
}

static void *places(Frame *frame)
{
    return run(frame, place_row, times(numbers_of(frame)[0], numbers_of(frame)[2]));
}

static void *nth(Frame *frame)
{
    return numbers_of(frame)[2] != 1 ? ill_sized(frame) : run(frame, find_row, 1);
}

static void *ranks(Frame *frame)
{
    return numbers_of(frame)[2] != 1 ? ill_sized(frame) : run(frame, rank_row, numbers_of(frame)[0]);
}

#define KERNELS(K)                                                                                                     \
    K("order", order, "n>4", 4) K("places", places, "nn>4", 4) K("nth", nth, "n4>4", 4)                                \
    K("ranks", ranks, "n4>4", 4)
