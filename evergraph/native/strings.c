/* The inner loops of ops on strings: lengths, case, parts, joints, pieces, base64, hashes, comparisons and tables.

   strings.h says how functions take arrays of strings and what they decline. Everything here has a twin in Python that
   decides what is right, in ops/strings, ops/arrays/search.py, ops/arrays/entries.py, ops/state/hash_table.py and
   kernel/values.py.

   It is for the row `string_split of words` of benchmarks.
*/

#include "hashes.h"
#include "strings.h"
#include <stdlib.h>

/* What the loops for one string know beside it. */
typedef struct {
    Strings *out;
    void *numbers;
    int choice;
} Job;

static int is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/* ---- lengths */

static int length_of(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Job *job = given;
    size_t size = size_of(text);
    (void)item;
    if (job->choice)
        for (const uint8_t *byte = text.at; byte < text.end; byte++)
            size -= is_continuation(*byte);
    if (size > INT32_MAX)
        return DECLINED;
    ((int32_t *)job->numbers)[at] = (int32_t)size;
    return FINE;
}

static PyObject *py_lengths(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer out;
    Py_ssize_t start;
    Job job = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&npw*:lengths", to_read, &strings, &start, &job.choice, &out))
        return NULL;
    job.numbers = out.buf;
    PyObject *result = walk_if(&strings, start, out.len / 4, length_of, &job);
    close_strings(&strings);
    PyBuffer_Release(&out);
    return result;
}

/* ---- from strings to strings */

static int strip(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    return put_part(((Job *)given)->out, at, item, text, stripped(text));
}

static uint8_t other_case(uint8_t byte, int is_upper)
{
    return (uint8_t)(byte ^ ((is_upper ? byte >= 'a' && byte <= 'z' : byte >= 'A' && byte <= 'Z') << 5));
}

/* choice: whether to upper case, or to lower case. */
static int recase(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Job *job = given;
    int is_upper = job->choice, differs = 0;
    for (const uint8_t *byte = text.at; byte < text.end; byte++)
        differs |= *byte ^ other_case(*byte, is_upper);
    if (!differs)
        return put(job->out, at, Py_NewRef(item));
    PyObject *made = PyBytes_FromStringAndSize(NULL, text.end - text.at); /* of its own, even if it is one byte */
    if (made == NULL)
        return FAILED;
    char *bytes = PyBytes_AsString(made);
    for (size_t i = 0; i < size_of(text); i++)
        bytes[i] = (char)other_case(text.at[i], is_upper);
    return put(job->out, at, made);
}

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* choice: whether the result is padded to whole groups of four letters. */
static int to_base64(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Job *job = given;
    size_t size = size_of(text), rest = size % 3;
    if (size > PTRDIFF_MAX / 2)
        return DECLINED;
    PyObject *made = PyBytes_FromStringAndSize(
        NULL, (Py_ssize_t)(size / 3 * 4 + (rest == 0 ? 0 : job->choice ? 4 : rest + 1)));
    (void)item;
    if (made == NULL)
        return FAILED;
    char *letter = PyBytes_AsString(made), *end = letter + PyBytes_Size(made);
    for (; size_of(text) >= 3; text.at += 3) {
        uint32_t group = (uint32_t)text.at[0] << 16 | (uint32_t)text.at[1] << 8 | text.at[2];
        for (int shift = 18; shift >= 0; shift -= 6)
            *letter++ = LETTERS[group >> shift & 63];
    }
    if (rest) {
        uint32_t group = (uint32_t)text.at[0] << 16 | (rest == 2 ? (uint32_t)text.at[1] << 8 : 0);
        for (size_t i = 0; i <= rest; i++)
            *letter++ = LETTERS[group >> (18 - 6 * i) & 63];
    }
    while (letter < end)
        *letter++ = '=';
    return put(job->out, at, made);
}

static int value_of_letter(uint8_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    return letter == '-' ? 62 : letter == '_' ? 63 : -1;
}

