/* The channels of large float64 arrays. */

#define OF_DOUBLES
#include "channels.h"

KERNEL_MODULE(channels64, "The channels of large float64 arrays.")
