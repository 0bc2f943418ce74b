/* Convolutions of float32 images. */

#include "convolve.h"

KERNEL_MODULE(convolve, "Convolutions of float32 images.")
