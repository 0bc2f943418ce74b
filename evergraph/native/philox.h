/* The Philox4x32-10 generator. */

#ifndef EVERGRAPH_PHILOX_H
#define EVERGRAPH_PHILOX_H

#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t key, low, high;
} State;

/* The ten rounds on a counter of four words, in place. */
__attribute__((always_inline)) static inline void encrypt(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d,
                                                          uint32_t first, uint32_t second)
{
    for (int turn = 0; turn < 10; turn++) {
        uint64_t p = (uint64_t)*a * 0xD2511F53u, q = (uint64_t)*c * 0xCD9E8D57u;
        *a = (uint32_t)(q >> 32) ^ *b ^ first;
        *b = (uint32_t)q;
        *c = (uint32_t)(p >> 32) ^ *d ^ second;
        *d = (uint32_t)p;
        first += 0x9E3779B9u;
        second += 0xBB67AE85u;
    }
}

/* The four words of the block that lies `index` after the one a state stands at. */
static inline void block(const State *state, uint64_t index, uint32_t words[4])
{
    uint64_t low = state->low + index, high = state->high + (low < index);
    words[0] = (uint32_t)low, words[1] = (uint32_t)(low >> 32);
    words[2] = (uint32_t)high, words[3] = (uint32_t)(high >> 32);
    encrypt(words, words + 1, words + 2, words + 3, (uint32_t)state->key, (uint32_t)(state->key >> 32));
}

/* A number in [0, 1) whose fraction has 52 bits. */
static inline double wide_unit(const uint32_t words[2])
{
    uint64_t bits = (uint64_t)0x3FF << 52 | (uint64_t)(words[0] & 0xFFFFF) << 32 | words[1];
    double value;
    memcpy(&value, &bits, sizeof value);
    return value - 1.0;
}

#endif