static int from_base64(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Job *job = given;
    size_t size = size_of(text);
    (void)item;
    for (int pads = 0; size % 4 == 0 && pads < 2 && text.at < text.end && text.end[-1] == '='; pads++)
        text.end--;
    size = size_of(text);
    if (size % 4 == 1)
        return DECLINED;
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(size / 4 * 3 + (size % 4 ? size % 4 - 1 : 0)));
    if (made == NULL)
        return FAILED;
    uint8_t *byte = (uint8_t *)PyBytes_AsString(made);
    uint32_t held = 0;
    int bits = 0;
    for (; text.at < text.end; text.at++) {
        int value = value_of_letter(*text.at);
        if (value < 0) {
            Py_DECREF(made);
            return DECLINED;
        }
        held = held << 6 | (uint32_t)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *byte++ = (uint8_t)(held >> bits);
        }
    }
    return put(job->out, at, made);
}

static PyObject *changed(PyObject *args, const char *form, Each each, int choice)
{
    Strings strings, out;
    Py_ssize_t start;
    Job job = {&out, NULL, choice};
    if (!PyArg_ParseTuple(args, form, to_read, &strings, &start, to_write, &out))
        return NULL;
    PyObject *result = walk_if(&strings, start, out.count, each, &job);
    close_strings(&strings);
    close_strings(&out);
    return result;
}

#define CHANGE(NAME, EACH, CHOICE)                              \
    static PyObject *py_##NAME(PyObject *self, PyObject *args)  \
    {                                                           \
        (void)self;                                             \
        return changed(args, "O&nO&:" #NAME, EACH, CHOICE);     \
    }

CHANGE(strip, strip, 0)
CHANGE(lower, recase, 0)
CHANGE(upper, recase, 1)
CHANGE(to_base64, to_base64, 0)
CHANGE(to_padded_base64, to_base64, 1)
CHANGE(from_base64, from_base64, 0)

/* ---- parts */

/* Numbers of 64 bits, one for each string or one for all. */
typedef struct {
    const int64_t *numbers;
    int step;
} Given;

static int64_t given_at(Given given, Py_ssize_t at) { return given.numbers[at * given.step]; }

static int fits_each(const Py_buffer *numbers, Py_ssize_t count, Given *given)
{
    given->numbers = numbers->buf;
    given->step = numbers->len != 8;
    return numbers->len == 8 || numbers->len == 8 * count;
}

typedef struct {
    Strings *out;
    Given starts, sizes;
    int in_characters;
} Parts;

/* The place of character number `count`, or the end. */
static const uint8_t *skipped(Span text, int64_t count)
{
    for (; text.at < text.end && count > 0; count--) {
        text.at++;
        while (text.at < text.end && is_continuation(*text.at))
            text.at++;
    }
    return text.at;
}

/* Bytes that continue no character count as the beginning of the first one. */
static int64_t characters(Span text)
{
    int64_t count = 0;
    for (const uint8_t *byte = text.at; byte < text.end; byte++)
        count += byte == text.at || !is_continuation(*byte);
    return count;
}

static int cut(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Parts *job = given;
    int64_t start = given_at(job->starts, at), size = given_at(job->sizes, at), length;
    Span part;
    length = job->in_characters ? characters(text) : (int64_t)size_of(text);
    if (start < -length || start > length)
        return DECLINED;
    start += start < 0 ? length : 0;
    if (job->in_characters) {
        part.at = skipped(text, start);
        part.end = skipped((Span){part.at, text.end}, size);
    } else {
        part.at = text.at + start;
        part.end = size < 0 || size > length - start ? text.end : part.at + size;
    }
    return put_part(job->out, at, item, text, part);
}

static PyObject *py_cut(PyObject *self, PyObject *args)
{
    Strings strings, out;
    Py_buffer starts, sizes;
    Py_ssize_t start;
    Parts job = {.out = &out};
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&ny*y*pO&:cut", to_read, &strings, &start, &starts, &sizes, &job.in_characters, to_write,
                          &out))
        return NULL;
    if (fits(fits_each(&starts, strings.count, &job.starts) && fits_each(&sizes, strings.count, &job.sizes)))
        result = walk_if(&strings, start, out.count, cut, &job);
    close_strings(&strings);
    close_strings(&out);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&sizes);
    return result;
}

