/* The inner loops of sparse features: distinct numbers, empty rows, crosses, sums of rows.

   Everything here has a twin in Python that decides what is right: ops/arrays/search.py, ops/sparse/sparse.py,
   ops/sparse/bags.py, ops/sparse/cross.py, ops/arrays/segment.py and kernel/ids.py. The buffers are arrays that the twins
   make, but their sizes are compared all the same.

   It is for the row `Wide&Deep step, batch 40` of benchmarks.
*/

#include "hashes.h"
#include "strings.h"
#include <math.h>
#include <stdlib.h>

#define MUCH 4096 /* elements from which releasing the interpreter's lock is worth it */

/* ---- integers of 32 or 64 bits */

static int64_t number(const void *data, int wide, Py_ssize_t at)
{
    return wide ? ((const int64_t *)data)[at] : ((const int32_t *)data)[at];
}

/* ---- distinct numbers */

static Py_ssize_t distinct(const void *keys, int wide, Py_ssize_t count, int32_t *table, size_t places, int64_t *first,
                           int64_t *numbers)
{
    Py_ssize_t found = 0;
    memset(table, 0xFF, places * sizeof *table);
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t key = number(keys, wide, i);
        size_t at = (size_t)(((uint64_t)key * 0x9E3779B97F4A7C15u) >> 32) & (places - 1);
        while (table[at] >= 0 && number(keys, wide, first[table[at]]) != key)
            at = (at + 1) & (places - 1);
        if (table[at] < 0) {
            table[at] = (int32_t)found;
            first[found++] = i;
        }
        numbers[i] = table[at];
    }
    return found;
}

static PyObject *py_distinct(PyObject *self, PyObject *args)
{
    Py_buffer keys, first, numbers;
    int wide;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*pw*w*:distinct", &keys, &wide, &first, &numbers))
        return NULL;
    Py_ssize_t count = keys.len / (wide ? 8 : 4);
    if (first.len != 8 * count || numbers.len != 8 * count || count > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "each of up to 2^31 - 1 keys has room for two numbers of 64 bits");
        goto done;
    }
    size_t places = 16;
    while (places < 2 * (size_t)count)
        places *= 2;
    int32_t *table = malloc(places * sizeof *table);
    if (!table) {
        PyErr_NoMemory();
        goto done;
    }
    PyThreadState *saved = count >= MUCH ? PyEval_SaveThread() : NULL;
    Py_ssize_t found = distinct(keys.buf, wide, count, table, places, first.buf, numbers.buf);
    if (saved)
        PyEval_RestoreThread(saved);
    free(table);
    result = PyLong_FromSsize_t(found);
done:
    PyBuffer_Release(&keys);
    PyBuffer_Release(&first);
    PyBuffer_Release(&numbers);
    return result;
}

/* ---- empty rows */

/* Counts the entries of each row; the first entry outside of the rows, or -1. */
static Py_ssize_t counted(const int64_t *indices, Py_ssize_t entries, Py_ssize_t rank, int64_t rows, int64_t *ends)
{
    memset(ends, 0, (size_t)(rows + 1) * sizeof *ends);
    for (Py_ssize_t i = 0; i < entries; i++) {
        int64_t row = indices[i * rank];
        if (row < 0 || row >= rows)
            return i;
        ends[row + 1]++;
    }
    return -1;
}

static PyObject *py_fill_empty_rows(PyObject *self, PyObject *args)
{
    Py_buffer indices, empty, places, added;
    long long rows;
    Py_ssize_t rank;
    PyObject *result = NULL;
    int64_t *ends = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*nLw*w*w*:fill_empty_rows", &indices, &rank, &rows, &empty, &places, &added))
        return NULL;
    Py_ssize_t entries = places.len / 8;
    if (rank < 1 || rows < 0 || indices.len != TIMES(8, rank, entries) || empty.len != rows
        || added.len != times(8, rows)) {
        PyErr_SetString(PyExc_ValueError, "the buffers are for other numbers of rows and entries");
        goto done;
    }
    ends = memory_for(plus(rows, 1), sizeof *ends);
    if (!ends) {
        PyErr_NoMemory();
        goto done;
    }
    const int64_t *at = indices.buf;
    Py_ssize_t outside = counted(at, entries, rank, rows, ends), found = 0;
    if (outside >= 0) {
        result = PyLong_FromSsize_t(-1 - outside);
        goto done;
    }
    char *is_empty = empty.buf;
    int64_t *place = places.buf, *filled = added.buf;
    for (long long row = 0; row < rows; row++) { /* ends[row] becomes where the row's next entry goes */
        is_empty[row] = !ends[row + 1];
        if (is_empty[row])
            filled[found++] = ends[row]; /* where the added entry goes; its row number follows from `empty` */
        ends[row + 1] += ends[row] + is_empty[row];
    }
    for (Py_ssize_t i = 0; i < entries; i++)
        place[i] = ends[at[i * rank]]++;
    result = PyLong_FromSsize_t(found);
done:
    free(ends);
    PyBuffer_Release(&indices);
    PyBuffer_Release(&empty);
    PyBuffer_Release(&places);
    PyBuffer_Release(&added);
    return result;
}

