/* Stored values as kernels see them during a step: what every step asks of many cells.

   The twin in Python that decides what is right is `PlainCell` in kernel/cells.py.

   It is for the row `scalar session.run` of benchmarks.
*/

#include "module.h"
#include <stddef.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    PyObject *key, *value, *label, *updates;
    char changed, in_part_only;
} Cell;

static int traverse(Cell *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE((PyObject *)self));
    Py_VISIT(self->key);
    Py_VISIT(self->value);
    Py_VISIT(self->label);
    Py_VISIT(self->updates);
    return 0;
}

static int clear(Cell *self)
{
    Py_CLEAR(self->key);
    Py_CLEAR(self->value);
    Py_CLEAR(self->label);
    Py_CLEAR(self->updates);
    return 0;
}

static void dealloc(Cell *self)
{
    PyTypeObject *kind = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(kind, Py_tp_free);
    PyObject_GC_UnTrack(self);
    clear(self);
    release(self);
    Py_DECREF(kind);
}

static void put(PyObject **place, PyObject *value)
{
    PyObject *old = *place;
    *place = Py_NewRef(value);
    Py_XDECREF(old);
}

/* Fills a new cell; the label is the key where it is empty. 0, or -1 with an error. */
static int fill(Cell *self, PyObject *key, PyObject *value, PyObject *label)
{
    PyObject *none = PyTuple_New(0);
    int is_labelled = label ? PyObject_IsTrue(label) : 0;
    if (!none || is_labelled < 0) {
        Py_XDECREF(none);
        return -1;
    }
    put(&self->key, key);
    put(&self->value, value);
    put(&self->label, is_labelled ? label : key);
    put(&self->updates, none);
    Py_DECREF(none);
    self->changed = 0;
    self->in_part_only = 1;
    return 0;
}

static int init(Cell *self, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"key", "value", "label", NULL};
    PyObject *key, *value, *label = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO|O:Cell", names, &key, &value, &label))
        return -1;
    return fill(self, key, value, label);
}

static int has_updates(Cell *self)
{
    return self->updates && PyTuple_Check(self->updates) && PyTuple_Size(self->updates) > 0;
}

static PyObject *held(Cell *self)
{
    return Py_NewRef(self->value ? self->value : Py_None);
}

static PyObject *get_value(Cell *self, void *unused)
{
    (void)unused;
    if (!self->value || self->value == Py_None)
        return PyObject_CallMethod((PyObject *)self, "_missing", NULL);
    return has_updates(self) ? PyObject_CallMethod((PyObject *)self, "_updated", NULL) : held(self);
}

static PyObject *get_stored(Cell *self, void *unused)
{
    (void)unused;
    return held(self);
}

static PyObject *get_is_set(Cell *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(self->value && self->value != Py_None);
}

static PyObject *get_waiting(Cell *self, void *unused)
{
    (void)unused;
    return self->in_part_only && self->updates ? Py_NewRef(self->updates) : PyTuple_New(0);
}

static PyObject *peek(Cell *self, PyObject *unused)
{
    (void)unused;
    return has_updates(self) ? PyObject_CallMethod((PyObject *)self, "_updated", NULL) : held(self);
}

static PyObject *assign(Cell *self, PyObject *value)
{
    PyObject *none = PyTuple_New(0);
    if (!none)
        return NULL;
    put(&self->value, value);
    put(&self->updates, none);
    Py_DECREF(none);
    self->changed = 1;
    self->in_part_only = 0;
    return Py_NewRef(Py_None);
}

static PyMemberDef members[] = {
    {"key", T_OBJECT_EX, offsetof(Cell, key), 0, NULL},
    {"label", T_OBJECT_EX, offsetof(Cell, label), 0, NULL},
    {"changed", T_BOOL, offsetof(Cell, changed), 0, NULL},
    {"_value", T_OBJECT, offsetof(Cell, value), 0, NULL},
    {"_updates", T_OBJECT, offsetof(Cell, updates), 0, NULL},
    {"_in_part_only", T_BOOL, offsetof(Cell, in_part_only), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"value", (getter)get_value, NULL, "The stored value; an error while nothing was assigned yet.", NULL},
    {"stored", (getter)get_stored, NULL, "The stored value as it is; None if nothing was assigned yet.", NULL},
    {"is_set", (getter)get_is_set, NULL, "Whether something was assigned.", NULL},
    {"waiting", (getter)get_waiting, NULL, "The deferred updates, unless the value was read or assigned.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef of_cells[] = {
    {"peek", (PyCFunction)peek, METH_NOARGS, "The stored value, or None."},
    {"assign", (PyCFunction)assign, METH_O, "Assigns a value."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, "One stored value, as kernels see it during a step."},
    {Py_tp_init, init},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, dealloc},
    {Py_tp_members, members},
    {Py_tp_getset, properties},
    {Py_tp_methods, of_cells},
    {0, NULL},
};

static PyType_Spec spec = {
    "evergraph.native._cells.Cell", sizeof(Cell), 0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots,
};

/* The cell type of this module, which a class of Python derives from. */
typedef struct {
    PyTypeObject *base;
} State;

/* A new cell of a class that adds nothing to the making of one. */
static PyObject *made(PyTypeObject *kind, PyObject *key, PyObject *value, PyObject *label)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(kind, Py_tp_alloc);
    PyObject *cell = allocate(kind, 0);
    if (cell && fill((Cell *)cell, key, value, label) < 0)
        Py_CLEAR(cell);
    return cell;
}

static PyObject *py_cells(PyObject *module, PyObject *args)
{
    PyObject *kind, *labels, *values, *cells, *key, *label;
    State *state = PyModule_GetState(module);
    Py_ssize_t at = 0, place = 0;
    if (!PyArg_ParseTuple(args, "O!O!O!:cells", &PyType_Type, &kind, &PyDict_Type, &labels, &PyList_Type, &values))
        return NULL;
    if (!PyType_IsSubtype((PyTypeObject *)kind, state->base) || PyDict_Size(labels) != PyList_Size(values)) {
        PyErr_SetString(PyExc_ValueError, "cells are of a class of cells, and each label has a value");
        return NULL;
    }
    cells = PyDict_New();
    while (cells && PyDict_Next(labels, &place, &key, &label)) {
        PyObject *value = PyList_GetItem(values, at++); /* NULL if a key's hash has changed the list */
        PyObject *cell = value ? made((PyTypeObject *)kind, key, value, label) : NULL;
        if (!cell || PyDict_SetItem(cells, key, cell) < 0)
            Py_CLEAR(cells);
        Py_XDECREF(cell);
    }
    return cells;
}

static PyMethodDef methods[] = {
    {"cells", py_cells, METH_VARARGS,
     "cells(kind, labels, values): a cell of this class for each key of the labels, by its key, with its value."},
    {NULL, NULL, 0, NULL},
};

static int execute(PyObject *module)
{
    State *state = PyModule_GetState(module);
    state->base = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return state->base ? PyModule_AddObjectRef(module, "Cell", (PyObject *)state->base) : -1;
}

static int traverse_module(PyObject *module, visitproc visit, void *arg)
{
    Py_VISIT(((State *)PyModule_GetState(module))->base);
    return 0;
}

static int clear_module(PyObject *module)
{
    Py_CLEAR(((State *)PyModule_GetState(module))->base);
    return 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, execute}, {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_cells", "Stored values as kernels see them during a step.", sizeof(State), methods,
    module_slots, traverse_module, clear_module, NULL,
};

PyMODINIT_FUNC PyInit__cells(void);
PyMODINIT_FUNC PyInit__cells(void) { return PyModuleDef_Init(&definition); }
