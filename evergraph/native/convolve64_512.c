/* Convolutions of float64 images, on CPUs with AVX-512. */

#define OF_DOUBLES
#define WITH_AVX512
#include "convolve.h"

KERNEL_MODULE(convolve64_512, "Convolutions of float64 images, on CPUs with AVX-512.")