/* ---- bags of ids */

typedef struct {
    int64_t *ends, *ids, *first, *numbers;
    int32_t *table;
    size_t places;
} Scratch;

static int make_scratch(Scratch *scratch, int64_t rows, Py_ssize_t most)
{
    scratch->places = 16;
    while (scratch->places < 2 * (size_t)most)
        scratch->places *= 2;
    scratch->ends = malloc(((size_t)rows + 1 + 3 * (size_t)most) * sizeof(int64_t) + scratch->places * sizeof(int32_t));
    if (!scratch->ends)
        return 0;
    scratch->ids = scratch->ends + rows + 1;
    scratch->first = scratch->ids + most;
    scratch->numbers = scratch->first + most;
    scratch->table = (int32_t *)(scratch->numbers + most);
    return 1;
}

/* Sorts the ids that are not negative by row, with one more for each row that has none; how many, or -1 for a bad row.
   Without `segments` and `empty` the number of each entry is sorted in place of its id. */
static Py_ssize_t bagged(const int64_t *indices, Py_ssize_t entries, Py_ssize_t rank, const int64_t *values,
                         int64_t filler, int64_t rows, Scratch *scratch, int32_t *segments, char *empty)
{
    int64_t *ends = scratch->ends;
    memset(ends, 0, (size_t)(rows + 1) * sizeof *ends);
    for (Py_ssize_t i = 0; i < entries; i++) {
        int64_t row = indices[i * rank];
        if (values[i] < 0)
            continue;
        if (row < 0 || row >= rows)
            return -1;
        ends[row + 1]++;
    }
    for (int64_t row = 0; row < rows; row++) { /* ends[row] becomes where the row's next id goes */
        int is_empty = !ends[row + 1];
        if (is_empty) {
            scratch->ids[ends[row]] = filler;
            if (segments)
                segments[ends[row]] = (int32_t)row;
        }
        if (empty)
            empty[row] = (char)is_empty;
        ends[row + 1] += ends[row] + is_empty;
    }
    Py_ssize_t total = (Py_ssize_t)ends[rows];
    for (Py_ssize_t i = 0; i < entries; i++)
        if (values[i] >= 0) {
            int64_t row = indices[i * rank], place = ends[row]++;
            scratch->ids[place] = segments ? values[i] : (int64_t)i;
            if (segments)
                segments[place] = (int32_t)row;
        }
    return total;
}

/* Writes the distinct ids, and the number of each id among them; how many distinct ones there are. */
static Py_ssize_t number_ids(const Scratch *scratch, Py_ssize_t total, int64_t *ids, int32_t *places)
{
    Py_ssize_t found = distinct(scratch->ids, 1, total, scratch->table, scratch->places, scratch->first, scratch->numbers);
    for (Py_ssize_t i = 0; i < found; i++)
        ids[i] = scratch->ids[scratch->first[i]];
    for (Py_ssize_t i = 0; i < total; i++)
        places[i] = (int32_t)scratch->numbers[i];
    return found;
}

static PyObject *py_bags(PyObject *self, PyObject *args)
{
    Py_buffer indices, values, segments, ids, places, empty;
    long long filler, rows;
    Py_ssize_t rank, total = -1, found = 0;
    PyObject *result = NULL;
    Scratch scratch = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "y*ny*LLw*w*w*w*:bags", &indices, &rank, &values, &filler, &rows, &segments, &ids, &places,
                          &empty))
        return NULL;
    Py_ssize_t entries = values.len / 8, most = (Py_ssize_t)plus(entries, rows);
    if (rank < 1 || rows < 0 || most < 0 || most > INT32_MAX || indices.len != TIMES(8, rank, entries) ||
        empty.len != rows || segments.len != 4 * most || ids.len != 8 * most || places.len != 4 * most) {
        PyErr_SetString(PyExc_ValueError, "the buffers are for other numbers of rows and entries");
        goto done;
    }
    if (!make_scratch(&scratch, rows, most)) {
        PyErr_NoMemory();
        goto done;
    }
    PyThreadState *saved = entries >= MUCH ? PyEval_SaveThread() : NULL;
    total = bagged(indices.buf, entries, rank, values.buf, filler, rows, &scratch, segments.buf, empty.buf);
    if (total >= 0)
        found = number_ids(&scratch, total, ids.buf, places.buf);
    if (saved)
        PyEval_RestoreThread(saved);
    result = Py_BuildValue("nn", total, found);
done:
    free(scratch.ends);
    PyBuffer_Release(&indices);
    PyBuffer_Release(&values);
    PyBuffer_Release(&segments);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&places);
    PyBuffer_Release(&empty);
    return result;
}

