/* Has processors take subnormal numbers for zero, as TensorFlow's kernels and XLA's programs do. */

#ifndef EVERGRAPH_SUBNORMAL_H
#define EVERGRAPH_SUBNORMAL_H

#include <stdint.h>

#if defined(__x86_64__)
typedef unsigned int Control;
#define FLUSHING 0x8040u /* results, and operands */
static inline Control control(void) { return __builtin_ia32_stmxcsr(); }
static inline void set_control(Control bits) { __builtin_ia32_ldmxcsr(bits); }
#elif defined(__aarch64__)
typedef uint64_t Control;
#define FLUSHING (UINT64_C(1) << 24)
static inline Control control(void)
{
    Control bits;
    __asm__ volatile("mrs %0, fpcr" : "=r"(bits));
    return bits;
}
static inline void set_control(Control bits) { __asm__ volatile("msr fpcr, %0" : : "r"(bits)); }
#else
typedef unsigned int Control;
#define FLUSHING 0u
static inline Control control(void) { return 0; }
static inline void set_control(Control bits) { (void)bits; }
#endif

/* Whether this thread takes them for zero from now on; returns whether it did before. */
static inline int flush_subnormals(int whether)
{
    Control before = control();
    set_control(whether ? before | FLUSHING : before & ~FLUSHING);
    return (before & FLUSHING) != 0;
}

#endif
