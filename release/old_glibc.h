/* For releases: asks glibc for the versions of these functions that the oldest Linux of manylinux2014 has too. Nothing in
   them has changed; they have moved from libpthread to libc, with a new version, which would exclude Linuxes before it. */

#if defined(__GLIBC__) || defined(__linux__)
#if defined(__x86_64__)
#define EVERGRAPH_OLDEST_GLIBC "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define EVERGRAPH_OLDEST_GLIBC "GLIBC_2.17"
#endif
#ifdef EVERGRAPH_OLDEST_GLIBC
__asm__(".symver pthread_create,pthread_create@" EVERGRAPH_OLDEST_GLIBC);
__asm__(".symver pthread_detach,pthread_detach@" EVERGRAPH_OLDEST_GLIBC);
__asm__(".symver pthread_sigmask,pthread_sigmask@" EVERGRAPH_OLDEST_GLIBC);
#endif
#endif
