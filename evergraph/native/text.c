/* The inner loops of reading and writing numbers as text: strings of numbers, and fields of comma-separated lines.

   As in files.c, a twin in Python decides what is right, and this code declines what is not plain: line ends outside of
   quotes, wrong numbers of fields, numbers in unusual forms. strings.h says how functions take arrays of strings. The
   lock of the interpreter is released while lines are read; what is read belongs to objects that do not change.

   It is for the row `data: TextLine + decode_csv, per line` of benchmarks.
*/

#include "strings.h"
#include <math.h>
#include <stdlib.h>

enum { SKIPPED, STRINGS, REALS, INTEGERS };
enum { MOST_DIGITS = 18, LONGEST = 31, EXACT_POWER = 22, MOST_DECIMALS = 9 };

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
static const uint64_t EXACT = (uint64_t)1 << 53; /* doubles hold all integers up to this one */

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
    int has_quotes, has_more; /* whether lines may have more fields, which are not read */
    Span missing;
} Table;

/* ---- numbers */

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
    if (size_of(text) > LONGEST) /* TensorFlow takes no longer ones, white space included */
        return DECLINED;
    text = stripped(text);
    if (text.at == text.end)
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

/* Converts a number in a plain form as Python's float does, in two steps if doubles do not hold its digits. */
static int convert(Span text, double *value)
{
    uint8_t is_hard = 0;
    char digits[LONGEST + 1];
    if (read_real(text, value, &is_hard) != FINE)
        return DECLINED;
    if (!is_hard)
        return FINE;
    text = stripped(text);
    memcpy(digits, text.at, size_of(text));
    digits[size_of(text)] = 0;
    *value = PyOS_string_to_double(digits, NULL, NULL);
    return *value == -1.0 && PyErr_Occurred() ? FAILED : FINE;
}

/* Whether a second rounding, to a float, may give another float than one rounding of the text: the double is in the
   middle of two floats, or floats have fewer digits there. */
static int may_round_twice(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x1FFFFFFF) == 0x10000000 || (value != 0.0 && fabs(value) < 0x1p-126);
}

/* ---- strings of numbers */

static int read_number(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Py_buffer *out = given;
    double real;
    int64_t whole;
    int status;
    (void)item;
    if (*out->format == 'f' || *out->format == 'd') {
        status = convert(text, &real);
        if (status != FINE || (*out->format == 'f' && may_round_twice(real)))
            return status == FINE ? DECLINED : status;
        if (*out->format == 'f')
            ((float *)out->buf)[at] = (float)real;
        else
            ((double *)out->buf)[at] = real;
        return FINE;
    }
    if (read_integer(text, &whole) != FINE || (out->itemsize == 4 && (whole < INT32_MIN || whole > INT32_MAX)))
        return DECLINED;
    if (out->itemsize == 4)
        ((int32_t *)out->buf)[at] = (int32_t)whole;
    else
        ((int64_t *)out->buf)[at] = whole;
    return FINE;
}

