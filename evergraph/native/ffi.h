/* Calls from XLA's programs into C: the part of XLA's foreign function interface, versions 0.3 and 0.4, that kernels
   here use, and calls of the same kernels from Python.

   XLA hands a kernel one frame with arguments, results and attributes. The kernel shares its work with XLA's own threads:
   the calling thread takes pieces as the others do, so a program whose threads are all inside of kernels still finishes.
   A call from Python makes such a frame itself, and shares with threads of this process, which are kept: to wake one takes
   a fraction of the time that starting one does.
*/

#ifndef EVERGRAPH_FFI_H
#define EVERGRAPH_FFI_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include "checked.h"
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef __x86_64__
#define FAST
#elif defined(WITH_AVX512) /* has_vectors, which see */
#define FAST __attribute__((target("avx2,fma,avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define FAST __attribute__((target("avx2,fma")))
#endif
#define INLINE FAST __attribute__((always_inline)) static inline

/* What the kernels of some modules compute with. */
#if defined(OF_DOUBLES)
typedef double Number;
#elif defined(OF_INTEGERS)
typedef int32_t Number;
#elif defined(OF_LONG_INTEGERS)
typedef int64_t Number;
#else
typedef float Number;
#endif

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

enum { METADATA = 1, INVALID = 3, OUT_OF_MEMORY = 8, MOST_BUFFERS = 8 };

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

static inline void *failure(Frame *frame, int code, const char *message)
{
    ErrorRequest request = {sizeof request, NULL, message, code};
    return frame->api->create_error(&request);
}

static inline void *ill_sized(Frame *frame) { return failure(frame, INVALID, "arrays have sizes that do not fit"); }

static inline void *out_of_memory(Frame *frame)
{
    return failure(frame, OUT_OF_MEMORY, "no memory is left for a kernel's scratch space");
}

static inline const int64_t *numbers_of(Frame *frame) { return frame->attributes.arrays[0]->data; }

static inline int64_t elements_of(const Buffer *buffer)
{
    return multiplied(buffer->sizes, buffer->rank);
}

/* The bytes between the elements of an array along its axes, where they do not follow from its sizes. */
typedef struct {
    Extension base;
    const Py_ssize_t *along;
} Strides;

enum { WITH_STRIDES = -1 }; /* a type of extension that XLA has not */

static inline const Py_ssize_t *strides_of(const Buffer *buffer)
{
    return buffer->extensions && buffer->extensions->type == WITH_STRIDES ? ((Strides *)buffer->extensions)->along : NULL;
}

/* The bytes of an element: those of XLA's dtypes by their numbers, or of Python's arrays, with a minus; 0 if nobody told. */
static inline int width_of_element(const Buffer *buffer)
{
    static const char widths[] = {0, 1, 1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8};
    if (buffer->dtype <= 0)
        return -buffer->dtype;
    return buffer->dtype < (int)sizeof widths ? widths[buffer->dtype] : 16;
}

/* What is left of the letters that describe arrays behind those of these; NULL if an array is not as its letter says. */
static inline const char *behind_arrays(const Buffers *arrays, const char *letter, int is_wide)
{
    for (int64_t at = 0; at < arrays->count; at++) {
        const Buffer *buffer = arrays->buffers[at];
        int wanted = *letter == 'x' ? (is_wide ? 8 : 4) : *letter == 'n' || *letter == 's' ? (int)sizeof(Number) : *letter - '0';
        int width = width_of_element(buffer);
        if (!*letter || *letter == '>' || (*letter != '?' && width && width != wanted)
            || (*letter != 's' && strides_of(buffer)))
            return NULL;
        letter += letter[1] != '*';
    }
    return *letter && letter[1] == '*' ? letter + 2 : letter;
}

enum { ANY_NUMBERS = -1 };

/* Whether a kernel is given as many arrays and integers as it takes. A letter for each array says how many bytes an element
   has: a digit; n, those of a Number; s, the same in an array with strides of its own; x, 8 if the last of the integers is
   not 0, otherwise 4; ? for any. A * repeats the letter before, and > stands between arguments and results. */