static PyObject *py_bag_order(PyObject *self, PyObject *args)
{
    Py_buffer indices, values, order;
    long long rows;
    Py_ssize_t rank, total = -1;
    PyObject *result = NULL;
    Scratch scratch = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "y*ny*Lw*:bag_order", &indices, &rank, &values, &rows, &order))
        return NULL;
    Py_ssize_t entries = values.len / 8, most = (Py_ssize_t)plus(entries, rows);
    if (rank < 1 || rows < 0 || most < 0 || most > INT32_MAX || indices.len != TIMES(8, rank, entries) ||
        order.len != 8 * most) {
        PyErr_SetString(PyExc_ValueError, "the buffers are for other numbers of rows and entries");
    } else if (!make_scratch(&scratch, rows, most)) {
        PyErr_NoMemory();
    } else {
        total = bagged(indices.buf, entries, rank, values.buf, entries, rows, &scratch, NULL, NULL);
        if (total > 0)
            memcpy(order.buf, scratch.ids, (size_t)total * sizeof(int64_t));
        result = PyLong_FromSsize_t(total);
    }
    free(scratch.ends);
    PyBuffer_Release(&indices);
    PyBuffer_Release(&values);
    PyBuffer_Release(&order);
    return result;
}

static int are_same(Span a, Span b) { return size_of(a) == size_of(b) && memcmp(a.at, b.at, size_of(a)) == 0; }

/* The buckets of the strings of each row that are not `unwanted`, and the filler for a row that has none; how many there
   are, or -1 and a TypeError if something is no string. */
static Py_ssize_t hashed(const Strings *strings, Py_ssize_t rows, Span unwanted, uint64_t buckets, int64_t filler,
                         int64_t *ids, int32_t *segments, char *empty)
{
    Py_ssize_t total = 0, each = rows ? strings->count / rows : 0;
    for (Py_ssize_t row = 0, at = 0; row < rows; row++) {
        Py_ssize_t before = total;
        for (Py_ssize_t end = at + each; at < end; at++) {
            Span text;
            if (span_of(strings->items[at], &text) < 0)
                return -1;
            if (!are_same(text, unwanted))
                ids[total++] = (int64_t)(fingerprint(text.at, size_of(text)) % buckets);
        }
        empty[row] = total == before;
        if (empty[row])
            ids[total++] = filler;
        for (; before < total; before++)
            segments[before] = (int32_t)row;
    }
    return total;
}

static PyObject *py_hashed_bags(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer unwanted, segments, ids, places, empty;
    unsigned long long buckets;
    long long filler;
    PyObject *result = NULL;
    Scratch scratch = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&y*KLw*w*w*w*:hashed_bags", to_read, &strings, &unwanted, &buckets, &filler, &segments,
                          &ids, &places, &empty))
        return NULL;
    Py_ssize_t rows = empty.len, most = strings.count > rows ? strings.count : rows;
    if (!buckets || buckets > INT64_MAX || most > INT32_MAX || (rows ? strings.count % rows : strings.count) ||
        segments.len != 4 * most || ids.len != 8 * most || places.len != 4 * most) {
        PyErr_SetString(PyExc_ValueError, "the buffers are for other numbers of rows and strings");
    } else if (!make_scratch(&scratch, 0, most)) {
        PyErr_NoMemory();
    } else {
        Span other = {unwanted.buf, (const uint8_t *)unwanted.buf + unwanted.len};
        Py_ssize_t total = hashed(&strings, rows, other, buckets, filler, scratch.ids, segments.buf, empty.buf);
        if (total >= 0)
            result = Py_BuildValue("nn", total, number_ids(&scratch, total, ids.buf, places.buf));
    }
    free(scratch.ends);
    close_strings(&strings);
    PyBuffer_Release(&unwanted);
    PyBuffer_Release(&segments);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&places);
    PyBuffer_Release(&empty);
    return result;
}

/* ---- crosses of columns */

typedef struct {
    Py_buffer counts;     /* how many values each row has */
    uint64_t *numbers;    /* what is crossed, in order of rows: integers, or fingerprints of strings */
    const uint64_t *next; /* the numbers of the row at hand */
} Column;

/* Fingerprints of strings, with room for one more; NULL and an error of Python if one is none. */
static uint64_t *fingerprints(PyObject *array, Py_ssize_t *count)
{
    Strings strings;
    if (!to_read(array, &strings))
        return NULL;
    uint64_t *numbers = PyMem_Malloc(((size_t)strings.count + 1) * sizeof *numbers);
    Span text;
    *count = strings.count;
    for (Py_ssize_t at = 0; numbers && at < strings.count; at++) {
        if (span_of(strings.items[at], &text) < 0) {
            PyMem_Free(numbers);
            numbers = NULL;
            break;
        }
        numbers[at] = fingerprint(text.at, size_of(text));
    }
    close_strings(&strings);
    return numbers || PyErr_Occurred() ? numbers : (uint64_t *)PyErr_NoMemory();
}

