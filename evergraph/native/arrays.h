/* NumPy's arrays and ufuncs, by NumPy's own headers. Only fields are read: the functions of its C interface would have to
   be loaded by each module. */

#ifndef EVERGRAPH_ARRAYS_H
#define EVERGRAPH_ARRAYS_H

#include "module.h"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NO_IMPORT_ARRAY
#define NO_IMPORT_UFUNC
#include <numpy/ndarraytypes.h>
#include <numpy/ufuncobject.h>

static inline PyArrayObject *as_array(PyObject *object) { return (PyArrayObject *)object; }

#endif
