/* The elements of large float32 arrays. */

#include "elements.h"

KERNEL_MODULE(elements, "The elements of large float32 arrays.")