/* ---- joints */

/* Which strings are joined: every `step`th one of some. */
typedef struct {
    PyObject **items;
    Py_ssize_t count, step;
} Run;

/* How many bytes the joint has, or DECLINED. */
static int joint_size(const Run *run, Span separator, size_t *size)
{
    Span text;
    *size = 0;
    for (Py_ssize_t i = 0; i < run->count; i++) {
        if (!is_string(run->items[i * run->step], &text))
            return DECLINED;
        *size += size_of(text) + (i ? size_of(separator) : 0);
        if (*size > PTRDIFF_MAX / 2)
            return DECLINED;
    }
    return FINE;
}

static char *append(char *to, Span text)
{
    memcpy(to, text.at, size_of(text));
    return to + size_of(text);
}

static int join(const Run *run, Span separator, PyObject **made)
{
    size_t size;
    if (joint_size(run, separator, &size) != FINE)
        return DECLINED;
    if (run->count == 1) {
        *made = Py_NewRef(run->items[0]);
        return FINE;
    }
    *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (*made == NULL)
        return FAILED;
    char *to = PyBytes_AsString(*made);
    for (Py_ssize_t i = 0; i < run->count; i++) {
        to = i ? append(to, separator) : to;
        to = append(to, text_of(run->items[i * run->step]));
    }
    return FINE;
}

static PyObject *join_all(const Strings *strings, Py_ssize_t at, const int64_t *starts, const int64_t *ends, Py_ssize_t step,
                          Span separator, Strings *out)
{
    for (; at < out->count; at++) {
        PyObject *made = NULL;
        if (!fits(starts[at] >= 0 && starts[at] <= ends[at] && ends[at] <= strings->count))
            return NULL;
        Run run = {strings->items + starts[at], (Py_ssize_t)((ends[at] - starts[at] + step - 1) / step), step};
        int status = join(&run, separator, &made);
        if (status == FAILED)
            return NULL;
        if (status == DECLINED)
            break;
        put(out, at, made);
    }
    return PyLong_FromSsize_t(at);
}

static PyObject *py_join(PyObject *self, PyObject *args)
{
    Strings strings, out;
    Py_buffer starts, ends;
    PyObject *separator, *result = NULL;
    Py_ssize_t start, step;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&ny*y*nO!O&:join", to_read, &strings, &start, &starts, &ends, &step, &PyBytes_Type,
                          &separator, to_write, &out))
        return NULL;
    if (fits(starts.len == 8 * out.count && ends.len == 8 * out.count && start >= 0 && start <= out.count && step > 0
             && step <= INT32_MAX))
        result = join_all(&strings, start, starts.buf, ends.buf, step, text_of(separator), &out);
    close_strings(&strings);
    close_strings(&out);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return result;
}

/* ---- pieces */

enum { AT_ANY, AT_ANY_KEEPING_EMPTY, INTO_BYTES, AT_SPACES, AT_SEPARATOR };

typedef struct {
    int mode;
    int64_t most; /* splits; negative for any number */
    Span separator;
    uint8_t is_end[256];
} Splitter;

/* What is left of a string, and how many pieces it has given. */
typedef struct {
    Span rest;
    int64_t made;
    int is_done;
} Left;

static Span up_to(const Splitter *splitter, Left *left)
{
    Span piece = {left->rest.at, left->rest.at};
    while (piece.end < left->rest.end && !splitter->is_end[*piece.end])
        piece.end++;
    left->rest.at = piece.end;
    return piece;
}

static void skip_ends(const Splitter *splitter, Span *rest)
{
    while (rest->at < rest->end && splitter->is_end[*rest->at])
        rest->at++;
}

static const uint8_t *find(Span text, Span wanted)
{
    size_t size = size_of(wanted);
    while (size_of(text) >= size) {
        const uint8_t *at = memchr(text.at, *wanted.at, size_of(text) - size + 1);
        if (at == NULL || memcmp(at, wanted.at, size) == 0)
            return at;
        text.at = at + 1;
    }
    return NULL;
}

