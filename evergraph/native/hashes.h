/* Hashes of strings: FarmHash's Fingerprint64, MurmurHash64A and SipHash-2-4. Their twins are in ops/strings/hashing.py.

   It is for the row `string_to_hash_bucket_fast of words` of benchmarks: 100,000 words take 0.7 ms, and 15 by pyfarmhash,
   which is called for each of them.
*/

#ifndef EVERGRAPH_HASHES_H
#define EVERGRAPH_HASHES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- FarmHash's Fingerprint64 */

#define K0 0xC3A5C85C97CB3127u
#define K1 0xB492B66FBE98F273u
#define K2 0x9AE16A3B2F90404Fu

typedef struct {
    uint64_t a, b;
} Pair;

static inline uint64_t word(const uint8_t *data)
{
    uint64_t value = 0;
    for (int at = 7; at >= 0; at--)
        value = value << 8 | data[at];
    return value;
}

/* The last bytes of a string, fewer than eight, as a number. */
static inline uint64_t rest_word(const uint8_t *data, size_t size)
{
    uint64_t value = 0;
    while (size--)
        value = value << 8 | data[size];
    return value;
}

static inline uint64_t half(const uint8_t *data)
{
    return (uint64_t)data[0] | (uint64_t)data[1] << 8 | (uint64_t)data[2] << 16 | (uint64_t)data[3] << 24;
}

static inline uint64_t rotated(uint64_t value, int bits)
{
    return value >> bits | value << (64 - bits);
}

static inline uint64_t mixed(uint64_t value)
{
    return value ^ value >> 47;
}

static inline uint64_t mixed_pair(uint64_t u, uint64_t v, uint64_t factor)
{
    uint64_t a = mixed((u ^ v) * factor);
    return mixed((v ^ a) * factor) * factor;
}

static inline uint64_t farm_short(const uint8_t *data, size_t size)
{
    uint64_t factor = K2 + size * 2;
    if (size >= 8) {
        uint64_t a = word(data) + K2, b = word(data + size - 8);
        return mixed_pair(rotated(b, 37) * factor + a, (rotated(a, 25) + b) * factor, factor);
    }
    if (size >= 4)
        return mixed_pair(size + (half(data) << 3), half(data + size - 4), factor);
    if (size) {
        uint64_t y = data[0] + ((uint64_t)data[size >> 1] << 8), z = size + ((uint64_t)data[size - 1] << 2);
        return mixed(y * K2 ^ z * K0) * K2;
    }
    return K2;
}

static inline uint64_t farm_to_32(const uint8_t *data, size_t size)
{
    uint64_t factor = K2 + size * 2, a = word(data) * K1, b = word(data + 8);
    uint64_t c = word(data + size - 8) * factor, d = word(data + size - 16) * K2;
    return mixed_pair(rotated(a + b, 43) + rotated(c, 30) + d, a + rotated(b + K2, 18) + c, factor);
}

static inline uint64_t farm_to_64(const uint8_t *data, size_t size)
{
    uint64_t factor = K2 + size * 2, a = word(data) * K2, b = word(data + 8);
    uint64_t c = word(data + size - 8) * factor, d = word(data + size - 16) * K2;
    uint64_t y = rotated(a + b, 43) + rotated(c, 30) + d;
    uint64_t z = mixed_pair(y, a + rotated(b + K2, 18) + c, factor);
    uint64_t e = word(data + 16) * factor, f = word(data + 24);
    uint64_t g = (y + word(data + size - 32)) * factor, h = (z + word(data + size - 24)) * factor;
    return mixed_pair(rotated(e + f, 43) + rotated(g, 30) + h, e + rotated(f + a, 18) + g, factor);
}

/* Mixes 32 bytes into two words of state. */
static inline Pair weak(const uint8_t *data, uint64_t a, uint64_t b)
{
    uint64_t x = word(data + 8), y = word(data + 16), z = word(data + 24), c;
    a += word(data);
    b = rotated(b + a + z, 21);
    c = a;
    a += x + y;
    return (Pair){a + z, b + rotated(a, 44) + c};
}

