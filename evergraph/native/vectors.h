/* Vectors of numbers of one type, for code that is compiled for float and, with OF_DOUBLES, for double. */

#ifndef EVERGRAPH_VECTORS_H
#define EVERGRAPH_VECTORS_H

#include "ffi.h"

#if HAS_KERNELS

#include <immintrin.h>

#ifdef OF_DOUBLES

typedef double Number;
typedef __m256d Vector;
typedef int64_t Index; /* as wide as a number */
enum { LANES = 4 };
#define VECTOR(OPERATION) _mm256_##OPERATION##_pd
#define BROADCAST _mm256_broadcast_sd
#define SAME_INDEX(INDEX) _mm256_set1_epi64x(INDEX)

/* The first `count` lanes of some vectors, those of vector `at`. */
INLINE __m256i lanes(int64_t count, int at)
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

INLINE __m256i lanes(int64_t count, int at)
{
    return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)count - LANES * at), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

#endif

#endif

#endif