static inline int is_given(const Frame *frame, const char *letters, int64_t numbers)
{
    const Array *list = frame->attributes.arrays[0];
    if (numbers != ANY_NUMBERS && list->count != (size_t)numbers)
        return 0;
    int is_wide = list->count && ((const int64_t *)list->data)[list->count - 1];
    const char *left = behind_arrays(&frame->arguments, letters, is_wide);
    left = left && *left == '>' ? behind_arrays(&frame->results, left + 1, is_wide) : NULL;
    return left && !*left;
}


static inline int has_argument(const Frame *frame, int64_t at, int64_t elements)
{
    return elements >= 0 && at < frame->arguments.count && elements_of(frame->arguments.buffers[at]) == elements;
}

static inline int has_result(const Frame *frame, int64_t at, int64_t elements)
{
    return elements >= 0 && at < frame->results.count && elements_of(frame->results.buffers[at]) == elements;
}

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

static inline int has_vectors(void)
{
#ifndef __x86_64__
    return 1; /* the compiler makes do with what there is */
#else
#ifdef WITH_AVX512
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512dq")
        || !__builtin_cpu_supports("avx512vl"))
        return 0;
#endif
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
}

static PyObject *speak(PyObject *module, PyObject *minor)
{
    (void)module;
    long version = PyLong_AsLong(minor);
    if (version == -1 && PyErr_Occurred())
        return NULL;
    minor_version = (int)version;
    Py_RETURN_NONE;
}

typedef struct {
    const char *name;
    void *(*call)(Frame *);
} Kernel;

/* ---- calls from Python: XLA's interface as far as kernels ask for it */

static _Thread_local ErrorRequest raised;

static void *keep_error(ErrorRequest *request)
{
    raised = *request;
    return &raised;
}

static void *without_help(ScheduleRequest *request) { return request; }

static void *count_helpers(ThreadsRequest *request)
{
    *request->count = *(const int64_t *)request->context;
    return NULL;
}

static Api local_api = {.bytes = sizeof local_api, .create_error = keep_error, .schedule = without_help,
                        .count_threads = count_helpers};

/* Finds the threads that help calls from Python, of which all modules have the same; see threads.c. */
static inline int find_threads(void)
{
    PyObject *module = PyImport_ImportModule("evergraph.native._threads");
    PyObject *capsule = module ? PyObject_GetAttrString(module, "schedule") : NULL;
    void *found = capsule ? PyCapsule_GetPointer(capsule, NULL) : NULL;
    if (found)
        local_api.schedule = (void *(*)(ScheduleRequest *))found;
    Py_XDECREF(capsule);
    Py_XDECREF(module);
    return found ? 0 : -1;
}

typedef struct {
    Py_buffer views[MOST_BUFFERS];
    Buffer buffers[MOST_BUFFERS], *pointers[MOST_BUFFERS];
    Strides strides[MOST_BUFFERS];
    int count;
} Taken;

static void drop_arrays(Taken *taken)
{
    while (taken->count)
        PyBuffer_Release(&taken->views[--taken->count]);
}

/* Takes the memory of a tuple of arrays, and describes it as XLA does; with strides if they are not contiguous. */
static int take_arrays(PyObject *arrays, int flags, Taken *taken, Buffers *described)
{
    Py_ssize_t count = PyTuple_Size(arrays);
    if (count < 0 || count > MOST_BUFFERS) {
        PyErr_Format(PyExc_ValueError, "a kernel takes and returns at most %d arrays", MOST_BUFFERS);
        return 0;
    }
    for (; taken->count < count; taken->count++) {
        Py_buffer *view = &taken->views[taken->count];
        if (PyObject_GetBuffer(PyTuple_GetItem(arrays, taken->count), view, flags))
            return 0;
        Buffer *buffer = taken->pointers[taken->count] = &taken->buffers[taken->count];
        *buffer = (Buffer){.bytes = sizeof *buffer, .dtype = view->itemsize > 16 ? -16 : -(int)view->itemsize,
                           .data = view->buf, .rank = view->ndim, .sizes = (int64_t *)view->shape};
        if (!PyBuffer_IsContiguous(view, 'C')) {
            Strides *strides = &taken->strides[taken->count];
            *strides = (Strides){{sizeof *strides, WITH_STRIDES, NULL}, view->strides};
            buffer->extensions = &strides->base;
        }
    }
    *described = (Buffers){.bytes = sizeof *described, .count = count, .buffers = taken->pointers};
    return 1;
}

