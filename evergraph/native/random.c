/* The inner loops of drawing random numbers: Philox4x32-10, gamma and Poisson variables, and classes in order of how
   often they occur.

   Everything here has a twin in Python that decides what is right, in kernel/philox.py, kernel/samplers.py and
   ops/nn/candidates.py. The buffers are arrays that the twins make, but their sizes are compared all the same.
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

static PyMethodDef methods[] = {
    {"blocks", py_blocks, METH_VARARGS, "blocks(state, index, out): writes the words of the blocks at these offsets."},
    {"gamma", py_gamma, METH_VARARGS, "gamma(state, shapes, out): fills out with samples of each shape, in rows."},
    {"poisson", py_poisson, METH_VARARGS, "poisson(state, rates, out): fills out with samples of each rate, in rows."},
    {"log_uniform", py_log_uniform, METH_VARARGS,
     "log_uniform(state, range_max, unique, out): fills out with classes drawn one after the other; how many draws it\n"
     "took."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(random, "The inner loops of drawing random numbers.")
