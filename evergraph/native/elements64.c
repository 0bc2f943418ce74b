/* The elements of large float64 arrays. */

#define OF_DOUBLES
#include "elements.h"

KERNEL_MODULE(elements64, "The elements of large float64 arrays.")