static int next_at_any(const Splitter *splitter, Left *left, Span *piece)
{
    skip_ends(splitter, &left->rest);
    *piece = up_to(splitter, left);
    return piece->at < piece->end;
}

static int next_keeping_empty(const Splitter *splitter, Left *left, Span *piece)
{
    if (left->is_done || (left->made == 0 && left->rest.at == left->rest.end)) /* an empty string has no pieces */
        return 0;
    *piece = up_to(splitter, left);
    left->is_done = left->rest.at == left->rest.end;
    left->rest.at += !left->is_done;
    return 1;
}

static int next_byte(Left *left, Span *piece)
{
    *piece = (Span){left->rest.at, left->rest.at + 1};
    return left->rest.at++ < left->rest.end;
}

/* The rest behind the last split counts even if it is empty. */
static int next_word(const Splitter *splitter, Left *left, Span *piece)
{
    if (left->is_done)
        return 0;
    if (splitter->most != 0)
        skip_ends(splitter, &left->rest);
    if (splitter->most >= 0 && left->made == splitter->most) {
        *piece = left->rest;
        left->is_done = 1;
        return 1;
    }
    *piece = up_to(splitter, left);
    return piece->at < piece->end;
}

static int next_at_separator(const Splitter *splitter, Left *left, Span *piece)
{
    if (left->is_done)
        return 0;
    const uint8_t *end = splitter->most >= 0 && left->made == splitter->most ? NULL : find(left->rest, splitter->separator);
    left->is_done = end == NULL;
    *piece = (Span){left->rest.at, end ? end : left->rest.end};
    left->rest.at = end ? end + size_of(splitter->separator) : left->rest.end;
    return 1;
}

static int next_piece(const Splitter *splitter, Left *left, Span *piece)
{
    int is_there = splitter->mode == AT_ANY                 ? next_at_any(splitter, left, piece)
                   : splitter->mode == AT_ANY_KEEPING_EMPTY ? next_keeping_empty(splitter, left, piece)
                   : splitter->mode == INTO_BYTES           ? next_byte(left, piece)
                   : splitter->mode == AT_SPACES            ? next_word(splitter, left, piece)
                                                            : next_at_separator(splitter, left, piece);
    left->made += is_there;
    return is_there;
}

static int make_splitter(Splitter *splitter, PyObject *separator)
{
    splitter->separator = text_of(separator);
    memset(splitter->is_end, 0, sizeof splitter->is_end);
    for (const uint8_t *byte = splitter->separator.at; byte < splitter->separator.end; byte++)
        splitter->is_end[*byte] = 1;
    if (splitter->mode == AT_SPACES)
        for (int byte = 0; byte < 256; byte++)
            splitter->is_end[byte] = (uint8_t)is_space((uint8_t)byte);
    return fits(splitter->mode >= AT_ANY && splitter->mode <= AT_SEPARATOR
                && (splitter->mode != AT_SEPARATOR || size_of(splitter->separator)));
}

static PyObject *count_pieces(const Strings *strings, const Splitter *splitter, int64_t *widths)
{
    Py_ssize_t total = 0;
    for (Py_ssize_t at = 0; at < strings->count; at++) {
        Left left = {{NULL, NULL}, 0, 0};
        Span piece;
        if (span_of(strings->items[at], &left.rest) < 0)
            return NULL;
        while (next_piece(splitter, &left, &piece))
            ;
        widths[at] = left.made;
        total += (Py_ssize_t)left.made;
    }
    return PyLong_FromSsize_t(total);
}

/* Writes pieces and their places (row, column); raises unless they fill the arrays. */
static int write_pieces(const Strings *strings, const Splitter *splitter, Strings *out, int64_t *places)
{
    Py_ssize_t total = 0;
    for (Py_ssize_t at = 0; at < strings->count; at++) {
        Left left = {{NULL, NULL}, 0, 0};
        Span piece, text;
        if (span_of(strings->items[at], &text) < 0)
            return FAILED;
        for (left.rest = text; next_piece(splitter, &left, &piece); total++) {
            if (!fits(total < out->count) || put_part(out, total, strings->items[at], text, piece) != FINE)
                return FAILED;
            places[2 * total] = at;
            places[2 * total + 1] = left.made - 1;
        }
    }
    return fits(total == out->count) ? FINE : FAILED;
}

