/* Rows of int32 matrices. */

#define OF_INTEGERS
#include "rows.h"

KERNEL_MODULE(rows_int, "Rows of int32 matrices for XLA's programs.")