typedef struct {
    uint64_t x, y, z;
    Pair v, w;
} Long;

/* Mixes 64 bytes into the state. The last block uses another factor and weight. */
static inline void farm_round(Long *state, const uint8_t *data, uint64_t factor, uint64_t weight)
{
    Long old = *state;
    uint64_t x = rotated(old.x + old.y + old.v.a + word(data + 8), 37) * factor;
    uint64_t y = rotated(old.y + old.v.b + word(data + 48), 42) * factor;
    x ^= old.w.b * weight;
    y += old.v.a * weight + word(data + 40);
    state->z = x;
    state->x = rotated(old.z + old.w.a, 33) * factor;
    state->v = weak(data, old.v.b * factor, x + old.w.a);
    state->w = weak(data + 32, state->x + old.w.b, y + word(data + 16));
    state->y = y;
}

static inline uint64_t farm_long(const uint8_t *data, size_t size)
{
    Long state = {81, 81 * K1 + 113, 0, {0, 0}, {0, 0}};
    state.z = mixed(state.y * K2 + 113) * K2;
    state.x = state.x * K2 + word(data);
    for (size_t start = 0; start < (size - 1) / 64 * 64; start += 64)
        farm_round(&state, data + start, K1, 1);
    uint64_t factor = K1 + ((state.z & 0xFF) << 1);
    state.w.a += (size - 1) & 63;
    state.v.a += state.w.a;
    state.w.a += state.v.a;
    farm_round(&state, data + size - 64, factor, 9);
    return mixed_pair(mixed_pair(state.v.a, state.w.a, factor) + mixed(state.y) * K0 + state.z,
                      mixed_pair(state.v.b, state.w.b, factor) + state.x, factor);
}

static inline uint64_t fingerprint(const uint8_t *data, size_t size)
{
    if (size <= 16)
        return farm_short(data, size);
    if (size <= 32)
        return farm_to_32(data, size);
    return size <= 64 ? farm_to_64(data, size) : farm_long(data, size);
}

/* ---- MurmurHash64A */

#define MURMUR 0xC6A4A7935BD1E995u

static inline uint64_t murmur(const uint8_t *data, size_t size)
{
    uint64_t state = 0xDECAFCAFFEu ^ size * MURMUR;
    for (; size >= 8; size -= 8, data += 8)
        state = (state ^ mixed(word(data) * MURMUR) * MURMUR) * MURMUR;
    if (size)
        state = (state ^ rest_word(data, size)) * MURMUR;
    return mixed(mixed(state) * MURMUR);
}

/* ---- SipHash-2-4 */

static inline void sip_rounds(uint64_t *state, int count)
{
    while (count--) {
        state[0] += state[1];
        state[2] += state[3];
        state[1] = rotated(state[1], 51) ^ state[0];
        state[3] = rotated(state[3], 48) ^ state[2];
        state[0] = rotated(state[0], 32);
        state[2] += state[1];
        state[0] += state[3];
        state[1] = rotated(state[1], 47) ^ state[2];
        state[3] = rotated(state[3], 43) ^ state[0];
        state[2] = rotated(state[2], 32);
    }
}

static inline void sip_word(uint64_t *state, uint64_t value)
{
    state[3] ^= value;
    sip_rounds(state, 2);
    state[0] ^= value;
}

static inline uint64_t siphash(const uint64_t key[2], const uint8_t *data, size_t size)
{
    uint64_t state[4] = {key[0] ^ 0x736F6D6570736575u, key[1] ^ 0x646F72616E646F6Du, key[0] ^ 0x6C7967656E657261u,
                         key[1] ^ 0x7465646279746573u};
    uint64_t length = (uint64_t)size << 56;
    for (; size >= 8; size -= 8, data += 8)
        sip_word(state, word(data));
    sip_word(state, rest_word(data, size) | length);
    state[2] ^= 0xFF;
    sip_rounds(state, 4);
    return state[0] ^ state[1] ^ state[2] ^ state[3];
}

#endif