static PyObject *py_count_pieces(PyObject *self, PyObject *args)
{
    Strings strings;
    Splitter splitter;
    Py_buffer widths;
    PyObject *separator, *result = NULL;
    long long most;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&iO!Lw*:count_pieces", to_read, &strings, &splitter.mode, &PyBytes_Type, &separator, &most,
                          &widths))
        return NULL;
    splitter.most = most;
    if (make_splitter(&splitter, separator) && fits(widths.len == 8 * strings.count))
        result = count_pieces(&strings, &splitter, widths.buf);
    close_strings(&strings);
    PyBuffer_Release(&widths);
    return result;
}

static PyObject *py_split(PyObject *self, PyObject *args)
{
    Strings strings, out;
    Splitter splitter;
    Py_buffer places;
    PyObject *separator;
    long long most;
    int status = FAILED;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&iO!LO&w*:split", to_read, &strings, &splitter.mode, &PyBytes_Type, &separator, &most,
                          to_write, &out, &places))
        return NULL;
    splitter.most = most;
    if (make_splitter(&splitter, separator) && fits(places.len == 16 * out.count))
        status = write_pieces(&strings, &splitter, &out, places.buf);
    close_strings(&strings);
    close_strings(&out);
    PyBuffer_Release(&places);
    return status == FINE ? Py_NewRef(Py_None) : NULL;
}

/* ---- bytes as they are */

typedef struct {
    uint8_t *room;
    size_t size;
} Raw;

static int copy_raw(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Raw *job = given;
    (void)item;
    if (size_of(text) != job->size)
        return DECLINED;
    memcpy(job->room + (size_t)at * job->size, text.at, job->size);
    return FINE;
}

static PyObject *py_raw(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer out;
    Py_ssize_t start;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&nw*:raw", to_read, &strings, &start, &out))
        return NULL;
    Raw job = {out.buf, strings.count ? (size_t)(out.len / strings.count) : 0};
    if (fits(start >= 0 && start <= strings.count && out.len == strings.count * (Py_ssize_t)job.size))
        result = walk(&strings, start, copy_raw, &job);
    close_strings(&strings);
    PyBuffer_Release(&out);
    return result;
}

/* ---- hashes */

enum { FARM, MURMUR_64A, SIP };

typedef struct {
    int kind;
    uint64_t key[2], buckets, *out;
} Hashes;

static int hash(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Hashes *job = given;
    size_t size = size_of(text);
    uint64_t found = job->kind == FARM         ? fingerprint(text.at, size)
                     : job->kind == MURMUR_64A ? murmur(text.at, size)
                                               : siphash(job->key, text.at, size);
    (void)item;
    job->out[at] = job->buckets ? found % job->buckets : found;
    return FINE;
}

static PyObject *py_hashes(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer out;
    Py_ssize_t start;
    Hashes job;
    unsigned long long first, second, buckets;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&niKKKw*:hashes", to_read, &strings, &start, &job.kind, &first, &second, &buckets, &out))
        return NULL;
    job.key[0] = first;
    job.key[1] = second;
    job.buckets = buckets;
    job.out = out.buf;
    if (fits(job.kind >= FARM && job.kind <= SIP && out.len == 8 * strings.count))
        result = walk_if(&strings, start, strings.count, hash, &job);
    close_strings(&strings);
    PyBuffer_Release(&out);
    return result;
}

/* ---- comparisons */

static int are_same(Span a, Span b)
{
    return size_of(a) == size_of(b) && memcmp(a.at, b.at, size_of(a)) == 0;
}

