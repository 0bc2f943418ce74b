/* The inner loops of comparing two lists: rows of indices in order, and sequences.

   Everything here has a twin in Python that decides what is right, in ops/sparse/sparse.py and ops/arrays/search.py. The
   buffers are arrays that the twins make, but their sizes are compared all the same.

   Row `sparse_add` of benchmarks is 41 times as fast with it.
*/

#include "module.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows of indices */

static int compare(const int64_t *a, const int64_t *b, Py_ssize_t columns)
{
    for (Py_ssize_t at = 0; at < columns; at++)
        if (a[at] != b[at])
            return a[at] < b[at] ? -1 : 1;
    return 0;
}

static int ascend(const int64_t *rows, Py_ssize_t count, Py_ssize_t columns)
{
    for (Py_ssize_t at = 1; at < count; at++)
        if (compare(rows + (at - 1) * columns, rows + at * columns, columns) >= 0)
            return 0;
    return 1;
}

static Py_ssize_t merge(const int64_t *a, Py_ssize_t a_count, const int64_t *b, Py_ssize_t b_count, Py_ssize_t columns,
                        int64_t *in_a, int64_t *in_b)
{
    Py_ssize_t i = 0, j = 0, count = 0;
    for (; i < a_count || j < b_count; count++) {
        int order = i == a_count ? 1 : j == b_count ? -1 : compare(a + i * columns, b + j * columns, columns);
        in_a[count] = order <= 0 ? i++ : -1;
        in_b[count] = order >= 0 ? j++ : -1;
    }
    return count;
}

/* The same for equal matrices: sums of tensors with entries at the same places, and gradients. */
static Py_ssize_t count_up(Py_ssize_t count, int64_t *in_a, int64_t *in_b)
{
    for (Py_ssize_t at = 0; at < count; at++)
        in_a[at] = in_b[at] = at;
    return count;
}

static PyObject *py_merge(PyObject *self, PyObject *args)
{
    Py_buffer a, b, in_a, in_b;
    Py_ssize_t columns, count = -1;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*nw*w*:merge", &a, &b, &columns, &in_a, &in_b))
        return NULL;
    Py_ssize_t row = (Py_ssize_t)times(8, columns);
    if (row < 8 || a.len % row || b.len % row || in_a.len != in_b.len || in_a.len / 8 < a.len / row + b.len / row)
        PyErr_SetString(PyExc_ValueError, "there is no room for the places of all rows, or a row is not whole");
    else {
        Py_ssize_t a_count = a.len / row, b_count = b.len / row;
        int is_same = a.len == b.len && !memcmp(a.buf, b.buf, (size_t)a.len);
        if (is_same && ascend(a.buf, a_count, columns))
            count = count_up(a_count, in_a.buf, in_b.buf);
        else if (!is_same && ascend(a.buf, a_count, columns) && ascend(b.buf, b_count, columns))
            count = merge(a.buf, a_count, b.buf, b_count, columns, in_a.buf, in_b.buf);
    }
    PyBuffer_Release(&a);
    PyBuffer_Release(&b);
    PyBuffer_Release(&in_a);
    PyBuffer_Release(&in_b);
    return PyErr_Occurred() ? NULL : PyLong_FromSsize_t(count);
}

/* ---- sequences */

/* The Levenshtein distance, by dynamic programming one row at a time. */
static int64_t distance(const int64_t *a, int64_t a_count, const int64_t *b, int64_t b_count, int64_t *row)
{
    for (int64_t at = 0; at <= b_count; at++)
        row[at] = at;
    for (int64_t i = 0; i < a_count; i++) {
        int64_t last = row[0];
        row[0] = i + 1;
        for (int64_t j = 0; j < b_count; j++) {
            int64_t other = last + (a[i] != b[j]);
            last = row[j + 1];
            int64_t least = (last < row[j] ? last : row[j]) + 1;
            row[j + 1] = other < least ? other : least;
        }
    }
    return row[b_count];
}

/* The length of the longest sequence; -1 unless the starts ascend from 0 to the number of items. */
static int64_t longest_of(const int64_t *starts, Py_ssize_t count, Py_ssize_t items)
{
    int64_t longest = 0;
    if (starts[0] != 0 || starts[count] != items)
        return -1;
    for (Py_ssize_t at = 0; at < count; at++) {
        if (starts[at + 1] < starts[at])
            return -1;
        longest = starts[at + 1] - starts[at] > longest ? starts[at + 1] - starts[at] : longest;
    }
    return longest;
}

static void measure(Py_buffer *given, int64_t *out, Py_ssize_t count)
{
    const int64_t *a = given[0].buf, *a_starts = given[1].buf, *b = given[2].buf, *b_starts = given[3].buf;
    int64_t longest = -1;
    if (given[1].len == 8 * (count + 1) && given[3].len == 8 * (count + 1)
        && longest_of(a_starts, count, given[0].len / 8) >= 0)
        longest = longest_of(b_starts, count, given[2].len / 8);
    if (longest < 0) {
        PyErr_SetString(PyExc_ValueError, "sequences begin one after the other, and there is room for each distance");
        return;
    }
    int64_t *row = memory_for(plus(longest, 1), sizeof *row);
    if (!row) {
        PyErr_NoMemory();
        return;
    }
    for (Py_ssize_t at = 0; at < count; at++)
        out[at] = distance(a + a_starts[at], a_starts[at + 1] - a_starts[at], b + b_starts[at],
                           b_starts[at + 1] - b_starts[at], row);
    free(row);
}

static PyObject *py_distances(PyObject *self, PyObject *args)
{
    Py_buffer given[4], out;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*y*y*w*:distances", given, given + 1, given + 2, given + 3, &out))
        return NULL;
    measure(given, out.buf, out.len / 8);
    for (int each = 0; each < 4; each++)
        PyBuffer_Release(given + each);
    PyBuffer_Release(&out);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    {"merge", py_merge, METH_VARARGS,
     "merge(a, b, columns, in_a, in_b): for each row of either matrix, in order, writes where it is in both, or -1; how many\n"
     "rows there are, or -1 if those of a matrix do not ascend."},
    {"distances", py_distances, METH_VARARGS,
     "distances(a, a_starts, b, b_starts, out): writes the edit distance of each pair of sequences."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(pairs, "The inner loops of comparing two lists.")
