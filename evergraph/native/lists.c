/* Lists of tensors on the host: prefixes of lists that they share, and functions that push to many of them at once, pop
   from them, read and replace elements; see kernel/lists/items.py and compile/list_lines.py.

   It is for the row `LSTM dynamic_rnn step` of benchmarks.
*/

#include "arrays.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <structmember.h>

/* The first `length` elements of a Python list. Nothing that it refers to refers back, so that it needs no garbage
   collector, which would look at thousands of them. */
typedef struct {
    PyObject head;
    PyObject *store, *rows, *element_dtype, *element_shape;
    Py_ssize_t length, most;
} Prefix;

enum { MOST_LISTS = 64 }; /* from which one call pops */

static PyTypeObject *prefix_type;
static PyObject *array_type, *index_type; /* numpy.ndarray, and the dtype of numbers of elements: int32 */

static void release(PyObject *self)
{
    Prefix *prefix = (Prefix *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(prefix->store);
    Py_XDECREF(prefix->rows);
    Py_XDECREF(prefix->element_dtype);
    Py_XDECREF(prefix->element_shape);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* Another prefix of the same list. */
static PyObject *prefix_of(Prefix *self, Py_ssize_t length)
{
    Prefix *other = (Prefix *)PyType_GenericAlloc(Py_TYPE(&self->head), 0);
    if (!other)
        return NULL;
    other->store = Py_XNewRef(self->store);
    other->rows = Py_NewRef(Py_None);
    other->element_dtype = Py_XNewRef(self->element_dtype);
    other->element_shape = Py_XNewRef(self->element_shape);
    other->length = length;
    other->most = self->most;
    return (PyObject *)other;
}

static PyObject *py_prefix(PyObject *self, PyObject *number)
{
    Py_ssize_t length = PyLong_AsSsize_t(number);
    return length == -1 && PyErr_Occurred() ? NULL : prefix_of((Prefix *)self, length);
}

static PyMemberDef members[] = {
    {"_store", T_OBJECT_EX, offsetof(Prefix, store), 0, NULL},
    {"_rows", T_OBJECT_EX, offsetof(Prefix, rows), 0, NULL},
    {"element_dtype", T_OBJECT_EX, offsetof(Prefix, element_dtype), 0, NULL},
    {"element_shape", T_OBJECT_EX, offsetof(Prefix, element_shape), 0, NULL},
    {"length", T_PYSSIZET, offsetof(Prefix, length), 0, NULL},
    {"most", T_PYSSIZET, offsetof(Prefix, most), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyMethodDef prefix_methods[] = {
    {"_prefix", py_prefix, METH_O, "_prefix(length): the list of the first elements of the backing store."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_dealloc, release},
    {Py_tp_members, members},
    {Py_tp_methods, prefix_methods},
    {Py_tp_doc, "The first elements of a list that others share."},
    {0, NULL},
};

static PyType_Spec spec = {"evergraph.native._lists.Prefix", sizeof(Prefix), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

/* ---- many at once */

static Prefix *as_prefix(PyObject *object)
{
    if (!PyObject_TypeCheck(object, prefix_type))
        return NULL;
    Prefix *prefix = (Prefix *)object;
    return prefix->store && PyList_CheckExact(prefix->store) && prefix->length >= 0 ? prefix : NULL;
}

/* Whether one may push an array to the object by appending it to the list that it shares. */
static int can_grow(PyObject *object, PyObject *item)
{
    const Prefix *prefix = as_prefix(object);
    return prefix && (PyObject *)Py_TYPE(item) == array_type && PyList_Size(prefix->store) == prefix->length
           && (prefix->most < 0 || prefix->length < prefix->most);
}

/* The array that is the last element of a list of a dtype; NULL if there is none, or something else. */
static PyObject *last_of(PyObject *object, PyObject *dtype)
{
    const Prefix *prefix = as_prefix(object);
    if (!prefix || prefix->element_dtype != dtype || !prefix->length || prefix->length > PyList_Size(prefix->store))
        return NULL;
    PyObject *item = PyList_GetItem(prefix->store, prefix->length - 1);
    return (PyObject *)Py_TYPE(item) == array_type ? item : NULL;
}

/* Pushes an item to each list: lists and items in turn, behind a context. What is not plain is left to the function in
   `self`, which gets the same arguments. */
static PyObject *push_all(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t lists = (count - 1) / 2;
    if (count % 2 == 0)
        return called(self, args, count);
    for (Py_ssize_t at = 0; at < lists; at++)
        if (!can_grow(args[1 + 2 * at], args[2 + 2 * at]))
            return called(self, args, count);
    PyObject *results = PyTuple_New(lists);
    for (Py_ssize_t at = 0; results && at < lists; at++) {
        Prefix *prefix = (Prefix *)args[1 + 2 * at];
        PyObject *pushed = NULL;
        if (PyList_Size(prefix->store) != prefix->length) { /* a list that came before */
            Py_DECREF(results);
            return called(self, args, count);
        }
        if (PyList_Append(prefix->store, args[2 + 2 * at]) == 0)
            pushed = prefix_of(prefix, prefix->length + 1);
        if (!pushed)
            Py_CLEAR(results);
        else
            PyTuple_SetItem(results, at, pushed);
    }
    return results;
}

/* Pops an element from each list that comes behind a context: the lists without it and the elements, in turn. `self`
   has a function, which does what is not plain, and the dtypes of the elements. */
static PyObject *pop_all(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Py_ssize_t lists = PyTuple_Size(self) - 1;
    PyObject *items[MOST_LISTS];
    if (lists != count - 1)
        return called(PyTuple_GetItem(self, 0), args, count);
    for (Py_ssize_t at = 0; at < lists; at++)
        if (!(items[at] = last_of(args[1 + at], PyTuple_GetItem(self, 1 + at))))
            return called(PyTuple_GetItem(self, 0), args, count);
    PyObject *results = PyTuple_New(2 * lists);
    for (Py_ssize_t at = 0; results && at < lists; at++) {
        Prefix *prefix = (Prefix *)args[1 + at];
        PyObject *popped = prefix_of(prefix, prefix->length - 1);
        if (!popped) {
            Py_CLEAR(results);
            break;
        }
        PyTuple_SetItem(results, 2 * at, popped);
        PyTuple_SetItem(results, 2 * at + 1, Py_NewRef(items[at]));
    }
    return results;
}

/* ---- single elements

   Functions of a context, a list, a number of an element, and more. `self` has a function, which does what is not plain,
   and what it is to know. */

static int is_array_of(PyObject *object, PyObject *dtype)
{
    return (PyObject *)Py_TYPE(object) == array_type && (PyObject *)PyArray_DESCR(as_array(object)) == dtype;
}

/* The number of an element that a list has; -1 if it has none of that number. */
static Py_ssize_t place_in(const Prefix *prefix, PyObject *index)
{
    int32_t place;
    if (!is_array_of(index, index_type) || PyArray_NDIM(as_array(index)))
        return -1;
    memcpy(&place, PyArray_BYTES(as_array(index)), sizeof place);
    return place < prefix->length && prefix->length <= PyList_Size(prefix->store) ? place : -1;
}

/* A list with the elements of another one, but for one of them. Takes over a reference to the element. */
static PyObject *with_element(Prefix *prefix, Py_ssize_t place, PyObject *item)
{
    Prefix *other = item ? (Prefix *)prefix_of(prefix, prefix->length) : NULL;
    PyObject *store = other ? PyList_GetSlice(prefix->store, 0, prefix->length) : NULL;
    if (!store) {
        Py_XDECREF(item);
        Py_XDECREF((PyObject *)other);
        return NULL;
    }
    PyList_SetItem(store, place, item);
    Py_XDECREF(other->store);
    other->store = store;
    return (PyObject *)other;
}

/* An element of a dtype, which stands in `self`: of a list and a number. */
static PyObject *get_one(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    const Prefix *prefix = count < 3 ? NULL : as_prefix(args[1]);
    Py_ssize_t place = prefix ? place_in(prefix, args[2]) : -1;
    PyObject *item = place < 0 ? NULL : PyList_GetItem(prefix->store, place);
    if (item && is_array_of(item, PyTuple_GetItem(self, 1)))
        return Py_NewRef(item);
    return called(PyTuple_GetItem(self, 0), args, count);
}

/* The list with another element: of a list, a number and an array. */
static PyObject *set_one(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Prefix *prefix = count < 4 ? NULL : as_prefix(args[1]);
    Py_ssize_t place = prefix ? place_in(prefix, args[2]) : -1;
    if (place < 0 || (PyObject *)Py_TYPE(args[3]) != array_type)
        return called(PyTuple_GetItem(self, 0), args, count);
    return with_element(prefix, place, Py_NewRef(args[3]));
}

/* The list with an array added to an element, where None stands for zeros: of a list, one that is as long, the shape of
   elements, a number and an array. */
static PyObject *add_to_one(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    Prefix *prefix = count < 6 ? NULL : as_prefix(args[1]);
    const Prefix *alike = prefix ? as_prefix(args[2]) : NULL;
    Py_ssize_t place = alike ? place_in(prefix, args[4]) : -1;
    if (place < 0 || alike->length != prefix->length || (PyObject *)Py_TYPE(args[5]) != array_type)
        return called(PyTuple_GetItem(self, 0), args, count);
    PyObject *before = PyList_GetItem(prefix->store, place);
    return with_element(prefix, place, before == Py_None ? Py_NewRef(args[5]) : PyNumber_Add(before, args[5]));
}

static PyMethodDef getting = {"get_one", (PyCFunction)(void (*)(void))get_one, METH_FASTCALL, NULL};
static PyMethodDef setting = {"set_one", (PyCFunction)(void (*)(void))set_one, METH_FASTCALL, NULL};
static PyMethodDef adding = {"add_to_one", (PyCFunction)(void (*)(void))add_to_one, METH_FASTCALL, NULL};

/* A function of this module that has a tuple. */
static PyObject *with_tuple(PyMethodDef *method, PyObject *given, Py_ssize_t size)
{
    if (!PyTuple_CheckExact(given) || PyTuple_Size(given) != size) {
        PyErr_SetString(PyExc_TypeError, "a function and what it is to know are wanted, as a tuple");
        return NULL;
    }
    return PyCFunction_New(method, given);
}

static PyObject *py_getter(PyObject *self, PyObject *given)
{
    (void)self;
    return with_tuple(&getting, given, 2);
}

static PyObject *py_setter(PyObject *self, PyObject *given)
{
    (void)self;
    return with_tuple(&setting, given, 1);
}

static PyObject *py_adder(PyObject *self, PyObject *given)
{
    (void)self;
    return with_tuple(&adding, given, 1);
}

static PyMethodDef pushing = {"push_all", (PyCFunction)(void (*)(void))push_all, METH_FASTCALL, NULL};
static PyMethodDef popping = {"pop_all", (PyCFunction)(void (*)(void))pop_all, METH_FASTCALL, NULL};

static PyObject *py_pusher(PyObject *self, PyObject *function)
{
    (void)self;
    return PyCFunction_New(&pushing, function);
}

static PyObject *py_popper(PyObject *self, PyObject *given)
{
    (void)self;
    if (!PyTuple_CheckExact(given) || PyTuple_Size(given) < 2 || PyTuple_Size(given) > MOST_LISTS) {
        PyErr_SetString(PyExc_TypeError, "a popper takes a tuple: a function, and a few dtypes behind it");
        return NULL;
    }
    return PyCFunction_New(&popping, given);
}

static PyObject *py_prepare(PyObject *self, PyObject *args)
{
    PyObject *type, *index;
    (void)self;
    if (!PyArg_ParseTuple(args, "OO:prepare", &type, &index)
        || (!prefix_type && !(prefix_type = (PyTypeObject *)PyType_FromSpec(&spec))))
        return NULL;
    Py_XDECREF(array_type);
    Py_XDECREF(index_type);
    array_type = Py_NewRef(type);
    index_type = Py_NewRef(index);
    return Py_NewRef((PyObject *)prefix_type);
}

static PyMethodDef methods[] = {
    {"prepare", py_prepare, METH_VARARGS,
     "prepare(numpy.ndarray, dtype of numbers): tells the type of elements; the type of prefixes."},
    {"getter", py_getter, METH_O,
     "getter((function, dtype)): a function of a context, a list, a number and the shape of an element, which it returns; "
     "or calls `function`."},
    {"setter", py_setter, METH_O,
     "setter((function,)): a function of a context, a list, a number and an element to replace; or calls `function`."},
    {"adder", py_adder, METH_O,
     "adder((function,)): a function of a context, a list, one that is as long, the shape of elements, the number of one, "
     "and what to add to it; or calls `function`."},
    {"pusher", py_pusher, METH_O,
     "pusher(function): a function of a context, and lists and items in turn, that pushes these; or calls `function`."},
    {"popper", py_popper, METH_O,
     "popper((function, dtypes ...)): a function of a context and lists that pops from these; or calls `function`."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(lists, "Lists of tensors on the host; see kernel/lists/items.py.")
