/* The channels of large float32 arrays. */

#include "channels.h"

KERNEL_MODULE(channels, "The channels of large float32 arrays.")
