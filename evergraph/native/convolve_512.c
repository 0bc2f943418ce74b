/* Convolutions of float32 images, on CPUs with AVX-512. */

#define WITH_AVX512
#include "convolve.h"

KERNEL_MODULE(convolve_512, "Convolutions of float32 images, on CPUs with AVX-512.")
