/* Rows of float64 matrices. */

#define OF_DOUBLES
#include "rows.h"

KERNEL_MODULE(rows64, "Rows of float64 matrices for XLA's programs.")