/* An array of integers or reals of 32 or 64 bits; 0 and an error if it is another. */
static int open_numbers(PyObject *array, Py_buffer *numbers, int flags)
{
    if (PyObject_GetBuffer(array, numbers, flags | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return 0;
    if (numbers->format && *numbers->format && strchr("ilqfd", *numbers->format) && !numbers->format[1])
        return 1;
    PyBuffer_Release(numbers);
    PyErr_SetString(PyExc_TypeError, "numbers of 32 or 64 bits are wanted");
    return 0;
}

static PyObject *py_numbers(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer out;
    Py_ssize_t start;
    PyObject *made, *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nO:numbers", to_read, &strings, &start, &made))
        return NULL;
    if (open_numbers(made, &out, PyBUF_WRITABLE)) {
        result = walk_if(&strings, start, out.len / out.itemsize, read_number, &out);
        PyBuffer_Release(&out);
    }
    close_strings(&strings);
    return result;
}

/* ---- numbers as strings */

static const uint64_t TENS[] = {1,      10,      100,      1000,      10000,
                                100000, 1000000, 10000000, 100000000, 1000000000};

/* |value| times a power of ten, rounded to an integer as if by unbounded digits, ties to even. 0 if it is too large. */
static int scaled(double value, int decimals, uint64_t *number)
{
    int exponent, shift, rounds_up;
    if (!isfinite(value))
        return 0;
    uint64_t digits = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53); /* value is digits / 2^shift */
    shift = 53 - exponent;
    if (shift < 1)
        return 0;
    /* The product of 53 and 30 bits in two words. Below, it is divided by 2^shift. */
    uint64_t low = (digits & 0xFFFFFFFF) * TENS[decimals], high = (digits >> 32) * TENS[decimals] + (low >> 32), below;
    low = (low & 0xFFFFFFFF) | high << 32;
    high >>= 32;
    *number = 0;
    if (shift > 84)
        return 1;
    if (shift < 64 && high >> shift)
        return 0;
    *number = shift >= 64 ? high >> (shift - 64) : high << (64 - shift) | low >> shift;
    if (shift > 64) {
        rounds_up = high >> (shift - 65) & 1;
        below = low | (high & (((uint64_t)1 << (shift - 65)) - 1));
    } else {
        rounds_up = low >> (shift - 1) & 1;
        below = low & (((uint64_t)1 << (shift - 1)) - 1);
    }
    *number += rounds_up && (below || *number & 1);
    return 1;
}

/* Writes digits before the place `end`, with a point before the last `decimals` of them; where they begin. */
static char *digits_before(char *end, uint64_t number, int decimals)
{
    for (int place = 0; number || place <= decimals; place++, number /= 10) {
        if (place == decimals && decimals)
            *--end = '.';
        *--end = (char)('0' + number % 10);
    }
    return end;
}

static int write_number(const Py_buffer *numbers, Py_ssize_t at, int decimals, Strings *out)
{
    char room[40], *end = room + sizeof room, *begin;
    uint64_t number;
    int is_negative;
    if (*numbers->format == 'f' || *numbers->format == 'd') {
        double value = *numbers->format == 'f' ? ((const float *)numbers->buf)[at] : ((const double *)numbers->buf)[at];
        if (!scaled(value, decimals, &number))
            return DECLINED;
        is_negative = signbit(value) != 0;
    } else {
        int64_t value = numbers->itemsize == 4 ? ((const int32_t *)numbers->buf)[at] : ((const int64_t *)numbers->buf)[at];
        is_negative = value < 0;
        number = is_negative ? 0 - (uint64_t)value : (uint64_t)value;
        decimals = 0;
    }
    begin = digits_before(end, number, decimals);
    if (is_negative)
        *--begin = '-';
    return put(out, at, PyBytes_FromStringAndSize(begin, end - begin));
}

static PyObject *write_numbers(const Py_buffer *numbers, Py_ssize_t at, int decimals, Strings *out)
{
    int status = FINE;
    if (!fits(numbers->len / numbers->itemsize == out->count && at >= 0 && at <= out->count && decimals >= 0
              && decimals <= MOST_DECIMALS))
        return NULL;
    while (at < out->count && (status = write_number(numbers, at, decimals, out)) == FINE)
        at++;
    return status == FAILED ? NULL : PyLong_FromSsize_t(at);
}

static PyObject *py_written(PyObject *self, PyObject *args)
{
    Strings out;
    Py_buffer numbers;
    Py_ssize_t start;
    int decimals;
    PyObject *given, *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "OniO&:written", &given, &start, &decimals, to_write, &out))
        return NULL;
    if (open_numbers(given, &numbers, 0)) {
        result = write_numbers(&numbers, start, decimals, &out);
        PyBuffer_Release(&numbers);
    }
    close_strings(&out);
    return result;
}

/* ---- lines */

static int is_missing(const Table *table, Span text)
{
    size_t size = (size_t)(text.end - text.at), wanted = (size_t)(table->missing.end - table->missing.at);
    return size == 0 || (size == wanted && memcmp(text.at, table->missing.at, size) == 0);
}

static int read_field(const Table *table, Column *column, size_t row, Span text)
{
    if (column->kind == SKIPPED)
        return FINE;
    column->texts[row] = text;
    column->has[row] = (uint8_t)!is_missing(table, text);
    if (!column->has[row] || column->kind == STRINGS)
        return FINE;
    if (column->kind == INTEGERS)
        return read_integer(text, (int64_t *)(void *)column->values + row);
    return read_real(text, (double *)(void *)column->values + row, &column->is_hard[row]);
}

