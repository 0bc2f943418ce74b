/* Sliding windows over float32 images. */

#include "windows.h"

KERNEL_MODULE(windows, "Sliding windows over float32 images.")
