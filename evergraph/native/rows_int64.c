/* Rows of int64 matrices. */

#define OF_LONG_INTEGERS
#include "rows.h"

KERNEL_MODULE(rows_int64, "Rows of int64 matrices for XLA's programs.")