static PyObject *py_others(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer unwanted, out;
    Py_ssize_t found = 0, at = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&y*w*:others", to_read, &strings, &unwanted, &out))
        return NULL;
    Span text, other = {unwanted.buf, (const uint8_t *)unwanted.buf + unwanted.len};
    if (fits(out.len == 8 * strings.count))
        for (; at < strings.count && span_of(strings.items[at], &text) == 0; at++)
            if (!are_same(text, other))
                ((int64_t *)out.buf)[found++] = at;
    close_strings(&strings);
    PyBuffer_Release(&unwanted);
    PyBuffer_Release(&out);
    return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(found);
}

static PyObject *py_are_bytes(PyObject *self, PyObject *array)
{
    Strings strings;
    Py_ssize_t at = 0;
    (void)self;
    if (!to_read(array, &strings))
        return NULL;
    while (at < strings.count && strings.items[at] && PyBytes_CheckExact(strings.items[at]))
        at++;
    close_strings(&strings);
    return PyBool_FromLong(at == strings.count);
}

/* ---- distinct strings */

/* A place of the table: a string that came first, by its number, and the upper half of its hash. */
typedef struct {
    int32_t number;
    uint32_t hash;
} Place;

static int number_strings(const Strings *strings, Place *table, size_t places, int64_t *first, int64_t *numbers,
                          Py_ssize_t *found)
{
    Span text;
    for (Py_ssize_t i = 0; i < strings->count; i++) {
        if (span_of(strings->items[i], &text) < 0)
            return FAILED;
        uint64_t key = fingerprint(text.at, size_of(text));
        uint32_t upper = (uint32_t)(key >> 32);
        size_t at = (size_t)key & (places - 1);
        for (; table[at].number >= 0; at = (at + 1) & (places - 1)) {
            if (table[at].hash != upper)
                continue;
            if (are_same(text, text_of(strings->items[first[table[at].number]])))
                break;
        }
        if (table[at].number < 0) {
            table[at] = (Place){(int32_t)*found, upper};
            first[(*found)++] = i;
        }
        numbers[i] = table[at].number;
    }
    return FINE;
}

static PyObject *py_distinct(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer first, numbers;
    Py_ssize_t found = 0;
    size_t places = 16;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "O&w*w*:distinct", to_read, &strings, &first, &numbers))
        return NULL;
    while (places < 2 * (size_t)strings.count)
        places *= 2;
    if (fits(first.len == 8 * strings.count && numbers.len == first.len && strings.count < INT32_MAX)) {
        Place *table = malloc(places * sizeof *table);
        if (table == NULL)
            PyErr_NoMemory();
        else {
            memset(table, 0xFF, places * sizeof *table);
            if (number_strings(&strings, table, places, first.buf, numbers.buf, &found) == FINE)
                result = PyLong_FromSsize_t(found);
        }
        free(table);
    }
    close_strings(&strings);
    PyBuffer_Release(&first);
    PyBuffer_Release(&numbers);
    return result;
}

/* ---- tables */

/* An array of objects or of integers of 64 bits, for keys or values. */
static int is_of_objects(const Py_buffer *array) { return array->format && strcmp(array->format, "O") == 0; }

static int is_held(const Py_buffer *array)
{
    if (array->itemsize == 8 && array->format && strchr("Olq", *array->format) && !array->format[1])
        return 1;
    PyErr_SetString(PyExc_TypeError, "an array of objects or of integers of 64 bits is wanted");
    return 0;
}

static PyObject *key_at(const Py_buffer *keys, Py_ssize_t at)
{
    if (!is_of_objects(keys))
        return PyLong_FromLongLong(((const int64_t *)keys->buf)[at]);
    PyObject *key = ((PyObject **)keys->buf)[at];
    return Py_NewRef(key ? key : Py_None);
}

static int put_value(Py_buffer *out, Py_ssize_t at, PyObject *value)
{
    if (is_of_objects(out)) {
        Strings strings = {.items = out->buf};
        return put(&strings, at, Py_NewRef(value));
    }
    long long number = PyLong_AsLongLong(value);
    ((int64_t *)out->buf)[at] = number;
    return number == -1 && PyErr_Occurred() ? FAILED : FINE;
}

