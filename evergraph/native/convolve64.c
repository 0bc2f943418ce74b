/* Convolutions of float64 images. */

#define OF_DOUBLES
#include "convolve.h"

KERNEL_MODULE(convolve64, "Convolutions of float64 images.")
