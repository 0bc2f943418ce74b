/* Vectors of numbers of one type, for code that is compiled for float and, with OF_DOUBLES, for double; for CPUs with
   AVX2 and, with WITH_AVX512, for those with AVX-512. */

#ifndef EVERGRAPH_VECTORS_H
#define EVERGRAPH_VECTORS_H

#include "ffi.h"

#if HAS_KERNELS

#include <immintrin.h>

#ifdef WITH_AVX512

typedef __mmask16 Mask;

#ifdef OF_DOUBLES
typedef double Number;
typedef __m512d Vector;
enum { LANES = 8 };
#define VECTOR(OPERATION) _mm512_##OPERATION##_pd
#else
typedef float Number;
typedef __m512 Vector;
enum { LANES = 16 };
#define VECTOR(OPERATION) _mm512_##OPERATION##_ps
#endif

#define BROADCAST(FROM) VECTOR(set1)(*(FROM))

/* The first `count` lanes of some vectors, those of vector `at`. */
INLINE Mask lanes(int64_t count, int at)
{
    int64_t left = count - LANES * at;
    return (Mask)(left >= LANES ? (1 << LANES) - 1 : left > 0 ? (1 << left) - 1 : 0);
}

INLINE Vector load_lanes(const Number *from, Mask mask) { return VECTOR(maskz_loadu)((Mask)mask, from); }

INLINE void store_lanes(Number *to, Mask mask, Vector vector) { VECTOR(mask_storeu)(to, (Mask)mask, vector); }

#else

typedef __m256i Mask;

#ifdef OF_DOUBLES

typedef double Number;
typedef __m256d Vector;
typedef int64_t Index; /* as wide as a number */
enum { LANES = 4 };
#define VECTOR(OPERATION) _mm256_##OPERATION##_pd
#define BROADCAST _mm256_broadcast_sd
#define SAME_INDEX(INDEX) _mm256_set1_epi64x(INDEX)

INLINE Mask lanes(int64_t count, int at)
{
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count - LANES * at), _mm256_setr_epi64x(0, 1, 2, 3));
}

#else

typedef float Number;
typedef __m256 Vector;
typedef int32_t Index;
enum { LANES = 8 };
#define VECTOR(OPERATION) _mm256_##OPERATION##_ps
#define BROADCAST _mm256_broadcast_ss
#define SAME_INDEX(INDEX) _mm256_set1_epi32((int32_t)(INDEX))

INLINE Mask lanes(int64_t count, int at)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count - LANES * at), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

#endif

INLINE Vector load_lanes(const Number *from, Mask mask) { return VECTOR(maskload)(from, mask); }

INLINE void store_lanes(Number *to, Mask mask, Vector vector) { VECTOR(maskstore)(to, mask, vector); }

#endif

#endif

#endif
