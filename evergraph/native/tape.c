/* Replays kernels on arrays of fixed shapes: loops over numbers, recorded by kernel/recording.py, one after another.

   A tape is for arguments of certain shapes and dtypes. Its steps are calls of loops that have the form of
   NumPy's ufunc loops, most of which are NumPy's own, so that a replay computes what NumPy does. They take
   numbers from the arguments and from constants, and leave them in new arrays, which are the results, or in memory
   that is used again by the next replay.

   It is for the row `while_loop of 100` of benchmarks.
*/

#include "arrays.h"
#include "ffi.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void Loop(char **places, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data);

enum { MOST_SLOTS = 512, MOST_PLACES = 16, MOST_AXES = 8, LINE = 64, KEPT = 4, MOST_KEPT = 1 << 26 };
static const char *const CAPSULE = "evergraph.tape";

/* ---- loops of our own */

#define COPY(NAME, TYPE)                                                                                               \
    static void NAME(char **at, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data)                        \
    {                                                                                                                  \
        const char *from = at[0];                                                                                      \
        char *to = at[1];                                                                                              \
        Py_ssize_t count = sizes[0], in = strides[0], out = strides[1];                                                \
        (void)data;                                                                                                    \
        if (in == sizeof(TYPE) && out == sizeof(TYPE))                                                                 \
            memcpy(to, from, (size_t)count * sizeof(TYPE));                                                            \
        else                                                                                                           \
            for (Py_ssize_t n = 0; n < count; n++, from += in, to += out)                                              \
                *(TYPE *)to = *(const TYPE *)from;                                                                     \
    }

/* The loop over places that lie one behind the other is apart, because the compiler makes vectors of it. */
#define SELECT(NAME, TYPE)                                                                                             \
    static void NAME(char **at, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data)                        \
    {                                                                                                                  \
        const char *test = at[0], *yes = at[1], *no = at[2];                                                           \
        char *to = at[3];                                                                                              \
        Py_ssize_t count = sizes[0], size = sizeof(TYPE);                                                              \
        (void)data;                                                                                                    \
        if (strides[0] == 1 && strides[1] == size && strides[2] == size && strides[3] == size) {                       \
            for (Py_ssize_t n = 0; n < count; n++) {                                                                   \
                TYPE one = ((const TYPE *)yes)[n], other = ((const TYPE *)no)[n];                                      \
                ((TYPE *)to)[n] = test[n] ? one : other;                                                               \
            }                                                                                                          \
            return;                                                                                                    \
        }                                                                                                              \
        for (Py_ssize_t n = 0; n < count; n++) {                                                                       \
            *(TYPE *)to = *test ? *(const TYPE *)yes : *(const TYPE *)no;                                              \
            test += strides[0], yes += strides[1], no += strides[2], to += strides[3];                                 \
        }                                                                                                              \
    }

COPY(copy1, int8_t)
COPY(copy2, int16_t)
COPY(copy4, int32_t)
COPY(copy8, int64_t)
SELECT(select1, int8_t)
SELECT(select2, int16_t)
SELECT(select4, int32_t)
SELECT(select8, int64_t)

#define CAST(NAME, FROM, TO)                                                                                           \
    static void NAME(char **at, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data)                        \
    {                                                                                                                  \
        const char *from = at[0];                                                                                      \
        char *to = at[1];                                                                                              \
        Py_ssize_t count = sizes[0];                                                                                   \
        (void)data;                                                                                                    \
        if (strides[0] == sizeof(FROM) && strides[1] == sizeof(TO)) {                                                  \
            for (Py_ssize_t n = 0; n < count; n++)                                                                     \
                ((TO *)to)[n] = (TO)((const FROM *)from)[n];                                                           \
            return;                                                                                                    \
        }                                                                                                              \
        for (Py_ssize_t n = 0; n < count; n++, from += strides[0], to += strides[1])                                   \
            *(TO *)to = (TO) * (const FROM *)from;                                                                     \
    }

