/* Calls from XLA's programs into C: the part of XLA's foreign function interface, version 0.3, that kernels here use.

   XLA hands a kernel one frame with arguments, results and attributes. The kernel shares its work with XLA's own threads:
   the calling thread takes pieces as the others do, so a program whose threads are all inside of kernels still finishes.
*/

#ifndef EVERGRAPH_FFI_H
#define EVERGRAPH_FFI_H

#include <Python.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct Extension {
    size_t bytes;
    int type;
    struct Extension *next;
} Extension;

typedef struct {
    size_t bytes;
    Extension *extensions;
    int major, minor;
} Version;

typedef struct {
    size_t bytes;
    Version version;
    uint32_t traits;
} Metadata;

typedef struct {
    Extension base;
    Metadata *metadata;
} MetadataRequest;

typedef struct {
    size_t bytes;
    Extension *extensions;
    int dtype;
    void *data;
    int64_t rank, *sizes;
} Buffer;

typedef struct {
    size_t bytes;
    Extension *extensions;
    int64_t count;
    int *types;
    Buffer **buffers;
} Buffers;

typedef struct {
    int dtype;
    size_t count;
    void *data;
} Array;

typedef struct {
    size_t bytes;
    Extension *extensions;
    int64_t count;
    int *types;
    void **names;
    Array **arrays;
} Attributes;

typedef struct {
    size_t bytes;
    Extension *extensions;
    const char *message;
    int code;
} ErrorRequest;

typedef struct {
    size_t bytes;
    Extension *extensions;
    void *context;
    void (*task)(void *);
    void *data;
} ScheduleRequest;

typedef struct {
    size_t bytes;
    Extension *extensions;
    void *context;
    int64_t *count;
} ThreadsRequest;

typedef struct {
    size_t bytes;
    Extension *extensions;
    Version version;
    const void *internal;
    void *(*create_error)(ErrorRequest *);
    void *unused[10];
    void *(*schedule)(ScheduleRequest *);
    void *(*count_threads)(ThreadsRequest *);
} Api;

typedef struct {
    size_t bytes;
    Extension *extensions;
    const Api *api;
    void *context;
    int stage;
    Buffers arguments, results;
    Attributes attributes;
    void *future;
} Frame;

enum { METADATA = 1, OUT_OF_MEMORY = 8 };

static int minor_version = 3; /* of the interface that XLA has; in version 4 all that is described here is the same */

/* Whether XLA only asks for which version of the interface a kernel was written; answers if so. */
static inline int answers_metadata(Frame *frame)
{
    if (!frame->extensions || frame->extensions->type != METADATA)
        return 0;
    Metadata *metadata = ((MetadataRequest *)frame->extensions)->metadata;
    metadata->version.major = 0;
    metadata->version.minor = minor_version;
    return 1;
}

static inline void *out_of_memory(Frame *frame)
{
    ErrorRequest request = {sizeof request, NULL, "no memory is left for a kernel's scratch space", OUT_OF_MEMORY};
    return frame->api->create_error(&request);
}

static inline const int64_t *numbers_of(Frame *frame) { return frame->attributes.arrays[0]->data; }

/* ---- work shared among threads */

typedef struct {
    atomic_long next, done, holders;
    long count;
    void (*piece)(void *, long);
    void *job;
} Work;

static inline void take_pieces(Work *work)
{
    for (long at; (at = atomic_fetch_add(&work->next, 1)) < work->count;) {
        work->piece(work->job, at);
        atomic_fetch_add(&work->done, 1);
    }
}

static inline void leave(Work *work)
{
    if (atomic_fetch_sub(&work->holders, 1) == 1)
        free(work);
}

static void helper(void *data)
{
    take_pieces(data);
    leave(data);
}

static inline int64_t threads_of(Frame *frame)
{
    int64_t threads = 1;
    ThreadsRequest request = {sizeof request, NULL, frame->context, &threads};
    return frame->api->count_threads(&request) ? 1 : threads;
}

/* Calls piece(job, 0), ..., piece(job, count - 1), each once, on several threads. */
static inline void share(Frame *frame, long count, void (*piece)(void *, long), void *job)
{
    int64_t threads = threads_of(frame);
    Work *work = count > 1 && threads > 1 ? malloc(sizeof *work) : NULL;
    if (!work) {
        for (long at = 0; at < count; at++)
            piece(job, at);
        return;
    }
    long helpers = (threads < count ? threads : count) - 1;
    *work = (Work){.count = count, .piece = piece, .job = job};
    atomic_store(&work->holders, helpers + 1);
    for (long at = 0; at < helpers; at++) {
        ScheduleRequest request = {sizeof request, NULL, frame->context, helper, work};
        if (frame->api->schedule(&request))
            leave(work);
    }
    take_pieces(work);
    while (atomic_load(&work->done) < count)
        sched_yield();
    leave(work);
}

typedef struct {
    void (*range)(void *, long, long);
    void *job;
    long count, grain;
} Ranges;

static void take_range(void *data, long at)
{
    Ranges *ranges = data;
    long from = at * ranges->grain, to = from + ranges->grain;
    ranges->range(ranges->job, from, to < ranges->count ? to : ranges->count);
}

/* Calls range(job, from, to) for ranges of `grain` numbers that together are 0, ..., count - 1. */
static inline void share_ranges(Frame *frame, long count, long grain, void (*range)(void *, long, long), void *job)
{
    Ranges ranges = {range, job, count, grain < 1 ? 1 : grain};
    share(frame, (count + ranges.grain - 1) / ranges.grain, take_range, &ranges);
}

/* ---- to Python */

static inline int has_vectors(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

static PyObject *speak(PyObject *module, PyObject *minor)
{
    (void)module;
    long version = PyLong_AsLong(minor);
    if (version == -1 && PyErr_Occurred())
        return NULL;
    minor_version = (int)version;
    Py_RETURN_NONE;
}

static PyMethodDef speaking[] = {
    {"speak", speak, METH_O, "Sets the minor version of XLA's interface that the kernels of this module answer with."},
    {NULL, NULL, 0, NULL},
};

/* Adds a kernel to a module, as XLA takes it. */
static inline int add_target(PyObject *module, const char *name, void *(*kernel)(Frame *))
{
    PyObject *capsule = PyCapsule_New((void *)kernel, NULL, NULL);
    int failed = !capsule || PyModule_AddObjectRef(module, name, capsule) || PyModule_AddFunctions(module, speaking);
    Py_XDECREF(capsule);
    return failed;
}

#endif
