/* A module of functions that Python calls. Includes Python's headers, with the stable ABI of the oldest Python. */

#ifndef EVERGRAPH_MODULE_H
#define EVERGRAPH_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include "checked.h"

/* The module _NAME of the array `methods`. */
#define METHOD_MODULE(NAME, DOC)                                                                                       \
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_" #NAME, DOC, 0, methods, NULL, NULL, NULL, NULL}; \
    PyMODINIT_FUNC PyInit__##NAME(void);                                                                               \
    PyMODINIT_FUNC PyInit__##NAME(void) { return PyModuleDef_Init(&definition); }

/* What a function returns for these arguments. */
static inline PyObject *called(PyObject *function, PyObject *const *args, Py_ssize_t count)
{
    PyObject *given = PyTuple_New(count);
    for (Py_ssize_t at = 0; given && at < count; at++)
        PyTuple_SetItem(given, at, Py_NewRef(args[at]));
    PyObject *results = given && function ? PyObject_Call(function, given, NULL) : NULL;
    Py_XDECREF(given);
    return results;
}

#endif
