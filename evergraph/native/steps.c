/* The inner loops around a step of a session: what its fetches are planned under, the stored values that a program
   takes, and those that it leaves; the examples of a batch of predictions; and what processors do with subnormal numbers.

   Everything here has a twin in Python that decides what is right, in run/session.py, run/store.py,
   compile/executable.py and estimator/prediction.py.

   It is for the row `scalar session.run` of benchmarks.
*/

#include "module.h"
#include "subnormal.h"
#include <stdlib.h>

/* ---- fetches */

static PyObject *form(PyObject *fetches, PyObject *elements);

/* Puts the forms of items into a tuple from a place on: 1, 0 if one has none, or -1 with an error. */
static int put_forms(PyObject *into, Py_ssize_t place, PyObject *items, PyObject *elements)
{
    Py_ssize_t count = PySequence_Size(items);
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *item = PySequence_GetItem(items, at);
        PyObject *found = item ? form(item, elements) : NULL;
        Py_XDECREF(item);
        if (!found)
            return -1;
        if (found == Py_None) {
            Py_DECREF(found);
            return 0;
        }
        if (PyTuple_SetItem(into, place + at, found) < 0)
            return -1;
    }
    return count < 0 ? -1 : 1;
}

/* (kind, the keys unless they are NULL, the form of each item); takes over both lists. */
static PyObject *structure(PyObject *kind, PyObject *keys, PyObject *items, PyObject *elements)
{
    Py_ssize_t first = keys ? 2 : 1, count = items ? PySequence_Size(items) : -1;
    PyObject *result = count < 0 ? NULL : PyTuple_New(first + count);
    int is_made = -1;
    if (result && PyTuple_SetItem(result, 0, Py_NewRef(kind)) == 0
        && (!keys || PyTuple_SetItem(result, 1, Py_NewRef(keys)) == 0))
        is_made = put_forms(result, first, items, elements);
    Py_XDECREF(keys);
    Py_XDECREF(items);
    if (is_made > 0)
        return result;
    Py_XDECREF(result);
    return is_made == 0 ? Py_NewRef(Py_None) : NULL;
}

static PyObject *form_of_dict(PyObject *fetches, PyObject *elements)
{
    PyObject *keys = PyDict_Keys(fetches), *values = keys ? PyDict_Values(fetches) : NULL;
    PyObject *names = values ? PyList_AsTuple(keys) : NULL;
    Py_XDECREF(keys);
    if (!names) {
        Py_XDECREF(values);
        return NULL;
    }
    return structure((PyObject *)&PyDict_Type, names, values, elements);
}

/* (kind, the tensor of a variable); None for what is none. */
static PyObject *form_of_variable(PyObject *kind, PyObject *fetches)
{
    if (!PyObject_HasAttrString(kind, "_as_graph_element"))
        return Py_NewRef(Py_None);
    PyObject *element = PyObject_CallMethod(fetches, "_as_graph_element", NULL);
    PyObject *result = element ? PyTuple_Pack(2, kind, element) : NULL;
    Py_XDECREF(element);
    return result;
}

static PyObject *form(PyObject *fetches, PyObject *elements)
{
    PyObject *kind = (PyObject *)Py_TYPE(fetches), *result = NULL;
    int is_element = PySet_Contains(elements, kind);
    if (is_element)
        return is_element < 0 ? NULL : Py_NewRef(fetches);
    if (Py_EnterRecursiveCall(" in the fetches of a session"))
        return NULL;
    if (PyDict_CheckExact(fetches))
        result = form_of_dict(fetches, elements);
    else if (PyList_CheckExact(fetches) || PyTuple_Check(fetches))
        result = structure(kind, NULL, Py_NewRef(fetches), elements);
    else
        result = form_of_variable(kind, fetches);
    Py_LeaveRecursiveCall();
    return result;
}

static PyObject *py_form(PyObject *self, PyObject *args)
{
    PyObject *fetches, *elements;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO!:form", &fetches, &PyFrozenSet_Type, &elements))
        return NULL;
    return form(fetches, elements);
}

/* ---- stored values */

static int by_address(const void *a, const void *b)
{
    const PyObject *const *one = a, *const *other = b;
    return *one < *other ? -1 : *one > *other;
}

static int are_distinct(PyObject *list, Py_ssize_t count)
{
    PyObject **items = malloc((size_t)(count + !count) * sizeof *items);
    int result = 1;
    if (!items) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t at = 0; at < count; at++)
        items[at] = PyList_GetItem(list, at);
    qsort(items, (size_t)count, sizeof *items, by_address);
    for (Py_ssize_t at = 1; at < count; at++)
        result &= items[at] != items[at - 1];
    free(items);
    return result;
}