static uint64_t *integers(PyObject *array, Py_ssize_t *count)
{
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS) < 0)
        return NULL;
    uint64_t *numbers = PyMem_Malloc((size_t)view.len + 1);
    *count = view.len / 8;
    if (numbers)
        memcpy(numbers, view.buf, (size_t)view.len);
    PyBuffer_Release(&view);
    return numbers ? numbers : (uint64_t *)PyErr_NoMemory();
}

/* Takes a column of a list: what is crossed, whether these are strings, and how many each row has. */
static int take_column(PyObject *given, Column *column)
{
    PyObject *values;
    int are_strings;
    Py_ssize_t count = 0;
    if (!PyArg_ParseTuple(given, "Opy*", &values, &are_strings, &column->counts))
        return 0;
    int64_t sum = 0;
    for (Py_ssize_t row = 0; row < column->counts.len / 8; row++)
        sum += ((const int64_t *)column->counts.buf)[row];
    column->next = column->numbers = (are_strings ? fingerprints : integers)(values, &count);
    if (column->numbers && sum == count)
        return 1;
    if (column->numbers)
        PyErr_SetString(PyExc_ValueError, "the columns are for other numbers of rows and entries");
    PyMem_Free(column->numbers);
    PyBuffer_Release(&column->counts);
    return 0;
}

static uint64_t joined(uint64_t first, uint64_t second)
{
    uint64_t value = mixed(second * MURMUR) * MURMUR;
    value = (first ^ MURMUR ^ value) * MURMUR;
    return mixed(mixed(value) * MURMUR);
}

/* Writes the hashes of the combinations of a row; the last column varies fastest. */
static int64_t *cross_row(const Column *columns, Py_ssize_t count, Py_ssize_t row, uint64_t hash, uint64_t buckets,
                          int64_t *out)
{
    if (!count) {
        *out = (int64_t)(hash % buckets);
        return out + 1;
    }
    int64_t size = ((const int64_t *)columns->counts.buf)[row];
    for (int64_t i = 0; i < size; i++)
        out = cross_row(columns + 1, count - 1, row, joined(hash, columns->next[i]), buckets, out);
    return out;
}

static PyObject *py_cross(PyObject *self, PyObject *args)
{
    PyObject *given, *result = NULL;
    unsigned long long key, buckets;
    Py_buffer out;
    Column columns[32];
    Py_ssize_t held = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!KKw*:cross", &PyList_Type, &given, &key, &buckets, &out))
        return NULL;
    Py_ssize_t count = PyList_Size(given), rows = 0;
    int64_t total = 0;
    if (!buckets || !count || count > 32) {
        PyErr_SetString(PyExc_ValueError, "1 to 32 columns are crossed, into at least one bucket");
        goto done;
    }
    for (; held < count; held++) {
        if (!take_column(PyList_GetItem(given, held), columns + held))
            goto done;
        rows = columns[held].counts.len / 8;
        if (rows != columns->counts.len / 8) {
            PyErr_SetString(PyExc_ValueError, "the columns are for other numbers of rows and entries");
            held++;
            goto done;
        }
    }
    for (Py_ssize_t row = 0; row < rows; row++) {
        int64_t size = 1;
        for (Py_ssize_t i = 0; i < count; i++)
            size = times(size, ((const int64_t *)columns[i].counts.buf)[row]);
        total = plus(total, size);
    }
    if (out.len != times(8, total)) {
        PyErr_SetString(PyExc_ValueError, "the result is for another number of crosses");
        goto done;
    }
    int64_t *next = out.buf;
    for (Py_ssize_t row = 0; row < rows; row++) {
        next = cross_row(columns, count, row, key, buckets, next);
        for (Py_ssize_t i = 0; i < count; i++)
            columns[i].next += ((const int64_t *)columns[i].counts.buf)[row];
    }
    result = Py_NewRef(Py_None);
done:
    while (held--) {
        PyMem_Free(columns[held].numbers);
        PyBuffer_Release(&columns[held].counts);
    }
    PyBuffer_Release(&out);
    return result;
}

/* ---- sums, products and extrema of rows */

/* Of two numbers, NaN if one is. */
#define LARGER(a, b) ((a) >= (b) || (a) != (a) ? (a) : (b))
#define SMALLER(a, b) ((a) <= (b) || (a) != (a) ? (a) : (b))

#define REDUCE(EXPRESSION)                                                                                                \
    for (Py_ssize_t j = 0; j < width; j++)                                                                                \
        found[j] = EXPRESSION;                                                                                            \
    break;

