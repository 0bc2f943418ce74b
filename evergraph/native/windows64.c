/* Sliding windows over float64 images. */

#define OF_DOUBLES
#include "windows.h"

KERNEL_MODULE(windows64, "Sliding windows over float64 images.")