static PyObject *py_values(PyObject *self, PyObject *args)
{
    PyObject *values, *keys, *kind, *list;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!OO:values", &PyDict_Type, &values, &keys, &kind))
        return NULL;
    Py_ssize_t count = PySequence_Size(keys), at = 0;
    int is_whole = 1;
    if (count < 0 || !(list = PyList_New(count)))
        return NULL;
    for (; is_whole && at < count; at++) {
        PyObject *key = PySequence_GetItem(keys, at), *value = key ? PyDict_GetItemWithError(values, key) : NULL;
        is_whole = value && value != Py_None && (PyObject *)Py_TYPE(value) != kind
                   && PyList_SetItem(list, at, Py_NewRef(value)) == 0;
        Py_XDECREF(key);
    }
    if (is_whole)
        return list;
    Py_DECREF(list);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyObject *py_are_alike(PyObject *self, PyObject *args)
{
    PyObject *list, *kind;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O:are_alike", &PyList_Type, &list, &kind))
        return NULL;
    Py_ssize_t count = PyList_Size(list);
    int result = 1;
    for (Py_ssize_t at = 0; result && at < count; at++)
        result = (PyObject *)Py_TYPE(PyList_GetItem(list, at)) == kind;
    if (result)
        result = are_distinct(list, count);
    return result < 0 ? NULL : PyBool_FromLong(result);
}

static int store(PyObject *values, PyObject *keys, PyObject *found)
{
    Py_ssize_t count = PySequence_Size(keys);
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *key = PySequence_GetItem(keys, at), *value = key ? PySequence_GetItem(found, at) : NULL;
        int is_stored = value && PyDict_SetItem(values, key, value) == 0;
        Py_XDECREF(key);
        Py_XDECREF(value);
        if (!is_stored)
            return 0;
    }
    return count >= 0;
}

static PyObject *py_commit(PyObject *self, PyObject *args)
{
    PyObject *values, *keys, *program, *ran, *found;
    int is_done;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!OOO!:commit", &PyDict_Type, &values, &keys, &program, &PyDict_Type, &ran))
        return NULL;
    if (!PyIter_Check(program)) {
        PyErr_SetString(PyExc_TypeError, "a program is an iterator over its results");
        return NULL;
    }
    if (!(found = PyIter_Next(program)))
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    is_done = PyDict_SetItemString(ran, "found", found) == 0 && store(values, keys, found);
    Py_DECREF(found);
    return is_done ? Py_NewRef(Py_None) : NULL;
}

/* ---- predictions */

/* {key: the item of its column in this place}; the columns are as many as the keys. */
static PyObject *row_at(PyObject *keys, PyObject *columns, Py_ssize_t place)
{
    Py_ssize_t count = PyTuple_Size(keys);
    PyObject *row = PyDict_New();
    for (Py_ssize_t at = 0; row && at < count; at++) {
        PyObject *item = PySequence_GetItem(PyTuple_GetItem(columns, at), place);
        if (!item || PyDict_SetItem(row, PyTuple_GetItem(keys, at), item) < 0)
            Py_CLEAR(row);
        Py_XDECREF(item);
    }
    return row;
}

static PyObject *py_rows(PyObject *self, PyObject *args)
{
    PyObject *keys, *columns, *list, *row;
    Py_ssize_t start, stop;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!nn:rows", &PyTuple_Type, &keys, &PyTuple_Type, &columns, &start, &stop))
        return NULL;
    if (PyTuple_Size(keys) != PyTuple_Size(columns) || start < 0 || stop < start) {
        PyErr_SetString(PyExc_ValueError, "each key has a column, and rows have places from 0 on");
        return NULL;
    }
    if (!(list = PyList_New(stop - start)))
        return NULL;
    for (Py_ssize_t place = start; place < stop; place++) {
        if (!(row = row_at(keys, columns, place))) {
            Py_DECREF(list);
            return NULL;
        }
        PyList_SetItem(list, place - start, row);
    }
    return list;
}

/* ---- subnormal numbers */

static PyObject *py_flush(PyObject *module, PyObject *wanted)
{
    (void)module;
    return PyBool_FromLong(flush_subnormals(wanted == Py_True));
}

static PyMethodDef methods[] = {
    {"flush", py_flush, METH_O,
     "flush(whether): has this thread take subnormal numbers for zero, or not; returns whether it did before."},
    {"form", py_form, METH_VARARGS,
     "form(fetches, elements): a hashable value of the same structure, whose parts are of the types in `elements`, or\n"
     "None if a part is neither one of these nor a list, a tuple or a dict."},
    {"values", py_values, METH_VARARGS,
     "values(values, keys, kind): the values of these keys in a dict, or None if one has none, or one of this type."},
    {"are_alike", py_are_alike, METH_VARARGS,
     "are_alike(values, kind): whether all values in a list are of this type, and no two the same object."},
    {"commit", py_commit, METH_VARARGS,
     "commit(values, keys, program, ran): stores the first results of a program under these keys, and all in `ran`."},
    {"rows", py_rows, METH_VARARGS,
     "rows(keys, columns, start, stop): a dict of the items of the columns in each of these places, by the keys."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(steps, "The inner loops around a step of a session.")
