/* Small float32 matrices. */

#include "matrices.h"

KERNEL_MODULE(matrices, "Small float32 matrices for XLA's programs.")