#define REDUCE_ROWS(name, type)                                                                                           \
    static int name(const type *data, Py_ssize_t rows, Py_ssize_t width, const void *picks, int wide_picks,               \
                    const void *ids, int wide_ids, Py_ssize_t count, type *out, Py_ssize_t segments, int how)             \
    {                                                                                                                     \
        for (Py_ssize_t i = 0; i < count; i++) {                                                                          \
            int64_t from = picks ? number(picks, wide_picks, i) : i, to = number(ids, wide_ids, i);                       \
            if (to < 0)                                                                                                   \
                continue;                                                                                                 \
            if (from < 0 || from >= rows || to >= segments)                                                               \
                return 0;                                                                                                 \
            const type *row = data + from * width;                                                                        \
            type *found = out + to * width;                                                                               \
            switch (how) {                                                                                                \
            case 0:                                                                                                       \
                REDUCE(found[j] + row[j])                                                                                 \
            case 1:                                                                                                       \
                REDUCE(found[j] * row[j])                                                                                 \
            case 2:                                                                                                       \
                REDUCE(LARGER(found[j], row[j]))                                                                          \
            default:                                                                                                      \
                REDUCE(SMALLER(found[j], row[j]))                                                                         \
            }                                                                                                             \
        }                                                                                                                 \
        return 1;                                                                                                         \
    }

REDUCE_ROWS(reduce_floats, float)
REDUCE_ROWS(reduce_doubles, double)

static PyObject *py_reduce_rows(PyObject *self, PyObject *args)
{
    Py_buffer data, picks = {0}, ids, out;
    int is_double, wide_picks, wide_ids, how = 0, fine = 0;
    Py_ssize_t width;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*pnz*py*pw*|i:reduce_rows", &data, &is_double, &width, &picks, &wide_picks, &ids,
                          &wide_ids, &out, &how))
        return NULL;
    Py_ssize_t row = (Py_ssize_t)times(width, is_double ? 8 : 4), count = ids.len / (wide_ids ? 8 : 4);
    if (row < 1 || data.len % row || out.len % row || (picks.buf && picks.len / (wide_picks ? 8 : 4) != count) ||
        (!picks.buf && data.len / row != count)) {
        PyErr_SetString(PyExc_ValueError, "the buffers are for other numbers of rows");
        goto done;
    }
    PyThreadState *saved = count * width >= MUCH ? PyEval_SaveThread() : NULL;
    if (is_double)
        fine = reduce_doubles(data.buf, data.len / row, width, picks.buf, wide_picks, ids.buf, wide_ids, count, out.buf,
                              out.len / row, how);
    else
        fine = reduce_floats(data.buf, data.len / row, width, picks.buf, wide_picks, ids.buf, wide_ids, count, out.buf,
                             out.len / row, how);
    if (saved)
        PyEval_RestoreThread(saved);
    if (fine)
        result = Py_NewRef(Py_None);
    else
        PyErr_SetString(PyExc_IndexError, "a row number is out of range");
done:
    PyBuffer_Release(&data);
    if (picks.obj)
        PyBuffer_Release(&picks);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&out);
    return result;
}

/* Divides each row by the number of ids that name it, or by the root of that number; `exact` roots have 64 bits. */
#define DIVIDE_ROWS(name, type)                                                                                           \
    static void name(type *restrict data, Py_ssize_t rows, Py_ssize_t width, const int64_t *counts, int root, int exact)  \
    {                                                                                                                     \
        for (Py_ssize_t i = 0; i < rows; i++) {                                                                           \
            double divisor = root ? sqrt((double)counts[i]) : (double)counts[i];                                          \
            type rounded = (type)divisor, *row = data + i * width;                                                        \
            if (counts[i] < 2)                                                                                            \
                continue;                                                                                                 \
            for (Py_ssize_t j = 0; j < width; j++)                                                                        \
                row[j] = exact ? (type)(row[j] / divisor) : row[j] / rounded;                                             \
        }                                                                                                                 \
    }

DIVIDE_ROWS(divide_floats, float)
DIVIDE_ROWS(divide_doubles, double)

static PyObject *py_divide_rows(PyObject *self, PyObject *args)
{
    Py_buffer data, ids;
    int is_double, wide_ids, root, exact, fine = 1;
    Py_ssize_t width;
    (void)self;
    if (!PyArg_ParseTuple(args, "w*pny*ppp:divide_rows", &data, &is_double, &width, &ids, &wide_ids, &root, &exact))
        return NULL;
    Py_ssize_t row = (Py_ssize_t)times(width, is_double ? 8 : 4), rows = row < 1 ? 0 : data.len / row;
    Py_ssize_t count = ids.len / (wide_ids ? 8 : 4);
    int64_t *counts = calloc((size_t)rows + 1, sizeof *counts);
    for (Py_ssize_t i = 0; counts && fine && i < count; i++) {
        int64_t id = wide_ids ? ((const int64_t *)ids.buf)[i] : ((const int32_t *)ids.buf)[i];
        fine = id >= 0 && id < rows;
        if (fine)
            counts[id]++;
    }
    if (counts && fine && is_double)
        divide_doubles(data.buf, rows, width, counts, root, exact);
    else if (counts && fine)
        divide_floats(data.buf, rows, width, counts, root, exact);
    if (!counts)
        PyErr_NoMemory();
    else if (!fine)
        PyErr_SetString(PyExc_IndexError, "a row number is out of range");
    fine = fine && counts;
    free(counts);
    PyBuffer_Release(&data);
    PyBuffer_Release(&ids);
    return fine ? Py_NewRef(Py_None) : NULL;
}