/* Takes a field without quotes up to its delimiter or the end of the line. */
static int take_plain(const Table *table, Span *line, Span *field)
{
    *field = (Span){line->at, line->at};
    for (; field->end < line->end && *field->end != table->delimiter; field->end++)
        if (*field->end == '\n' || *field->end == '\r' || (table->has_quotes && *field->end == '"'))
            return DECLINED;
    line->at = field->end;
    return FINE;
}

/* Takes a field in quotes; those that have quotes inside are declined, because they are no part of the line. */
static int take_quoted(const Table *table, Span *line, Span *field)
{
    const uint8_t *quote = memchr(line->at + 1, '"', size_of(*line) - 1);
    if (quote == NULL || (quote + 1 < line->end && quote[1] != table->delimiter))
        return DECLINED;
    *field = (Span){line->at + 1, quote};
    line->at = quote + 1;
    return FINE;
}

static int read_line(const Table *table, size_t row, Span line)
{
    Span field;
    if (line.at == line.end)
        return DECLINED;
    for (size_t place = 0; place < table->count; place++) {
        int is_quoted = table->has_quotes && line.at < line.end && *line.at == '"';
        if ((is_quoted ? take_quoted(table, &line, &field) : take_plain(table, &line, &field)) != FINE
            || read_field(table, &table->columns[place], row, field) != FINE)
            return DECLINED;
        if (line.at == line.end)
            return place + 1 == table->count ? FINE : DECLINED;
        line.at++; /* the delimiter */
    }
    return table->has_more ? FINE : DECLINED;
}

static int read_lines(const Table *table, const Span *lines, size_t count)
{
    int status = FINE;
    for (size_t row = 0; row < count && status == FINE; row++)
        status = read_line(table, row, lines[row]);
    return status;
}

/* ---- from and to Python */

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
        if (column->kind > INTEGERS) {
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
    for (size_t row = 0; row < rows; row++)
        if (column->is_hard[row] && convert(column->texts[row], (double *)(void *)column->values + row) != FINE)
            return -1;
    return 0;
}

static PyObject *py_strings(const Column *column, size_t rows)
{
    PyObject *list = PyList_New((Py_ssize_t)rows);
    for (size_t row = 0; list != NULL && row < rows; row++) {
        PyObject *value = bytes_of(column->texts[row]);
        if (value == NULL || PyList_SetItem(list, (Py_ssize_t)row, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *py_column(Column *column, size_t rows)
{
    PyObject *values, *has, *pair = NULL;
    if (column->kind == SKIPPED)
        return Py_NewRef(Py_None);
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
    Span *spans = NULL;
    int status = DECLINED;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!bppO!O!:fields", &PyTuple_Type, &lines, &table.delimiter, &table.has_quotes,
                          &table.has_more, &PyBytes_Type, &kinds, &PyBytes_Type, &missing))
        return NULL;
    table.missing = text_of(missing);
    size_t rows = (size_t)PyTuple_Size(lines);
    if (make_table(&table, text_of(kinds), rows) == 0 && (spans = spans_of(lines, rows)) != NULL) {
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
     "fields(lines, delimiter, has_quotes, has_more, kinds, missing): [(values, has)] of the columns of lines, or None to\n"
     "decline. lines is a tuple of bytes, delimiter a byte's number; kinds has a byte for each column: 0 for one to skip, of which the result is\n"
     "None, 1 strings, 2 reals, 3 integers. has_more allows further columns. Values are a list of bytes, doubles, or\n"
     "int64s; has tells where a field is neither empty nor missing."},
    {"numbers", py_numbers, METH_VARARGS,
     "numbers(strings, start, out): reads strings as integers or reals of 32 or 64 bits, as the array says."},
    {"written", py_written, METH_VARARGS,
     "written(numbers, start, decimals, out): writes integers in digits and reals with so many decimals, at most 9; declines\n"
     "large and infinite reals and NaN."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(text, "The inner loops of reading and writing numbers as text.")