static int look_up(PyObject *entries, const Py_buffer *keys, PyObject *spare, Py_buffer *out)
{
    int status = FINE;
    for (Py_ssize_t at = 0; at < out->len / 8 && status == FINE; at++) {
        PyObject *key = key_at(keys, at), *value = key ? PyDict_GetItemWithError(entries, key) : NULL;
        status = value == NULL && PyErr_Occurred() ? FAILED : put_value(out, at, value ? value : spare);
        Py_XDECREF(key);
    }
    return status;
}

static PyObject *py_look_up(PyObject *self, PyObject *args)
{
    PyObject *entries, *given, *spare, *made;
    Py_buffer keys, out;
    int status = FAILED;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!OOO:look_up", &PyDict_Type, &entries, &given, &spare, &made)
        || PyObject_GetBuffer(given, &keys, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    if (PyObject_GetBuffer(made, &out, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) == 0) {
        if (is_held(&keys) && is_held(&out) && fits(keys.len == out.len))
            status = look_up(entries, &keys, spare, &out);
        PyBuffer_Release(&out);
    }
    PyBuffer_Release(&keys);
    return status == FINE ? Py_NewRef(Py_None) : NULL;
}

static PyMethodDef methods[] = {
    {"lengths", py_lengths, METH_VARARGS,
     "lengths(strings, start, in_characters, out): writes lengths in bytes or in characters of UTF-8 as int32."},
    {"strip", py_strip, METH_VARARGS, "strip(strings, start, out): strings without white space at their ends."},
    {"lower", py_lower, METH_VARARGS, "lower(strings, start, out): strings with ASCII letters in lower case."},
    {"upper", py_upper, METH_VARARGS, "upper(strings, start, out): strings with ASCII letters in upper case."},
    {"to_base64", py_to_base64, METH_VARARGS, "to_base64(strings, start, out): strings in web-safe base64."},
    {"to_padded_base64", py_to_padded_base64, METH_VARARGS,
     "to_padded_base64(strings, start, out): strings in web-safe base64 with padding."},
    {"from_base64", py_from_base64, METH_VARARGS, "from_base64(strings, start, out): strings out of web-safe base64."},
    {"cut", py_cut, METH_VARARGS,
     "cut(strings, start, starts, sizes, in_characters, out): parts; declines where one begins outside of its string.\n"
     "starts and sizes have an int64 for each string, or one for all."},
    {"join", py_join, METH_VARARGS,
     "join(strings, start, starts, ends, step, separator, out): joins strings[starts[i]:ends[i]:step] for each i from start\n"
     "on."},
    {"count_pieces", py_count_pieces, METH_VARARGS,
     "count_pieces(strings, mode, separator, most, widths): writes how many pieces each string has; how many there are.\n"
     "Strings are split at any byte of the separator (0, and 1 if empty pieces count), into bytes (2), at white space (3)\n"
     "or at the separator (4); the latter two at most `most` times, unless that is negative."},
    {"split", py_split, METH_VARARGS,
     "split(strings, mode, separator, most, out, places): writes the pieces, and row and column of each as int64."},
    {"raw", py_raw, METH_VARARGS,
     "raw(strings, start, out): copies strings one after another; declines those that do not have the size of the others."},
    {"hashes", py_hashes, METH_VARARGS,
     "hashes(strings, start, kind, key, key, buckets, out): uint64 hashes, modulo buckets unless that is 0; the kind is\n"
     "FarmHash's Fingerprint64 (0), MurmurHash64A (1) or SipHash-2-4 with the two halves of a key (2)."},
    {"others", py_others, METH_VARARGS,
     "others(strings, unwanted, out): where the strings of an array differ from one; how many do."},
    {"are_bytes", py_are_bytes, METH_O, "are_bytes(array): whether all elements of an array are bytes objects."},
    {"distinct", py_distinct, METH_VARARGS,
     "distinct(strings, first, numbers): writes where each distinct string comes first and the number of every string\n"
     "among them; how many there are."},
    {"look_up", py_look_up, METH_VARARGS,
     "look_up(entries, keys, spare, out): the value of each key in a dict, or the spare one; keys and values are arrays\n"
     "of objects or of int64."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(strings, "The inner loops of ops on strings.")