/* ---- counts of ids */

#define COUNT_IDS(name, type)                                                                                             \
    static void name(const int64_t *ids, Py_ssize_t rows, Py_ssize_t each, int64_t depth, double on, type *restrict out)  \
    {                                                                                                                     \
        for (Py_ssize_t row = 0; row < rows; row++)                                                                       \
            for (Py_ssize_t i = 0; i < each; i++) {                                                                       \
                int64_t id = ids[row * each + i];                                                                         \
                if (id >= 0 && id < depth)                                                                                \
                    out[row * depth + id] += (type)on;                                                                    \
            }                                                                                                             \
    }

COUNT_IDS(count_floats, float)
COUNT_IDS(count_doubles, double)

static PyObject *py_count_ids(PyObject *self, PyObject *args)
{
    Py_buffer ids, out;
    Py_ssize_t each;
    long long depth;
    double on;
    int is_double;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*nLdpw*:count_ids", &ids, &each, &depth, &on, &is_double, &out))
        return NULL;
    Py_ssize_t rows = each > 0 ? ids.len / 8 / each : 0;
    int fits = depth > 0 && each >= 0 && TIMES(rows, depth, is_double ? 8 : 4) >= 0
        && out.len >= TIMES(rows, depth, is_double ? 8 : 4);
    if (fits && is_double)
        count_doubles(ids.buf, rows, each, depth, on, out.buf);
    else if (fits)
        count_floats(ids.buf, rows, each, depth, on, out.buf);
    PyBuffer_Release(&ids);
    PyBuffer_Release(&out);
    return fits ? Py_NewRef(Py_None) : PyErr_Format(PyExc_ValueError, "the buffers are for other numbers of rows");
}

/* ---- places of crosses */

static PyObject *py_count_rows(PyObject *self, PyObject *args)
{
    Py_buffer indices, counts;
    Py_ssize_t rank;
    int fine = 1;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*nw*:count_rows", &indices, &rank, &counts))
        return NULL;
    Py_ssize_t rows = counts.len / 8, entries = rank < 1 ? 0 : indices.len / 8 / rank;
    const int64_t *index = indices.buf;
    int64_t *count = counts.buf;
    memset(count, 0, (size_t)rows * sizeof *count);
    for (Py_ssize_t i = 0; fine && i < entries; i++) {
        int64_t row = index[i * rank];
        fine = row >= 0 && row < rows;
        if (fine)
            count[row]++;
    }
    PyBuffer_Release(&indices);
    PyBuffer_Release(&counts);
    return PyBool_FromLong(fine);
}

static PyObject *py_turns(PyObject *self, PyObject *args)
{
    Py_buffer counts, places;
    long long most = 0, total = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*w*:turns", &counts, &places))
        return NULL;
    const int64_t *count = counts.buf;
    int64_t *place = places.buf;
    Py_ssize_t rows = counts.len / 8, room = places.len / 16;
    for (Py_ssize_t row = 0; row < rows && total <= room; row++) {
        most = count[row] > most ? count[row] : most;
        total += count[row] > 0 ? count[row] : 0;
    }
    if (total == room)
        for (Py_ssize_t row = 0; row < rows; row++)
            for (int64_t turn = 0; turn < count[row]; turn++) {
                *place++ = row;
                *place++ = turn;
            }
    PyBuffer_Release(&counts);
    PyBuffer_Release(&places);
    if (total != room)
        return PyErr_Format(PyExc_ValueError, "there is room for another number of places");
    return PyLong_FromLongLong(most);
}

/* ---- products with dense matrices */

/* Adds to a row of the result, for each entry of the sparse matrix in order, the value of the entry times a row of the
   matrix. With `turned`, the columns of the sparse matrix are its rows. */
#define ADD_PRODUCTS(name, type)                                                                                          \
    static int name(const int64_t *places, const type *values, Py_ssize_t count, int turned, const type *matrix,          \
                    Py_ssize_t rows, Py_ssize_t width, type *restrict out, Py_ssize_t made)                               \
    {                                                                                                                     \
        for (Py_ssize_t i = 0; i < count; i++) {                                                                          \
            int64_t to = places[2 * i + turned], from = places[2 * i + !turned];                                          \
            if (to < 0 || to >= made || from < 0 || from >= rows)                                                         \
                return 0;                                                                                                 \
            const type *row = matrix + from * width;                                                                      \
            for (Py_ssize_t j = 0; j < width; j++)                                                                        \
                out[to * width + j] += values[i] * row[j];                                                                \
        }                                                                                                                 \
        return 1;                                                                                                         \
    }

