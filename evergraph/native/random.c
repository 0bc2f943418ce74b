/* The inner loops of drawing random numbers: Philox4x32-10, gamma and Poisson variables, classes in order of how often
   they occur, and the elements of a shuffled dataset.

   Everything here has a twin in Python that decides what is right, in kernel/philox.py, kernel/samplers.py,
   ops/nn/candidates.py and ops/data/shuffling.py. The buffers are arrays that the twins make, but their sizes are
   compared all the same.
*/

#include "module.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "rejection.h"

#define MUCH 4096 /* blocks from which releasing the interpreter's lock is worth it */

static int read_state(const Py_buffer *buffer, State *state)
{
    if (buffer->len != (Py_ssize_t)sizeof *state) {
        PyErr_SetString(PyExc_ValueError, "a state has three numbers of 64 bits");
        return 0;
    }
    memcpy(state, buffer->buf, sizeof *state);
    return 1;
}

static PyObject *py_blocks(PyObject *self, PyObject *args)
{
    Py_buffer given, index, out;
    State state;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*w*:blocks", &given, &index, &out))
        return NULL;
    if (!read_state(&given, &state))
        goto done;
    if (index.len % 8 || out.len != 2 * index.len) {
        PyErr_SetString(PyExc_ValueError, "each offset has 64 bits, and room for four words of 32");
        goto done;
    }
    {
        Py_ssize_t count = index.len / 8;
        const uint64_t *offsets = index.buf;
        uint32_t(*words)[4] = out.buf;
        PyThreadState *saved = count >= MUCH ? PyEval_SaveThread() : NULL;
        for (Py_ssize_t i = 0; i < count; i++)
            block(&state, offsets[i], words[i]);
        if (saved)
            PyEval_RestoreThread(saved);
    }
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&given);
    PyBuffer_Release(&index);
    PyBuffer_Release(&out);
    return result;
}

/* ---- gamma and Poisson variables */

static PyObject *fill_variables(PyObject *args, double (*draw)(Lane *, double))
{
    Py_buffer given, parameters, out;
    State state;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*w*", &given, &parameters, &out))
        return NULL;
    if (!read_state(&given, &state))
        goto done;
    if (parameters.len % 8 || (parameters.len ? out.len % parameters.len : out.len)) {
        PyErr_SetString(PyExc_ValueError, "there is room for samples of all parameters, 64 bits each");
        goto done;
    }
    if (out.len) {
        Trials trials = {&state, parameters.buf, out.buf, draw, out.len / parameters.len, parameters.len / 8};
        PyThreadState *saved = PyEval_SaveThread();
        draw_variables(&trials, 0, out.len / 8);
        PyEval_RestoreThread(saved);
    }
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&given);
    PyBuffer_Release(&parameters);
    PyBuffer_Release(&out);
    return result;
}

static PyObject *py_gamma(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_variables(args, gamma_of);
}

static PyObject *py_poisson(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_variables(args, poisson_of);
}

/* ---- classes */

static PyObject *py_log_uniform(PyObject *self, PyObject *args)
{
    Py_buffer given, out;
    Sampling sampling = {0};
    long long range;
    int unique;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*Lpw*:log_uniform", &given, &range, &unique, &out))
        return NULL;
    sampling.range = range;
    sampling.count = out.len / 8;
    sampling.classes = out.buf;
    if (!read_state(&given, &sampling.state))
        goto done;
    if (range < 1 || (unique && sampling.count > range)) {
        PyErr_SetString(PyExc_ValueError, "there are fewer classes than are to be drawn");
        goto done;
    }
    if (unique && !remember_classes(&sampling)) {
        PyErr_NoMemory();
        goto done;
    }
    for (draw_classes(&sampling, 1 << 20); sampling.found < sampling.count; draw_classes(&sampling, 1 << 20))
        if (PyErr_CheckSignals())
            goto done;
    result = PyLong_FromLongLong(sampling.draws);
done:
    free(sampling.table);
    PyBuffer_Release(&given);
    PyBuffer_Release(&out);
    return result;
}

/* ---- shuffling */

/* Moves the item `from` of a list to the place `to`, whose item it returns, and leaves None behind. */
static PyObject *moved(PyObject *list, Py_ssize_t from, Py_ssize_t to)
{
    PyObject *taken = Py_XNewRef(PyList_GetItem(list, to)), *first = Py_XNewRef(PyList_GetItem(list, from));
    if (!taken || !first || PyList_SetItem(list, to, first) < 0 || PyList_SetItem(list, from, Py_NewRef(Py_None)) < 0) {
        Py_XDECREF(taken);
        return NULL;
    }
    return taken;
}

static int choose(PyObject *order, Py_ssize_t start, Py_ssize_t size, PyObject *words, int fails, PyObject *chosen)
{
    Py_ssize_t count = PyList_Size(words), end = PyList_Size(order);
    for (Py_ssize_t each = 0; each < count; each++, start++) {
        Py_ssize_t left = end - start < size ? end - start : size;
        if (left <= 0 || (fails && left < size))
            break;
        unsigned long long word = PyLong_AsUnsignedLongLong(PyList_GetItem(words, each));
        if (PyErr_Occurred())
            return 0;
        PyObject *taken = moved(order, start, start + (Py_ssize_t)(word % (unsigned long long)left));
        if (!taken)
            return 0;
        int is_kept = PyList_Append(chosen, taken) == 0;
        Py_DECREF(taken);
        if (!is_kept)
            return 0;
    }
    return 1;
}

static PyObject *py_chosen(PyObject *self, PyObject *args)
{
    PyObject *order, *words, *chosen;
    Py_ssize_t start, size;
    int fails;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!nnO!p:chosen", &PyList_Type, &order, &start, &size, &PyList_Type, &words, &fails))
        return NULL;
    if (start < 0 || start > PyList_Size(order) || size < 1) {
        PyErr_SetString(PyExc_ValueError, "a buffer starts inside the list, and has room for an element");
        return NULL;
    }
    chosen = PyList_New(0);
    if (chosen && !choose(order, start, size, words, fails, chosen))
        Py_CLEAR(chosen);
    return chosen;
}

static PyMethodDef methods[] = {
    {"blocks", py_blocks, METH_VARARGS, "blocks(state, index, out): writes the words of the blocks at these offsets."},
    {"gamma", py_gamma, METH_VARARGS, "gamma(state, shapes, out): fills out with samples of each shape, in rows."},
    {"poisson", py_poisson, METH_VARARGS, "poisson(state, rates, out): fills out with samples of each rate, in rows."},
    {"log_uniform", py_log_uniform, METH_VARARGS,
     "log_uniform(state, range_max, unique, out): fills out with classes drawn one after the other; how many draws it\n"
     "took."},
    {"chosen", py_chosen, METH_VARARGS,
     "chosen(order, start, size, words, fails): the elements that words choose of a buffer, which they leave."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(random, "The inner loops of drawing random numbers.")
