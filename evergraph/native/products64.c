/* Products of float64 matrices. */

#define OF_DOUBLES
#include "products.h"

KERNEL_MODULE(products64, "Products of float64 matrices.")
