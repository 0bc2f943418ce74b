/* The threads that help calls of kernels from Python, for all modules together: see ffi.h.

   They are kept, and look for more work for a moment before they rest: a kernel shares several times in a row, and a step
   calls one kernel after another. Where other processes want the cores, a thread that is asked for help comes late, and to
   ask costs the caller more than the help is worth. So nobody is asked for a while after one came late.
*/

#include "ffi.h"
#include "subnormal.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { MOST_WAITING = 64, ROUNDS = 2000, LATE = 400000, MOST_REFUSED = 127 }; /* LATE in nanoseconds */

typedef struct {
    void (*task)(void *);
    void *data;
    int64_t asked; /* when, in nanoseconds */
} Call;

/* The work that no thread has taken yet. Nobody waits for it: who shared it takes its pieces itself meanwhile. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t added;
    Call queue[MOST_WAITING];
    atomic_long waiting, refusing; /* calls that wait, and calls to refuse before a thread is asked again */
    long first, threads, resting, refused;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .added = PTHREAD_COND_INITIALIZER};

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static Call next_call(void)
{
    for (int round = 0; round < ROUNDS && !atomic_load(&pool.waiting); round++) {
#ifdef __x86_64__
        __builtin_ia32_pause();
#endif
    }
    pthread_mutex_lock(&pool.lock);
    while (!atomic_load(&pool.waiting))
        pthread_cond_wait(&pool.added, &pool.lock);
    Call call = pool.queue[pool.first];
    pool.first = (pool.first + 1) % MOST_WAITING;
    atomic_fetch_sub(&pool.waiting, 1);
    pool.resting--;
    pool.refused = now() - call.asked < LATE     ? 0
                   : pool.refused < MOST_REFUSED ? 2 * pool.refused + 1
                                                 : MOST_REFUSED;
    atomic_store(&pool.refusing, pool.refused);
    pthread_mutex_unlock(&pool.lock);
    return call;
}

static void *help_always(void *unused)
{
    flush_subnormals(1);
    for (;;) {
        Call call = next_call();
        call.task(call.data);
        pthread_mutex_lock(&pool.lock);
        pool.resting++;
        pthread_mutex_unlock(&pool.lock);
    }
    return unused;
}

/* A forked process has none of the threads, and perhaps a lock that one of them held. */
static void forget_threads(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.added, NULL);
    atomic_store(&pool.waiting, 0);
    atomic_store(&pool.refusing, 0);
    pool.first = pool.threads = pool.resting = pool.refused = 0;
}

/* Starts a thread that takes no signals: these are for Python's. */
static int start_thread(void)
{
    static int is_told;
    pthread_t thread;
    sigset_t all, old;
    if (!is_told)
        is_told = !pthread_atfork(NULL, NULL, forget_threads);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    int failed = !is_told || pthread_create(&thread, NULL, help_always, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed)
        return 0;
    pthread_detach(thread);
    pool.threads++;
    pool.resting++;
    return 1;
}

/* Asks a thread for help; anything but NULL says that none will come. */
static void *schedule(ScheduleRequest *request)
{
    if (atomic_load(&pool.refusing) > 0 && atomic_fetch_sub(&pool.refusing, 1) > 0)
        return request;
    pthread_mutex_lock(&pool.lock);
    long waiting = atomic_load(&pool.waiting);
    if (waiting >= pool.resting && pool.threads < sysconf(_SC_NPROCESSORS_ONLN))
        start_thread();
    int is_taken = pool.threads && waiting < MOST_WAITING;
    if (is_taken) {
        pool.queue[(pool.first + waiting) % MOST_WAITING] = (Call){request->task, request->data, now()};
        atomic_store(&pool.waiting, waiting + 1);
        pthread_cond_signal(&pool.added);
    }
    pthread_mutex_unlock(&pool.lock);
    return is_taken ? NULL : request;
}

static int fill(PyObject *module)
{
    PyObject *capsule = PyCapsule_New((void *)schedule, NULL, NULL);
    int failed = !capsule || PyModule_AddObjectRef(module, "schedule", capsule);
    Py_XDECREF(capsule);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)fill}, {0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_threads", "Threads that help calls of kernels from Python.", 0, NULL, slots, NULL, NULL, NULL};
PyMODINIT_FUNC PyInit__threads(void);
PyMODINIT_FUNC PyInit__threads(void) { return PyModuleDef_Init(&definition); }
