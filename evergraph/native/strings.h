/* Arrays of strings as C sees them: contiguous arrays of NumPy whose elements are bytes objects.

   A function takes strings, the place to begin at, and an array with room for a result of each. It returns the place of
   the first string that it declines, or the number of strings if it declines none. The caller, a twin in Python, does
   what was declined and calls again for what follows. An element that is not a bytes object is always declined, so that
   errors about strings are raised in Python alone. Errors of Python are raised for wrong arrays and missing memory.

   Functions that make one result of all strings raise TypeError for such elements instead.
*/

#ifndef EVERGRAPH_STRINGS_H
#define EVERGRAPH_STRINGS_H

#include "module.h"
#include <stdint.h>
#include <string.h>

enum { FINE, DECLINED, FAILED }; /* FAILED: an error of Python is set */

/* ---- spans: bytes that know their end */

typedef struct {
    const uint8_t *at, *end;
} Span;

static inline size_t size_of(Span text) { return (size_t)(text.end - text.at); }

static inline int is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static inline Span stripped(Span text)
{
    while (text.at < text.end && is_space(*text.at))
        text.at++;
    while (text.at < text.end && is_space(text.end[-1]))
        text.end--;
    return text;
}

/* The bytes of an object; 0 if it is no bytes object. NumPy has NULL for elements that nobody has set. */
static inline int is_string(PyObject *object, Span *text)
{
    char *bytes;
    Py_ssize_t size;
    if (object == NULL)
        return 0;
    if (PyBytes_AsStringAndSize(object, &bytes, &size) < 0) { /* one call that also asks for the type */
        PyErr_Clear();
        return 0;
    }
    text->at = (const uint8_t *)bytes;
    text->end = text->at + size;
    return 1;
}

/* The bytes of an object; -1 and a TypeError if it is no bytes object. */
static inline int span_of(PyObject *object, Span *text)
{
    if (is_string(object, text))
        return 0;
    PyErr_SetString(PyExc_TypeError, "strings are bytes objects");
    return -1;
}

/* The bytes of what is known to be a bytes object. */
static inline Span text_of(PyObject *bytes)
{
    Span text = {NULL, NULL};
    is_string(bytes, &text);
    return text;
}

static inline PyObject *bytes_of(Span text)
{
    return PyBytes_FromStringAndSize((const char *)text.at, text.end - text.at);
}

/* ---- arrays */

typedef struct {
    Py_buffer view;
    PyObject **items;
    Py_ssize_t count;
} Strings;

static inline void close_strings(Strings *strings) { PyBuffer_Release(&strings->view); }

static inline int open_strings(PyObject *array, Strings *strings, int flags)
{
    if (array == NULL) { /* PyArg_ParseTuple gives up: a later argument was wrong */
        close_strings(strings);
        return 1;
    }
    if (PyObject_GetBuffer(array, &strings->view, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return 0;
    if (strings->view.itemsize != sizeof(PyObject *) || !strings->view.format || strcmp(strings->view.format, "O")) {
        close_strings(strings);
        PyErr_SetString(PyExc_TypeError, "an array of Python objects is wanted");
        return 0;
    }
    strings->items = strings->view.buf;
    strings->count = strings->view.len / strings->view.itemsize;
    return Py_CLEANUP_SUPPORTED;
}

/* Converters for "O&" of PyArg_ParseTuple: strings to read, and strings to write. */
static inline int to_read(PyObject *array, void *strings) { return open_strings(array, strings, 0); }
static inline int to_write(PyObject *array, void *strings) { return open_strings(array, strings, PyBUF_WRITABLE); }

/* Stores a new reference, or passes on the error that NULL stands for. */
static inline int put(Strings *out, Py_ssize_t at, PyObject *item)
{
    PyObject *old = out->items[at];
    if (item == NULL)
        return FAILED;
    out->items[at] = item;
    Py_XDECREF(old);
    return FINE;
}

/* Stores a part of a string; the object itself if the part is all of it. */
static inline int put_part(Strings *out, Py_ssize_t at, PyObject *whole, Span text, Span part)
{
    return put(out, at, size_of(part) == size_of(text) ? Py_NewRef(whole) : bytes_of(part));
}

/* Raises ValueError unless a condition about sizes holds. */
static inline int fits(int condition)
{
    if (!condition)
        PyErr_SetString(PyExc_ValueError, "there is no room for each result, or the place to begin at is outside");
    return condition;
}

/* ---- walking */

/* Does the work for one string. `job` is what the function knows beside it. */
typedef int (*Each)(PyObject *item, Span text, Py_ssize_t at, void *job);

static inline PyObject *walk(const Strings *strings, Py_ssize_t at, Each each, void *job)
{
    int status = FINE;
    Span text;
    for (; at < strings->count; at++) {
        status = is_string(strings->items[at], &text) ? each(strings->items[at], text, at, job) : DECLINED;
        if (status != FINE)
            break;
    }
    return status == FAILED ? NULL : PyLong_FromSsize_t(at);
}

/* Walks from `at` on if there is room for `room` results. */
static inline PyObject *walk_if(const Strings *strings, Py_ssize_t at, Py_ssize_t room, Each each, void *job)
{
    return fits(room == strings->count && at >= 0 && at <= room) ? walk(strings, at, each, job) : NULL;
}

#endif
