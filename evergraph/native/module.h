/* A module of functions that Python calls. Includes Python's headers, with the stable ABI of the oldest Python. */

#ifndef EVERGRAPH_MODULE_H
#define EVERGRAPH_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

/* The module _NAME of the array `methods`. */
#define METHOD_MODULE(NAME, DOC)                                                                                       \
    static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_" #NAME, DOC, 0, methods, NULL, NULL, NULL, NULL}; \
    PyMODINIT_FUNC PyInit__##NAME(void);                                                                               \
    PyMODINIT_FUNC PyInit__##NAME(void) { return PyModuleDef_Init(&definition); }

#endif