ADD_PRODUCTS(add_float_products, float)
ADD_PRODUCTS(add_double_products, double)

static PyObject *py_add_products(PyObject *self, PyObject *args)
{
    Py_buffer places, values, matrix, out;
    int is_double, turned, fine;
    Py_ssize_t width;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*ppy*nw*:add_products", &places, &values, &is_double, &turned, &matrix, &width, &out))
        return NULL;
    Py_ssize_t item = is_double ? 8 : 4, row = (Py_ssize_t)times(width, item), count = values.len / item;
    if (row < 1 || matrix.len % row || out.len % row || places.len != 16 * count) {
        PyErr_SetString(PyExc_ValueError, "the buffers are for other numbers of rows");
        goto done;
    }
    PyThreadState *saved = count * width >= MUCH ? PyEval_SaveThread() : NULL;
    if (is_double)
        fine = add_double_products(places.buf, values.buf, count, turned, matrix.buf, matrix.len / row, width, out.buf,
                                   out.len / row);
    else
        fine = add_float_products(places.buf, values.buf, count, turned, matrix.buf, matrix.len / row, width, out.buf,
                                  out.len / row);
    if (saved)
        PyEval_RestoreThread(saved);
    result = PyBool_FromLong(fine);
done:
    PyBuffer_Release(&places);
    PyBuffer_Release(&values);
    PyBuffer_Release(&matrix);
    PyBuffer_Release(&out);
    return result;
}

/* ---- inputs of compiled programs */

static int is_wide(const Py_buffer *ids)
{
    return ids->itemsize == 8;
}

/* The number of integers in an array of 32 or 64 bits each; -1 and an error if it is another. */
static Py_ssize_t held(PyObject *array, Py_buffer *ids)
{
    if (!array || PyObject_GetBuffer(array, ids, PyBUF_SIMPLE) < 0)
        return -1;
    if (ids->itemsize == 4 || ids->itemsize == 8)
        return ids->len / ids->itemsize;
    PyBuffer_Release(ids);
    PyErr_SetString(PyExc_TypeError, "ids of 32 or 64 bits are wanted");
    return -1;
}

static PyObject *py_are_below(PyObject *self, PyObject *args)
{
    PyObject *arrays, *limits;
    Py_buffer ids;
    int are = 1;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!O!:are_below", &PyList_Type, &arrays, &PyList_Type, &limits))
        return NULL;
    for (Py_ssize_t i = 0; are && i < PyList_Size(arrays); i++) {
        PyObject *given = PyList_GetItem(limits, i);
        long long limit = given ? PyLong_AsLongLong(given) : -1;
        Py_ssize_t count = PyErr_Occurred() ? -1 : held(PyList_GetItem(arrays, i), &ids), at = 0;
        if (count < 0)
            return NULL;
        while (at < count && (uint64_t)number(ids.buf, is_wide(&ids), at) < (uint64_t)limit) /* negative ones are large */
            at++;
        are = at == count;
        PyBuffer_Release(&ids);
    }
    return PyBool_FromLong(are);
}

static PyObject *py_segments(PyObject *self, PyObject *arrays)
{
    Py_buffer ids;
    (void)self;
    PyObject *result = PyList_Check(arrays) ? PyTuple_New(PyList_Size(arrays)) : NULL;
    for (Py_ssize_t i = 0; result && i < PyTuple_Size(result); i++) {
        Py_ssize_t count = held(PyList_GetItem(arrays, i), &ids), at = 0;
        int64_t last = -1;
        if (count < 0) {
            Py_CLEAR(result);
            break;
        }
        for (int64_t id; at < count && (id = number(ids.buf, is_wide(&ids), at)) >= 0 && id >= last; at++)
            last = id;
        PyBuffer_Release(&ids);
        PyTuple_SetItem(result, i, PyLong_FromLongLong(at == count ? last + 1 : -1));
    }
    if (!result && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "a list of arrays is wanted");
    return result;
}