#define CASTS(LETTER, FROM)                                                                                            \
    CAST(cast_##LETTER##_b, FROM, _Bool)                                                                               \
    CAST(cast_##LETTER##_u1, FROM, uint8_t)                                                                            \
    CAST(cast_##LETTER##_i4, FROM, int32_t)                                                                            \
    CAST(cast_##LETTER##_i8, FROM, int64_t)                                                                            \
    CAST(cast_##LETTER##_f4, FROM, float)                                                                              \
    CAST(cast_##LETTER##_f8, FROM, double)

CASTS(b, _Bool)
CASTS(u1, uint8_t)
CASTS(i4, int32_t)
CASTS(i8, int64_t)
CASTS(f4, float)
CASTS(f8, double)

static _Thread_local int has_failed; /* whether a replay met other numbers than it is for */

/* Compares bytes with those that were there when the tape was recorded. */
static void require(char **at, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data)
{
    (void)strides, (void)data;
    has_failed |= memcmp(at[0], at[1], (size_t)sizes[0]) != 0;
}

/* Rows of a table by 64-bit ids. The sizes are their number, the bytes of a row, and the rows that there are. */
static void take(char **at, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data)
{
    const int64_t *ids = (const int64_t *)at[1];
    char *to = at[2];
    (void)strides, (void)data;
    for (Py_ssize_t n = 0; n < sizes[0]; n++, to += sizes[1])
        if ((uint64_t)ids[n] < (uint64_t)sizes[2])
            memcpy(to, at[0] + ids[n] * sizes[1], (size_t)sizes[1]);
        else
            has_failed = 1;
}

/* Calls a kernel of another module, as XLA would. The operands are its arguments and its results; the integers at `data`
   are its address, the numbers of arguments, of results, of the integers that it takes and of threads, these integers,
   and for each operand the number of its axes and their sizes. */
static void foreign(char **at, const Py_ssize_t *sizes, const Py_ssize_t *strides, void *data)
{
    const int64_t *head = data;
    int64_t threads = head[4], *numbers = (int64_t *)data + 5, *shape = numbers + head[3];
    Buffer buffers[MOST_PLACES], *pointers[MOST_PLACES];
    Array list = {.count = (size_t)head[3], .data = numbers}, *lists[] = {&list};
    Frame frame = {.bytes = sizeof frame, .api = &local_api, .context = &threads,
                   .attributes = {.count = 1, .arrays = lists}};
    (void)sizes, (void)strides;
    if (head[1] < 0 || head[1] > MOST_PLACES || head[2] < 0 || head[2] > MOST_PLACES - head[1]) {
        has_failed = 1;
        return;
    }
    for (int64_t n = 0; n < head[1] + head[2]; n++, shape += 1 + shape[0]) {
        buffers[n] = (Buffer){.bytes = sizeof *buffers, .data = at[n], .rank = shape[0], .sizes = shape + 1};
        pointers[n] = &buffers[n];
    }
    frame.arguments = (Buffers){.bytes = sizeof frame.arguments, .count = head[1], .buffers = pointers};
    frame.results = (Buffers){.bytes = sizeof frame.results, .count = head[2], .buffers = pointers + head[1]};
    has_failed |= ((void *(*)(Frame *))(uintptr_t)head[0])(&frame) != NULL;
}

#define LISTED(NAME) {#NAME, NAME}
#define CASTS_OF(L)                                                                                                    \
    LISTED(cast_##L##_b), LISTED(cast_##L##_u1), LISTED(cast_##L##_i4), LISTED(cast_##L##_i8), LISTED(cast_##L##_f4),  \
        LISTED(cast_##L##_f8)

static const struct {
    const char *name;
    Loop *loop;
} OWN[] = {
    LISTED(copy1), LISTED(copy2), LISTED(copy4), LISTED(copy8), LISTED(select1), LISTED(select2), LISTED(select4),
    LISTED(select8), LISTED(require), LISTED(take), CASTS_OF(b), CASTS_OF(u1), CASTS_OF(i4), CASTS_OF(i8), CASTS_OF(f4),
    CASTS_OF(f8), LISTED(foreign),
};

/* The addresses of these loops by their names. */
static PyObject *py_own_loops(PyObject *self, PyObject *nothing)
{
    PyObject *result = PyDict_New();
    (void)self, (void)nothing;
    for (size_t at = 0; result && at < sizeof OWN / sizeof *OWN; at++) {
        PyObject *address = PyLong_FromVoidPtr((void *)(uintptr_t)OWN[at].loop);
        if (!address || PyDict_SetItemString(result, OWN[at].name, address) < 0)
            Py_CLEAR(result);
        Py_XDECREF(address);
    }
    return result;
}

/* ---- tapes */

typedef struct {
    int rank;
    Py_ssize_t *shape;
    PyArray_Descr *dtype;
} Form;

typedef struct {
    Loop *loop;
    void *data;
    int places, outer, inner; /* how many operands, axes around the loop, and sizes that it gets */
    const int64_t *numbers;   /* see `learn_steps` */
} Step;

typedef struct {
    Py_ssize_t inputs, constants, outputs, steps, room;
    int is_long;
    Form *forms;
    PyObject *kept, *made; /* the constants; for each output the arguments that make its array */
    PyObject *label;       /* what `timed` returns of its replays */
    Step *list;
    int64_t *code;
} Tape;

static PyObject *array_type, *ufunc_type, *make_array; /* numpy.ndarray, numpy.ufunc and numpy.empty */

static void discard(Tape *tape)
{
    for (Py_ssize_t at = 0; tape->forms && at < tape->inputs; at++) {
        free(tape->forms[at].shape);
        Py_XDECREF((PyObject *)tape->forms[at].dtype);
    }
    Py_XDECREF(tape->kept);
    Py_XDECREF(tape->made);
    Py_XDECREF(tape->label);
    free(tape->forms);
    free(tape->list);
    free(tape->code);
    free(tape);
}

static void discard_capsule(PyObject *capsule)
{
    discard(PyCapsule_GetPointer(capsule, CAPSULE));
}

static int is_array(PyObject *object) { return (PyObject *)Py_TYPE(object) == array_type; }

static int fits(const Tape *tape, PyObject *const *given)
{
    for (Py_ssize_t at = 0; at < tape->inputs; at++) {
        const Form *form = &tape->forms[at];
        PyArrayObject *array = as_array(given[at]);
        if (!is_array(given[at]) || PyArray_DESCR(array) != form->dtype || PyArray_NDIM(array) != form->rank)
            return 0;
        for (int axis = 0; axis < form->rank; axis++)
            if (PyArray_DIM(array, axis) != form->shape[axis])
                return 0;
    }
    return 1;
}

/* Calls the loop of a step for each index of the axes around it. */
static void run_step(const Step *step, char **slots)
{
    const int64_t *sizes = step->numbers, *places = sizes + step->outer;
    const int64_t *inner = places + step->places * (2 + step->outer);
    int64_t index[MOST_AXES] = {0};
    char *at[MOST_PLACES], *now[MOST_PLACES];
    for (int place = 0; place < step->places; place++) {
        const int64_t *operand = places + place * (2 + step->outer);
        at[place] = slots[operand[0]] + operand[1];
    }
    for (;;) {
        memcpy(now, at, (size_t)step->places * sizeof *now);
        step->loop(now, (const Py_ssize_t *)inner, (const Py_ssize_t *)(inner + step->inner), step->data);
        int axis = step->outer - 1;
        for (; axis >= 0; axis--) {
            int64_t is_over = ++index[axis] == sizes[axis], moved = is_over ? 1 - sizes[axis] : 1;
            for (int place = 0; place < step->places; place++)
                at[place] += moved * places[place * (2 + step->outer) + 2 + axis];
            if (!is_over)
                break;
            index[axis] = 0;
        }
        if (axis < 0)
            return;
    }
}

/* The last replay of a thread that takes times: its label, and the nanoseconds from its begin to each end. */
static _Thread_local struct {
    int is_wanted;
    Py_ssize_t count, room;
    int64_t *ends;
    PyObject *label;
} timed;

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Finds room for the times of a replay; without, none are taken. The caller holds the GIL. */
static void prepare_times(const Tape *tape)
{
    Py_CLEAR(timed.label);
    timed.count = 0;
    if (timed.room < tape->steps) {
        int64_t *larger = realloc(timed.ends, (size_t)tape->steps * sizeof *larger);
        if (!larger)
            return;
        timed.ends = larger;
        timed.room = tape->steps;
    }
    timed.label = Py_NewRef(tape->label);
}

/* Returns whether the numbers at which kernels looked are what they were. */
static int run_steps(const Tape *tape, char **slots)
{
    int64_t begin = timed.is_wanted ? now() : 0;
    has_failed = 0;
    for (Py_ssize_t at = 0; at < tape->steps && !has_failed; at++) {
        run_step(&tape->list[at], slots);
        if (timed.is_wanted && timed.label)
            timed.ends[timed.count++] = now() - begin;
    }
    return !has_failed;
}

/* Memory for what a replay needs on the way, kept for the next one. The caller holds the GIL. */
static struct {
    void *memory;
    Py_ssize_t bytes;
} kept[KEPT];

static void *borrow(Py_ssize_t bytes, Py_ssize_t *got)
{
    for (int at = 0; at < KEPT; at++)
        if (kept[at].bytes >= bytes && kept[at].memory) {
            void *found = kept[at].memory;
            *got = kept[at].bytes;
            kept[at].memory = NULL;
            kept[at].bytes = 0;
            return found;
        }
    *got = bytes;
    return malloc((size_t)bytes + LINE);
}

static void give_back(void *memory, Py_ssize_t bytes)
{
    int least = 0;
    for (int at = 1; at < KEPT; at++)
        if (kept[at].bytes < kept[least].bytes)
            least = at;
    if (bytes <= kept[least].bytes || bytes > MOST_KEPT) {
        free(memory);
        return;
    }
    free(kept[least].memory);
    kept[least].memory = memory;
    kept[least].bytes = bytes;
}

/* Finds the memory of the arguments: 0, or -1 with an error. Adds copies to a list, of arrays that are not in order. */
static int find_inputs(const Tape *tape, PyObject *const *given, PyObject **copies, char **slots)
{
    for (Py_ssize_t at = 0; at < tape->inputs; at++) {
        PyObject *array = given[at];
        if (PyArray_CHKFLAGS(as_array(array), NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED)) {
            slots[at] = PyArray_BYTES(as_array(array));
            continue;
        }
        PyObject *copy = *copies || (*copies = PyList_New(0)) ? PyObject_CallMethod(array, "copy", NULL) : NULL;
        if (!copy || PyList_Append(*copies, copy) < 0) {
            Py_XDECREF(copy);
            return -1;
        }
        slots[at] = PyArray_BYTES(as_array(copy));
        Py_DECREF(copy); /* the list has it */
    }
    return 0;
}

/* Makes the arrays of the results: 0, or -1 with an error. */
static int make_outputs(const Tape *tape, PyObject *results, char **slots)
{
    for (Py_ssize_t at = 0; at < tape->outputs; at++) {
        PyObject *array = PyObject_Call(make_array, PyTuple_GetItem(tape->made, at), NULL);
        if (!array || PyTuple_SetItem(results, at, array) < 0)
            return -1;
        slots[at] = PyArray_BYTES(as_array(array));
    }
    return 0;
}

/* The results of a replay; NULL without an error if it meets other numbers than it is for. */
static PyObject *run(const Tape *tape, PyObject *const *given)
{
    char *slots[MOST_SLOTS], **behind = slots + tape->inputs + tape->constants;
    Py_ssize_t bytes = 0;
    PyObject *results = PyTuple_New(tape->outputs), *copies = NULL;
    void *memory = NULL;
    for (Py_ssize_t at = 0; at < tape->constants; at++)
        slots[tape->inputs + at] = PyArray_BYTES(as_array(PyTuple_GetItem(tape->kept, at)));
    if (results && find_inputs(tape, given, &copies, slots) == 0 && make_outputs(tape, results, behind) == 0
        && !(memory = borrow(tape->room, &bytes)))
        PyErr_NoMemory();
    if (memory) {
        behind[tape->outputs] = (char *)(((uintptr_t)memory + LINE - 1) / LINE * LINE);
        int is_right;
        if (timed.is_wanted)
            prepare_times(tape);
        if (tape->is_long) {
            Py_BEGIN_ALLOW_THREADS
            is_right = run_steps(tape, slots);
            Py_END_ALLOW_THREADS
        } else {
            is_right = run_steps(tape, slots);
        }
        give_back(memory, bytes);
        if (!is_right) {
            Py_CLEAR(results);
            Py_CLEAR(timed.label);
        }
    } else {
        Py_CLEAR(results);
    }
    Py_XDECREF(copies);
    return results;
}

static int learn_forms(Tape *tape, PyObject *forms)
{
    if (!(tape->forms = calloc((size_t)tape->inputs + 1, sizeof *tape->forms)))
        return -1;
    for (Py_ssize_t at = 0; at < tape->inputs; at++) {
        Form *form = &tape->forms[at];
        PyArrayObject *array = as_array(PyTuple_GetItem(forms, at));
        form->rank = PyArray_NDIM(array);
        if (!(form->shape = memory_for(form->rank, sizeof *form->shape)))
            return -1;
        for (int axis = 0; axis < form->rank; axis++)
            form->shape[axis] = PyArray_DIM(array, axis);
        form->dtype = PyArray_DESCR(array);
        Py_INCREF((PyObject *)form->dtype);
    }
    return 0;
}

/* Appends the bytes of each array of a tuple, or of each one that NumPy makes for the arguments in it: 0, or -1. */
static int learn_sizes(PyObject *tuple, int are_made, int64_t **sizes)
{
    for (Py_ssize_t at = 0; at < PyTuple_Size(tuple); at++) {
        PyObject *given = PyTuple_GetItem(tuple, at);
        PyObject *array = are_made ? PyObject_Call(make_array, given, NULL) : Py_NewRef(given);
        PyObject *bytes = array && is_array(array) ? PyObject_GetAttrString(array, "nbytes") : NULL;
        **sizes = bytes ? PyLong_AsLongLong(bytes) : -1;
        Py_XDECREF(bytes);
        Py_XDECREF(array);
        if (*(*sizes)++ < 0)
            return -1;
    }
    return 0;
}

/* Whether an operand begins inside of its memory, of so many bytes, and stays there along some axes. */
static int stays(const int64_t *sizes, const int64_t *strides, int axes, int64_t bytes, int64_t *low, int64_t *high)
{
    for (int axis = 0; axis < axes; axis++) {
        int64_t reach;
        if (sizes[axis] < 1 || __builtin_mul_overflow(sizes[axis] - 1, strides[axis], &reach)
            || __builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
            return 0;
    }
    return *low >= 0 && *high <= bytes;
}

/* Whether a step's operands stay inside of the memory of their slots. What a loop with several sizes does with them is not
   known here. */
static int is_sound(const Step *step, const int64_t *bytes, Py_ssize_t slots)
{
    const int64_t *places = step->numbers + step->outer, *inner = places + step->places * (2 + step->outer);
    for (int place = 0; place < step->places; place++) {
        const int64_t *operand = places + place * (2 + step->outer);
        int64_t low = operand[1], high = operand[1];
        if (operand[0] < 0 || operand[0] >= slots
            || !stays(step->numbers, operand + 2, step->outer, bytes[operand[0]], &low, &high)
            || (step->inner == 1 && inner[0] && !stays(inner, inner + 1 + place, 1, bytes[operand[0]], &low, &high)))
            return 0;
    }
    return 1;
}

/* Reads the steps: for each the addresses of a loop and its data, the numbers of operands, axes around the loop, sizes
   and strides that it gets; the sizes of the axes; for each operand its slot, offset and strides along them; then those
   sizes and strides. */
static int learn_steps(Tape *tape, const char *code, Py_ssize_t bytes, const int64_t *sizes)
{
    Py_ssize_t count = bytes / 8, at = 0, slots = tape->inputs + tape->constants + tape->outputs + 1;
    if (!(tape->code = malloc((size_t)bytes + 1)) || !(tape->list = calloc((size_t)count / 6 + 1, sizeof(Step))))
        return -1;
    memcpy(tape->code, code, (size_t)bytes);
    while (at + 6 <= count) {
        const int64_t *head = tape->code + at;
        Step *step = &tape->list[tape->steps++];
        *step = (Step){(Loop *)(uintptr_t)head[0], (void *)(uintptr_t)head[1], (int)head[2], (int)head[3], (int)head[4],
                       head + 6};
        if (!head[0] || head[2] < 1 || head[2] > MOST_PLACES || head[3] < 0 || head[3] > MOST_AXES || head[4] < 1
            || head[5] < head[2] || head[4] > 8 || head[5] > 32)
            return -1;
        at += 6 + head[3] + head[2] * (2 + head[3]) + head[4] + head[5];
        if (at > count || !is_sound(step, sizes, slots))
            return -1;
    }
    return at == count ? 0 : -1;
}

static PyObject *py_make(PyObject *self, PyObject *args)
{
    PyObject *forms, *constants, *made, *label = Py_None;
    Py_ssize_t room, bytes;
    const char *code;
    int is_long;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!O!ny#p|O:make", &PyTuple_Type, &forms, &PyTuple_Type, &constants, &PyTuple_Type,
                          &made, &room, &code, &bytes, &is_long, &label))
        return NULL;
    Tape *tape = calloc(1, sizeof *tape);
    if (!tape)
        return PyErr_NoMemory();
    tape->inputs = PyTuple_Size(forms);
    tape->constants = PyTuple_Size(constants);
    tape->outputs = PyTuple_Size(made);
    tape->room = room;
    tape->is_long = is_long;
    tape->kept = Py_NewRef(constants);
    tape->made = Py_NewRef(made);
    tape->label = Py_NewRef(label);
    int64_t sizes[MOST_SLOTS], *next = sizes;
    if (!array_type || tape->inputs + tape->constants + tape->outputs + 1 > MOST_SLOTS || room < 0
        || learn_sizes(forms, 0, &next) < 0 || learn_sizes(constants, 0, &next) < 0 || learn_sizes(made, 1, &next) < 0
        || learn_forms(tape, forms) < 0 || (*next = room, learn_steps(tape, code, bytes, sizes)) < 0) {
        discard(tape);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "these steps are no tape");
        return NULL;
    }
    PyObject *capsule = PyCapsule_New(tape, CAPSULE, discard_capsule);
    if (!capsule)
        discard(tape);
    return capsule;
}

/* ---- what Python calls */

/* Replays the first tape that is for the arguments, which come behind a context; without one, calls the first element
   of the list, which stands before the tapes. */
static PyObject *replay(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t tapes = PyList_Size(self);
    for (Py_ssize_t at = 1; at < tapes; at++) {
        PyObject *capsule = PyList_GetItem(self, at);
        const Tape *tape = PyCapsule_GetPointer(capsule, CAPSULE);
        if (!tape)
            return NULL;
        if (tape->inputs != count - 1 || !fits(tape, args + 1))
            continue;
        Py_INCREF(capsule);
        if (at > 1) { /* the next call looks at it sooner */
            PyObject *before = Py_NewRef(PyList_GetItem(self, at - 1));
            PyList_SetItem(self, at - 1, Py_NewRef(capsule));
            PyList_SetItem(self, at, before);
        }
        PyObject *results = run(tape, args + 1);
        Py_DECREF(capsule);
        if (results || PyErr_Occurred())
            return results;
        tapes = PyList_Size(self); /* other threads may have changed it */
    }
    return called(PyList_GetItem(self, 0), args, count);
}

static PyMethodDef replaying = {"replay", (PyCFunction)(void (*)(void))replay, METH_FASTCALL, NULL};

static PyObject *py_player(PyObject *self, PyObject *list)
{
    (void)self;
    if (!PyList_CheckExact(list) || PyList_Size(list) < 1) {
        PyErr_SetString(PyExc_TypeError, "a player takes a list: a function, and tapes behind it");
        return NULL;
    }
    return PyCFunction_New(&replaying, list);
}

static PyObject *py_take_times(PyObject *self, PyObject *wanted)
{
    (void)self;
    timed.is_wanted = PyObject_IsTrue(wanted);
    Py_CLEAR(timed.label);
    free(timed.ends);
    timed.ends = NULL;
    timed.room = 0;
    Py_RETURN_NONE;
}

static PyObject *py_timed(PyObject *self, PyObject *nothing)
{
    PyObject *label = timed.label;
    (void)self, (void)nothing;
    timed.label = NULL;
    if (!label)
        Py_RETURN_NONE;
    return Py_BuildValue("Ny#", label, (char *)timed.ends, timed.count * (Py_ssize_t)sizeof *timed.ends);
}

static PyObject *py_prepare(PyObject *self, PyObject *args)
{
    PyObject *type, *ufunc, *make;
    (void)self;
    if (!PyArg_ParseTuple(args, "OOO:prepare", &type, &ufunc, &make))
        return NULL;
    if (find_threads())
        return NULL;
    Py_XDECREF(array_type);
    Py_XDECREF(ufunc_type);
    Py_XDECREF(make_array);
    array_type = Py_NewRef(type);
    ufunc_type = Py_NewRef(ufunc);
    make_array = Py_NewRef(make);
    Py_RETURN_NONE;
}

static PyObject *py_loop_of(PyObject *self, PyObject *args)
{
    PyObject *object;
    int number;
    (void)self;
    if (!PyArg_ParseTuple(args, "Oi:loop_of", &object, &number))
        return NULL;
    const PyUFuncObject *ufunc = (const PyUFuncObject *)object;
    if ((PyObject *)Py_TYPE(object) != ufunc_type || number < 0 || number >= ufunc->ntypes) {
        PyErr_SetString(PyExc_ValueError, "this is no ufunc, or it has fewer loops");
        return NULL;
    }
    void *data = ufunc->data ? ufunc->data[number] : NULL;
    return Py_BuildValue("NN", PyLong_FromVoidPtr((void *)(uintptr_t)ufunc->functions[number]), PyLong_FromVoidPtr(data));
}

static PyObject *py_address(PyObject *self, PyObject *capsule)
{
    void *address = PyCapsule_GetPointer(capsule, NULL);
    (void)self;
    return address ? PyLong_FromVoidPtr(address) : NULL;
}

static PyMethodDef methods[] = {
    {"address", py_address, METH_O, "address(capsule): where the kernel is that a capsule holds."},
    {"prepare", py_prepare, METH_VARARGS,
     "prepare(numpy.ndarray, numpy.ufunc, numpy.empty): tells what arrays and ufuncs are, and what makes arrays."},
    {"loop_of", py_loop_of, METH_VARARGS, "loop_of(ufunc, number): (address of a loop, that of its data)."},
    {"own_loops", py_own_loops, METH_NOARGS, "own_loops(): the addresses of the loops of this module by name."},
    {"make", py_make, METH_VARARGS,
     "make(arrays like the inputs, constants, arguments of numpy.empty, bytes of memory, steps, is long[, label])."},
    {"take_times", py_take_times, METH_O, "take_times(wanted): whether replays of this thread take times from now on."},
    {"timed", py_timed, METH_NOARGS,
     "timed(): (label, nanoseconds from the begin to the end of each step) of the last replay since, or None."},
    {"player", py_player, METH_O, "player([function, tapes ...]): a function that replays the tape for its arguments."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(tape, "Replays recorded kernels; see kernel/recording.py.")
