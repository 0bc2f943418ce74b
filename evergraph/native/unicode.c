/* The inner loops of reading and writing UTF-8: code points of strings, and strings of code points.

   strings.h says how functions take arrays of strings and what they decline. The twins in Python that decide what is right
   are in ops/strings/unicode.py.

   It is for the row `unicode_decode` of benchmarks.
*/

#include "utf8.h"

enum { LARGEST = 0x10FFFF };
enum { UTF_8 = 1, UTF_16 = 2, UTF_32 = 4 }; /* the latter two are big-endian; the bytes of the smallest character */

static int is_surrogate(int64_t code) { return code >= 0xD800 && code <= 0xDFFF; }

/* ---- one character */

static int bytes_for(int32_t code, int form)
{
    if (form == UTF_8)
        return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    return form == UTF_32 || code >= 0x10000 ? 4 : 2;
}

static uint8_t *write_big(uint8_t *to, uint32_t value, int size)
{
    for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
        *to++ = (uint8_t)(value >> shift);
    return to;
}

static uint8_t *write_code(uint8_t *to, int32_t code, int form)
{
    int size = bytes_for(code, form);
    if (form == UTF_16 && size == 4)
        return write_big(to, (0xD800u + (uint32_t)((code - 0x10000) >> 10)) << 16 | (0xDC00u + (code & 0x3FF)), 4);
    if (form != UTF_8 || size == 1)
        return write_big(to, (uint32_t)code, size);
    *to++ = (uint8_t)(0xF00 >> size | code >> 6 * (size - 1));
    for (int shift = 6 * (size - 2); shift >= 0; shift -= 6)
        *to++ = (uint8_t)(0x80 | (code >> shift & 0x3F));
    return to;
}

/* ---- what becomes of characters */

typedef struct {
    int is_strict, has_control; /* whether malformed bytes are an error, and control characters are replaced like them */
    int32_t replacement;        /* or -1: they are left out */
} Cleaning;

static int is_bad(const Cleaning *cleaning, int32_t code)
{
    return code == MALFORMED || (cleaning->has_control && code <= 0x1F);
}

/* ---- strings to code points */

static Py_ssize_t decode(Span text, const Cleaning *cleaning, int32_t *codes, int64_t *starts)
{
    Py_ssize_t count = 0;
    const uint8_t *first = text.at;
    while (text.at < text.end) {
        int64_t start = text.at - first;
        int32_t code = take_character(&text);
        if (code == MALFORMED && cleaning->is_strict)
            return -1;
        if (is_bad(cleaning, code))
            code = cleaning->replacement;
        if (code < 0)
            continue;
        codes[count] = code;
        starts[count++] = start;
    }
    return count;
}

static PyObject *decode_all(const Strings *strings, const Cleaning *cleaning, Py_ssize_t room, int32_t *codes,
                            int64_t *starts, int64_t *splits)
{
    Py_ssize_t total = 0;
    Span text;
    splits[0] = 0;
    for (Py_ssize_t at = 0; at < strings->count; at++) {
        if (span_of(strings->items[at], &text) < 0 || !fits((Py_ssize_t)size_of(text) <= room - total))
            return NULL;
        Py_ssize_t count = decode(text, cleaning, codes + total, starts + total);
        if (count < 0)
            return PyLong_FromSsize_t(-1);
        splits[at + 1] = total += count;
    }
    return PyLong_FromSsize_t(total);
}

static PyObject *py_decode(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer codes, starts, splits;
    Cleaning cleaning;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&ppiw*w*w*:decode", to_read, &strings, &cleaning.is_strict, &cleaning.has_control,
                          &cleaning.replacement, &codes, &starts, &splits))
        return NULL;
    if (fits(starts.len == 2 * codes.len && splits.len == 8 * (strings.count + 1)))
        result = decode_all(&strings, &cleaning, codes.len / 4, codes.buf, starts.buf, splits.buf);
    close_strings(&strings);
    PyBuffer_Release(&codes);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&splits);
    return result;
}

/* ---- code points to strings */

/* Codes outside of Unicode are left out; surrogates, which may be pairs, are declined. */
static int encode(const int32_t *codes, int64_t count, int form, PyObject **made)
{
    size_t size = 0;
    for (int64_t i = 0; i < count; i++) {
        if (is_surrogate(codes[i]))
            return DECLINED;
        size += codes[i] >= 0 && codes[i] <= LARGEST ? (size_t)bytes_for(codes[i], form) : 0;
    }
    *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (*made == NULL)
        return FAILED;
    uint8_t *to = (uint8_t *)PyBytes_AsString(*made);
    for (int64_t i = 0; i < count; i++)
        if (codes[i] >= 0 && codes[i] <= LARGEST)
            to = write_code(to, codes[i], form);
    return FINE;
}

static PyObject *encode_all(const int32_t *codes, Py_ssize_t room, const int64_t *splits, Py_ssize_t at, int form,
                            Strings *out)
{
    for (; at < out->count; at++) {
        PyObject *made = NULL;
        if (!fits(splits[at] >= 0 && splits[at] <= splits[at + 1] && splits[at + 1] <= room))
            return NULL;
        int status = encode(codes + splits[at], splits[at + 1] - splits[at], form, &made);
        if (status == FAILED)
            return NULL;
        if (status == DECLINED)
            break;
        put(out, at, made);
    }
    return PyLong_FromSsize_t(at);
}

static int is_form(int form) { return fits(form == UTF_8 || form == UTF_16 || form == UTF_32); }

