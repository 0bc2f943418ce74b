/* Memory for XLA's programs, which have no operation that only allocates.

   It is for the row `bidirectional RNN of 20 steps, gradient` of benchmarks.
*/

#include "ffi.h"

/* Results that are left as they are: the program writes what it will read. */
static void *unset(Frame *frame)
{
    (void)frame;
    return NULL;
}

#define KERNELS(K)                                                                                                     \
    K("unset", unset, "?*>?*", ANY_NUMBERS)

KERNEL_MODULE(buffers, "Memory for XLA's programs.")