static PyObject *outcome(void *failed)
{
    if (!failed)
        Py_RETURN_NONE;
    PyErr_SetString(raised.code == OUT_OF_MEMORY ? PyExc_MemoryError : PyExc_ValueError, raised.message);
    return NULL;
}

static PyObject *call_with(PyObject *arguments, int flags)
{
    PyObject *capsule, *given, *made, *result = NULL;
    Py_buffer numbers;
    long long most;
    if (!PyArg_ParseTuple(arguments, "OO!O!y*L", &capsule, &PyTuple_Type, &given, &PyTuple_Type, &made, &numbers, &most))
        return NULL;
    int64_t threads = most;
    Array list = {.count = (size_t)numbers.len / sizeof(int64_t), .data = numbers.buf}, *lists[] = {&list};
    Frame frame = {.bytes = sizeof frame, .api = &local_api, .context = &threads,
                   .attributes = {.count = 1, .arrays = lists}};
    void *(*kernel)(Frame *) = (void *(*)(Frame *))PyCapsule_GetPointer(capsule, NULL);
    Taken operands = {.count = 0}, results = {.count = 0};
    if (kernel && take_arrays(given, flags, &operands, &frame.arguments)
        && take_arrays(made, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, &results, &frame.results)) {
        void *failed;
        Py_BEGIN_ALLOW_THREADS
        failed = kernel(&frame);
        Py_END_ALLOW_THREADS
        result = outcome(failed);
    }
    drop_arrays(&operands);
    drop_arrays(&results);
    PyBuffer_Release(&numbers);
    return result;
}

static PyObject *call(PyObject *module, PyObject *arguments)
{
    (void)module;
    return call_with(arguments, PyBUF_C_CONTIGUOUS);
}

static PyObject *call_on_views(PyObject *module, PyObject *arguments)
{
    (void)module;
    return call_with(arguments, PyBUF_STRIDED_RO);
}

static PyMethodDef functions[] = {
    {"call", call, METH_VARARGS, "Calls a kernel with arrays, arrays for its results, integers and a number of threads."},
    {"call_on_views", call_on_views, METH_VARARGS, "The same for a kernel that takes arrays of any strides."},
    {"speak", speak, METH_O, "Sets the minor version of XLA's interface that the kernels of this module answer with."},
    {NULL, NULL, 0, NULL},
};

/* Adds kernels to a module, as XLA takes them. */
static inline int add_kernels(PyObject *module, const Kernel *kernels, size_t count)
{
    if (!has_vectors()) {
        PyErr_SetString(PyExc_ImportError, "this processor lacks the vectors that the kernels use");
        return -1;
    }
    int failed = find_threads() || PyModule_AddFunctions(module, functions);
    for (size_t at = 0; at < count && !failed; at++) {
        PyObject *capsule = PyCapsule_New((void *)kernels[at].call, NULL, NULL);
        failed = !capsule || PyModule_AddObjectRef(module, kernels[at].name, capsule);
        Py_XDECREF(capsule);
    }
    return failed ? -1 : 0;
}

/* A kernel as XLA and Python call it: only with arrays and integers as its row in KERNELS says. */
#define CHECKED(NAME, FUNCTION, ARRAYS, NUMBERS)                                                                       \
    static void *FUNCTION##_checked(Frame *frame)                                                                      \
    {                                                                                                                  \
        return answers_metadata(frame) ? NULL : is_given(frame, ARRAYS, NUMBERS) ? FUNCTION(frame) : ill_sized(frame); \
    }
#define LISTED_KERNEL(NAME, FUNCTION, ARRAYS, NUMBERS) {NAME, FUNCTION##_checked},

/* The module _NAME of KERNELS(K), a macro with a row K(name, function, arrays, integers) for each kernel; see is_given. */
#define KERNEL_MODULE(NAME, DOC)                                                                                       \
    KERNELS(CHECKED)                                                                                                   \
    static const Kernel kernels[] = {KERNELS(LISTED_KERNEL)};                                                          \
    static int fill(PyObject *module) { return add_kernels(module, kernels, sizeof kernels / sizeof *kernels); }       \
    static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};                                        \
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_" #NAME, DOC, 0, NULL, slots, NULL, NULL, NULL};  \
    PyMODINIT_FUNC PyInit__##NAME(void);                                                                               \
    PyMODINIT_FUNC PyInit__##NAME(void) { return PyModuleDef_Init(&definition); }

#endif
