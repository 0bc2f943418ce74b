/* Small float64 matrices. */

#define OF_DOUBLES
#include "matrices.h"

KERNEL_MODULE(matrices64, "Small float64 matrices for XLA's programs.")
