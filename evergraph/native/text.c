/* The inner loops of reading text: the fields of comma-separated lines.

   As in files.c, a twin in Python decides what is right, and this code declines what is not plain: quoted fields, line
   ends inside of lines, wrong numbers of fields, numbers in unusual forms. A Span knows its end. The lock of the
   interpreter is released while lines are read; what is read belongs to objects that do not change.
*/

#include "module.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { STRINGS = 1, REALS, INTEGERS };
enum { FINE, DECLINED };
enum { MOST_DIGITS = 18, LONGEST = 100, EXACT_POWER = 22 };

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const uint64_t EXACT = (uint64_t)1 << 53; /* doubles hold all integers up to this one */

typedef struct {
    const uint8_t *at, *end;
} Span;

/* A column: values are Spans, doubles or int64s; hard numbers are Spans until the interpreter converts them. */
typedef struct {
    uint8_t kind;
    uint8_t *values, *has, *is_hard;
    Span *texts;
} Column;

typedef struct {
    Column *columns;
    size_t count;
    uint8_t delimiter;
    int has_quotes;
    Span missing;
} Table;

/* ---- numbers */

static int is_space(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static Span stripped(Span text)
{
    while (text.at < text.end && is_space(*text.at))
        text.at++;
    while (text.at < text.end && is_space(text.end[-1]))
        text.end--;
    return text;
}

static int take_sign(Span *text)
{
    int is_negative = text->at < text->end && *text->at == '-';
    if (text->at < text->end && (*text->at == '-' || *text->at == '+'))
        text->at++;
    return is_negative;
}

/* Takes digits into a number; returns how many there were. More than MOST_DIGITS in all make the number useless. */
static size_t take_digits(Span *text, uint64_t *number, size_t *total)
{
    size_t count = 0;
    while (text->at < text->end && *text->at >= '0' && *text->at <= '9') {
        if (*total < MOST_DIGITS)
            *number = *number * 10 + (uint64_t)(*text->at - '0');
        *total += *total > 0 || *text->at != '0';
        text->at++;
        count++;
    }
    return count;
}

static int read_integer(Span text, int64_t *value)
{
    uint64_t number = 0;
    size_t total = 0;
    int is_negative;
    text = stripped(text);
    if (text.at < text.end && *text.at == '+') /* TensorFlow's integers have no plus */
        return DECLINED;
    is_negative = take_sign(&text);
    if (take_digits(&text, &number, &total) == 0 || text.at != text.end || total > MOST_DIGITS)
        return DECLINED;
    *value = is_negative ? -(int64_t)number : (int64_t)number;
    return FINE;
}

/* Reads a number whose digits and power of ten doubles hold exactly, so that one rounding remains; others are hard. */
static int read_real(Span text, double *value, uint8_t *is_hard)
{
    uint64_t number = 0, power = 0;
    size_t total = 0, whole, behind = 0, digits = 0;
    int is_negative, sinks = 0;
    int64_t shift;
    text = stripped(text);
    if (text.at == text.end || text.end - text.at > LONGEST)
        return DECLINED;
    is_negative = take_sign(&text);
    whole = take_digits(&text, &number, &total);
    if (text.at < text.end && *text.at == '.') {
        text.at++;
        behind = take_digits(&text, &number, &total);
    }
    if (whole + behind == 0)
        return DECLINED;
    if (text.at < text.end && (*text.at == 'e' || *text.at == 'E')) {
        text.at++;
        sinks = take_sign(&text);
        if (take_digits(&text, &power, &digits) == 0)
            return DECLINED;
    }
    if (text.at != text.end)
        return DECLINED;
    if (total > MOST_DIGITS || number > EXACT || digits > 3) {
        *is_hard = 1;
        return FINE;
    }
    shift = (sinks ? -(int64_t)power : (int64_t)power) - (int64_t)behind;
    if (shift < -EXACT_POWER || shift > EXACT_POWER) {
        *is_hard = 1;
        return FINE;
    }
    *value = shift < 0 ? (double)number / POWERS[-shift] : (double)number * POWERS[shift];
    if (is_negative)
        *value = -*value;
    return FINE;
}

/* ---- lines */

static int is_missing(const Table *table, Span text)
{
    size_t size = (size_t)(text.end - text.at), wanted = (size_t)(table->missing.end - table->missing.at);
    return size == 0 || (size == wanted && memcmp(text.at, table->missing.at, size) == 0);
}

static int read_field(const Table *table, Column *column, size_t row, Span text)
{
    column->texts[row] = text;
    column->has[row] = (uint8_t)!is_missing(table, text);
    if (!column->has[row] || column->kind == STRINGS)
        return FINE;
    if (column->kind == INTEGERS)
        return read_integer(text, (int64_t *)(void *)column->values + row);
    return read_real(text, (double *)(void *)column->values + row, &column->is_hard[row]);
}

static int read_line(const Table *table, size_t row, Span line)
{
    size_t place = 0;
    Span field = {line.at, line.at};
    if (line.at == line.end)
        return DECLINED;
    for (;; field.end++) {
        int is_end = field.end == line.end;
        if (!is_end && (*field.end == '\n' || *field.end == '\r' || (table->has_quotes && *field.end == '"')))
            return DECLINED;
        if (!is_end && *field.end != table->delimiter)
            continue;
        if (place == table->count || read_field(table, &table->columns[place], row, field) != FINE)
            return DECLINED;
        place++;
        if (is_end)
            return place == table->count ? FINE : DECLINED;
        field.at = field.end + 1;
    }
}

static int read_lines(const Table *table, const Span *lines, size_t count)
{
    int status = FINE;
    for (size_t row = 0; row < count && status == FINE; row++)
        status = read_line(table, row, lines[row]);
    return status;
}

/* ---- from and to Python */

static int span_of(PyObject *bytes, Span *span)
{
    char *data;
    Py_ssize_t size;
    if (bytes == NULL || PyBytes_AsStringAndSize(bytes, &data, &size) < 0)
        return -1;
    span->at = (const uint8_t *)data;
    span->end = span->at + size;
    return 0;
}

static Span *spans_of(PyObject *tuple, size_t count)
{
    Span *spans = PyMem_Calloc(count + 1, sizeof *spans);
    if (spans == NULL)
        return (Span *)PyErr_NoMemory();
    for (size_t place = 0; place < count; place++)
        if (span_of(PyTuple_GetItem(tuple, (Py_ssize_t)place), &spans[place]) < 0) {
            PyMem_Free(spans);
            return NULL;
        }
    return spans;
}

static void free_table(Table *table)
{
    for (size_t place = 0; table->columns != NULL && place < table->count; place++) {
        PyMem_Free(table->columns[place].values);
        PyMem_Free(table->columns[place].has);
        PyMem_Free(table->columns[place].is_hard);
        PyMem_Free(table->columns[place].texts);
    }
    PyMem_Free(table->columns);
}

static int make_table(Table *table, Span kinds, size_t rows)
{
    table->count = (size_t)(kinds.end - kinds.at);
    table->columns = PyMem_Calloc(table->count + 1, sizeof *table->columns);
    for (size_t place = 0; table->columns != NULL && place < table->count; place++) {
        Column *column = &table->columns[place];
        column->kind = kinds.at[place];
        column->values = PyMem_Calloc(rows + 1, 8);
        column->has = PyMem_Calloc(rows + 1, 1);
        column->is_hard = PyMem_Calloc(rows + 1, 1);
        column->texts = PyMem_Calloc(rows + 1, sizeof *column->texts);
        if (column->values == NULL || column->has == NULL || column->is_hard == NULL || column->texts == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        if (column->kind < STRINGS || column->kind > INTEGERS) {
            PyErr_SetString(PyExc_ValueError, "there is no such kind");
            return -1;
        }
    }
    if (table->columns == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

/* Converts the hard numbers of a column as Python's float does. */
static int convert_hard(Column *column, size_t rows)
{
    for (size_t row = 0; row < rows; row++) {
        char digits[LONGEST + 1];
        Span text = stripped(column->texts[row]);
        size_t size = (size_t)(text.end - text.at);
        double value;
        if (!column->is_hard[row])
            continue;
        memcpy(digits, text.at, size);
        digits[size] = 0;
        value = PyOS_string_to_double(digits, NULL, NULL);
        if (value == -1.0 && PyErr_Occurred())
            return -1;
        ((double *)(void *)column->values)[row] = value;
    }
    return 0;
}

static PyObject *py_strings(const Column *column, size_t rows)
{
    PyObject *list = PyList_New((Py_ssize_t)rows);
    for (size_t row = 0; list != NULL && row < rows; row++) {
        const Span *text = &column->texts[row];
        PyObject *value = PyBytes_FromStringAndSize((const char *)text->at, text->end - text->at);
        if (value == NULL || PyList_SetItem(list, (Py_ssize_t)row, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *py_column(Column *column, size_t rows)
{
    PyObject *values, *has, *pair = NULL;
    if (column->kind == REALS && convert_hard(column, rows) < 0)
        return NULL;
    values = column->kind == STRINGS ? py_strings(column, rows)
                                     : PyByteArray_FromStringAndSize((const char *)column->values, (Py_ssize_t)rows * 8);
    has = PyByteArray_FromStringAndSize((const char *)column->has, (Py_ssize_t)rows);
    if (values != NULL && has != NULL)
        pair = PyTuple_Pack(2, values, has);
    Py_XDECREF(values);
    Py_XDECREF(has);
    return pair;
}

static PyObject *py_columns(Table *table, size_t rows)
{
    PyObject *list = PyList_New((Py_ssize_t)table->count);
    for (size_t place = 0; list != NULL && place < table->count; place++) {
        PyObject *pair = py_column(&table->columns[place], rows);
        if (pair == NULL || PyList_SetItem(list, (Py_ssize_t)place, pair) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *py_fields(PyObject *self, PyObject *args)
{
    PyObject *lines, *kinds, *missing, *result = NULL;
    Table table = {0};
    Span kind, *spans = NULL;
    size_t rows;
    int status = DECLINED;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!bpOO:fields", &PyTuple_Type, &lines, &table.delimiter, &table.has_quotes, &kinds,
                          &missing)
        || span_of(kinds, &kind) < 0 || span_of(missing, &table.missing) < 0)
        return NULL;
    rows = (size_t)PyTuple_Size(lines);
    if (make_table(&table, kind, rows) == 0 && (spans = spans_of(lines, rows)) != NULL) {
        Py_BEGIN_ALLOW_THREADS
        status = read_lines(&table, spans, rows);
        Py_END_ALLOW_THREADS
        result = status == FINE ? py_columns(&table, rows) : Py_NewRef(Py_None);
    }
    PyMem_Free(spans);
    free_table(&table);
    return result;
}

static PyMethodDef methods[] = {
    {"fields", py_fields, METH_VARARGS,
     "fields(lines, delimiter, has_quotes, kinds, missing): [(values, has)] of the columns of lines, or None to decline.\n"
     "lines is a tuple of bytes, delimiter a byte's number; kinds has a byte for each column: 1 strings, 2 reals, 3\n"
     "integers. Values are a list of bytes, doubles, or int64s; has tells where a field is neither empty nor missing."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(text, "The inner loops of reading text.")
