/* Rows of float32 matrices. */

#include "rows.h"

KERNEL_MODULE(rows, "Rows of float32 matrices for XLA's programs.")