static PyObject *py_fill(PyObject *self, PyObject *args)
{
    Py_buffer ids, out;
    int wide;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*pw*:fill", &ids, &wide, &out))
        return NULL;
    if (ids.len <= out.len) {
        memcpy(out.buf, ids.buf, (size_t)ids.len);
        for (Py_ssize_t at = ids.len / (wide ? 8 : 4); at < out.len / (wide ? 8 : 4); at++)
            if (wide)
                ((int64_t *)out.buf)[at] = INT64_MAX;
            else
                ((int32_t *)out.buf)[at] = INT32_MAX;
    } else
        PyErr_SetString(PyExc_ValueError, "there is no room for the ids");
    PyBuffer_Release(&ids);
    PyBuffer_Release(&out);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

/* Copies a contiguous array to a place with room for it. Returns its size; -1 if it is another kind of object or too
   large. */
static Py_ssize_t copied(PyObject *array, char *place, Py_ssize_t room)
{
    Py_buffer bytes;
    if (array == NULL || PyObject_GetBuffer(array, &bytes, PyBUF_SIMPLE) < 0) {
        PyErr_Clear();
        return -1;
    }
    Py_ssize_t size = bytes.len <= room ? bytes.len : -1;
    if (size > 0)
        memcpy(place, bytes.buf, (size_t)size);
    PyBuffer_Release(&bytes);
    return size;
}

static PyObject *py_join(PyObject *self, PyObject *args)
{
    PyObject *arrays;
    Py_buffer out;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!w*:join", &PyList_Type, &arrays, &out))
        return NULL;
    Py_ssize_t end = 0, size = 0;
    for (Py_ssize_t at = 0; at < PyList_Size(arrays) && size >= 0; at++, end += size)
        size = copied(PyList_GetItem(arrays, at), (char *)out.buf + end, out.len - end);
    int fits = size >= 0 && end == out.len;
    PyBuffer_Release(&out);
    return PyBool_FromLong(fits);
}

static PyMethodDef methods[] = {
    {"distinct", py_distinct, METH_VARARGS,
     "distinct(keys, wide, first, numbers): writes where each distinct key comes first and the number of every key among\n"
     "them; how many there are. Keys have 64 bits if wide, else 32."},
    {"fill_empty_rows", py_fill_empty_rows, METH_VARARGS,
     "fill_empty_rows(indices, rank, rows, empty, places, added): writes which rows have no entry, where each entry goes\n"
     "when each such row gets one, and where the new ones go; how many, or -1 - the first entry outside of the rows."},
    {"bags", py_bags, METH_VARARGS,
     "bags(indices, rank, values, filler, rows, segments, ids, places, empty): sorts the ids that are not negative by row,\n"
     "and gives each row that has none the filler. Writes the row of each, the distinct ids, the number of each among\n"
     "them, and which rows had none; how many there are in all and distinct ones, -1 if an entry has no row."},
    {"bag_order", py_bag_order, METH_VARARGS,
     "bag_order(indices, rank, values, rows, order): the numbers of the entries that `bags` sorts, in their order, and the\n"
     "number of entries for each row without ids. Returns how many there are, or -1 if a row is out of range."},
    {"hashed_bags", py_hashed_bags, METH_VARARGS,
     "hashed_bags(strings, unwanted, buckets, filler, segments, ids, places, empty): as `bags`, of the buckets of strings,\n"
     "as many in each row; the unwanted one is left out."},
    {"cross", py_cross, METH_VARARGS,
     "cross(columns, key, buckets, out): writes the bucket of each combination of values from every column, row by row.\n"
     "A column is values of 64 bits or strings, whether it is strings, and how many of them each row has."},
    {"count_ids", py_count_ids, METH_VARARGS,
     "count_ids(ids, each, depth, on, is_double, out): adds `on` to out[row, id] for each id of a row, of which there are\n"
     "`each`; ids that are not in [0, depth) are left out."},
    {"count_rows", py_count_rows, METH_VARARGS,
     "count_rows(indices, rank, counts): writes how many entries each row has. False if a row is out of range."},
    {"turns", py_turns, METH_VARARGS,
     "turns(counts, places): writes [row, 0], [row, 1], ... for each row, as many as its count; the largest count."},
    {"reduce_rows", py_reduce_rows, METH_VARARGS,
     "reduce_rows(data, is_double, width, picks, wide_picks, ids, wide_ids, out, how=0): adds row picks[i], or i without\n"
     "picks, to row ids[i] of out, or multiplies it with that if how is 1; 2 keeps the larger numbers, 3 the smaller.\n"
     "Rows with a negative id are left out."},
    {"divide_rows", py_divide_rows, METH_VARARGS,
     "divide_rows(data, is_double, width, ids, wide_ids, root, exact): divides row i by the number of ids that are i, or by\n"
     "its square root, which is rounded to the dtype of the rows unless exact."},
    {"add_products", py_add_products, METH_VARARGS,
     "add_products(places, values, is_double, turned, matrix, width, out): adds row k of the matrix times a value to row i\n"
     "of out for each place [i, k], or [k, i] if turned. False if a place is outside."},
    {"are_below", py_are_below, METH_VARARGS,
     "are_below(arrays, limits): whether all ids of each array of a list are in [0, limit)."},
    {"segments", py_segments, METH_O,
     "segments(arrays): for each array of a list the last id + 1, or -1 if the ids do not ascend from 0 on."},
    {"join", py_join, METH_VARARGS,
     "join(arrays, out): copies a list of arrays, one after another. False if one is not contiguous, or they do not fit."},
    {"fill", py_fill, METH_VARARGS, "fill(ids, wide, out): copies the ids, and the largest integer to the room left."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(sparse, "The inner loops of sparse features.")
