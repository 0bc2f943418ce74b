/* Products of float32 matrices. */

#include "products.h"

KERNEL_MODULE(products, "Products of float32 matrices.")