static PyObject *py_encode(PyObject *self, PyObject *args)
{
    Strings out;
    Py_buffer codes, splits;
    Py_ssize_t start;
    int form;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*ny*iO&:encode", &codes, &start, &splits, &form, to_write, &out))
        return NULL;
    if (is_form(form) && fits(splits.len == 8 * (out.count + 1) && start >= 0 && start <= out.count))
        result = encode_all(codes.buf, codes.len / 4, splits.buf, start, form, &out);
    close_strings(&out);
    PyBuffer_Release(&codes);
    PyBuffer_Release(&splits);
    return result;
}

/* ---- strings to strings */

enum { LEFT_OUT = -2, REFUSED = -3 }; /* what a change may say instead of another code point */
enum { TABLED = 0x10000, UNCASED = 0x1F000 }; /* code points below are in tables of cases; from here on, there is none */

typedef struct {
    int32_t (*change)(const void *how, int32_t code);
    const void *how;
    int form;
    Strings *out;
} Rewriting;

static int32_t cleaned(const void *how, int32_t code)
{
    const Cleaning *cleaning = how;
    if (!is_bad(cleaning, code))
        return code;
    if (cleaning->is_strict || is_surrogate(cleaning->replacement))
        return REFUSED;
    return cleaning->replacement < 0 ? LEFT_OUT : cleaning->replacement;
}

/* how: the other case of each code point; -1 if it is more than one, or depends on others. */
static int32_t recased(const void *how, int32_t code)
{
    if (code == MALFORMED || (code >= TABLED && code < UNCASED))
        return REFUSED;
    code = code < TABLED ? ((const int32_t *)how)[code] : code;
    return code < 0 || is_surrogate(code) || code > LARGEST ? REFUSED : code;
}

/* How many bytes the result has; -1 to decline. */
static Py_ssize_t rewritten_size(Span text, const Rewriting *job, int *is_same)
{
    Py_ssize_t size = 0;
    *is_same = job->form == UTF_8;
    if (size_of(text) > PTRDIFF_MAX / 16)
        return -1;
    while (text.at < text.end) {
        int32_t code = take_character(&text), other = job->change(job->how, code);
        if (other == REFUSED)
            return -1;
        *is_same &= code == other;
        size += other == LEFT_OUT ? 0 : bytes_for(other, job->form);
    }
    return size;
}

static int rewrite(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    const Rewriting *job = given;
    int is_same;
    Py_ssize_t size = rewritten_size(text, job, &is_same);
    if (size < 0)
        return DECLINED;
    if (is_same)
        return put(job->out, at, Py_NewRef(item));
    PyObject *made = PyBytes_FromStringAndSize(NULL, size);
    if (made == NULL)
        return FAILED;
    uint8_t *to = (uint8_t *)PyBytes_AsString(made);
    while (text.at < text.end) {
        int32_t code = job->change(job->how, take_character(&text));
        to = code == LEFT_OUT ? to : write_code(to, code, job->form);
    }
    return put(job->out, at, made);
}

static PyObject *py_transcode(PyObject *self, PyObject *args)
{
    Strings strings, out;
    Py_ssize_t start;
    Cleaning cleaning;
    Rewriting job = {cleaned, &cleaning, UTF_8, &out};
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nppiiO&:transcode", to_read, &strings, &start, &cleaning.is_strict,
                          &cleaning.has_control, &cleaning.replacement, &job.form, to_write, &out))
        return NULL;
    if (is_form(job.form) && fits(cleaning.replacement <= LARGEST))
        result = walk_if(&strings, start, out.count, rewrite, &job);
    close_strings(&strings);
    close_strings(&out);
    return result;
}

static PyObject *py_recase(PyObject *self, PyObject *args)
{
    Strings strings, out;
    Py_buffer table;
    Py_ssize_t start;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&ny*O&:recase", to_read, &strings, &start, &table, to_write, &out))
        return NULL;
    Rewriting job = {recased, table.buf, UTF_8, &out};
    if (fits(table.len == 4 * TABLED))
        result = walk_if(&strings, start, out.count, rewrite, &job);
    close_strings(&strings);
    close_strings(&out);
    PyBuffer_Release(&table);
    return result;
}

static PyMethodDef methods[] = {
    {"decode", py_decode, METH_VARARGS,
     "decode(strings, is_strict, has_control, replacement, codes, starts, splits): writes the code points of UTF-8 (int32),\n"
     "the byte where each begins in its string, and where the code points of each string begin (int64); how many there\n"
     "are. Malformed bytes, and control characters if has_control, become the replacement; they are left out if that is\n"
     "negative. -1 if is_strict and bytes are malformed."},
    {"encode", py_encode, METH_VARARGS,
     "encode(codes, start, splits, form, out): strings of code points; the form is 1 for UTF-8, 2 for UTF-16-BE, 4 for\n"
     "UTF-32-BE. Declines surrogates."},
    {"transcode", py_transcode, METH_VARARGS,
     "transcode(strings, start, is_strict, has_control, replacement, form, out): strings of UTF-8 in another form, cleaned\n"
     "as by decode; declines what is_strict forbids."},
    {"recase", py_recase, METH_VARARGS,
     "recase(strings, start, table, out): strings of UTF-8 in upper or lower case. table has an int32 for each of the first\n"
     "65536 code points: its other case, or -1 to decline."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(unicode, "The inner loops of reading and writing UTF-8.")
