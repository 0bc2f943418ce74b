/* What NumPy's arrays look like in memory, as its public headers say. kernel/recording.py compares that with what it knows
   of an array, and nothing looks at the memory of arrays if anything differs. */

#ifndef EVERGRAPH_ARRAYS_H
#define EVERGRAPH_ARRAYS_H

#include "module.h"

typedef struct {
    PyObject head;
    char *data;
    int rank;
    Py_ssize_t *shape, *strides;
    PyObject *base, *dtype;
    int flags;
} NumpyArray;

#endif
