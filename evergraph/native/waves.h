/* Elementary functions of float32 numbers as plain arithmetic, which compilers turn into vectors. */

#ifndef EVERGRAPH_WAVES_H
#define EVERGRAPH_WAVES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

INLINE float as_float(uint32_t bits)
{
    float number;
    memcpy(&number, &bits, 4);
    return number;
}

INLINE uint32_t as_bits(float number)
{
    uint32_t bits;
    memcpy(&bits, &number, 4);
    return bits;
}

/* The sine of an angle below 1e5 after so many quarter turns, to 1e-7: the angle is reduced by quarter turns in three
   parts, each product of which is exact before it is subtracted. */
INLINE float sine_after(float angle, int quarters)
{
    float turns = __builtin_rintf(angle * 0x1.45f306p-1f);
    float rest = __builtin_fmaf(turns, -0x1.921fb6p+0f, angle);
    rest = __builtin_fmaf(turns, 0x1.777a5cp-25f, rest);
    rest = __builtin_fmaf(turns, 0x1.ee59dap-50f, rest);
    int32_t quarter = (int32_t)turns + quarters;
    float square = rest * rest;
    float sine = -1.9515295891e-4f, cosine = 2.443315711809948e-5f;
    sine = __builtin_fmaf(sine, square, 8.3321608736e-3f);
    sine = __builtin_fmaf(sine, square, -1.6666654611e-1f);
    sine = __builtin_fmaf(sine * square, rest, rest);
    cosine = __builtin_fmaf(cosine, square, -1.388731625493765e-3f);
    cosine = __builtin_fmaf(cosine, square, 4.166664568298827e-2f);
    cosine = __builtin_fmaf(cosine * square, square, __builtin_fmaf(square, -0.5f, 1.0f));
    sine = angle == 0.0f ? angle : sine; /* minus zero stays */
    float wave = quarter & 1 ? cosine : sine;
    return as_float(as_bits(wave) ^ (uint32_t)(quarter & 2) << 30);
}

#endif
