/* The inner loops on images: bilinear interpolation, the choice of boxes that overlap little, and the filters of PNG.

   The twin in Python decides what is right: it computes the same sums of floats in the same order, a row of the output at
   a time from two rows of the input. Nothing here may be contracted to a fused multiplication and addition.

   It is for the row `non_max_suppression` of benchmarks.
*/

#include "module.h"
#include <stdint.h>
#include <string.h>

/* Where the pixels of an axis lie: for each of the output, two of the input and the way between them. */
typedef struct {
    const int64_t *lower, *upper;
    const float *fraction;
    int64_t size, count;
} Axis;

typedef struct {
    const void *pixels;
    float *result;
    int64_t images, channels;
    Axis rows, columns;
    int is_float;
} Job;

/* A row of the result, from two rows of the images. */
static inline void fill_of(Axis columns, const int64_t channels, const float *above, const float *below, float fraction,
                           float *restrict result)
{
    for (int64_t column = 0; column < columns.count; column++) {
        int64_t left = columns.lower[column] * channels, right = columns.upper[column] * channels;
        float along = columns.fraction[column];
        for (int64_t channel = 0; channel < channels; channel++) {
            float first = above[left + channel], second = below[left + channel];
            float top = first + (above[right + channel] - first) * along;
            float bottom = second + (below[right + channel] - second) * along;
            result[column * channels + channel] = top + (bottom - top) * fraction;
        }
    }
}

/* The same, with the numbers of channels that most images have as constants: the compiler unrolls the inner loop. */
static void fill(Axis columns, int64_t channels, const float *above, const float *below, float fraction, float *result)
{
    if (channels == 3)
        fill_of(columns, 3, above, below, fraction, result);
    else if (channels == 1)
        fill_of(columns, 1, above, below, fraction, result);
    else
        fill_of(columns, channels, above, below, fraction, result);
}

/* A row of the images as floats. Bytes are converted a row at a time, which the compiler can do with vectors. */
static const float *row_at(const Job *job, int64_t start, int64_t line, float *restrict room)
{
    const uint8_t *bytes = (const uint8_t *)job->pixels + start;
    if (job->is_float)
        return (const float *)job->pixels + start;
    for (int64_t place = 0; place < line; place++)
        room[place] = (float)bytes[place];
    return room;
}

/* `room` is for two rows of the images. */
static void resize(const Job *job, float *room)
{
    int64_t line = job->columns.size * job->channels, width = job->columns.count * job->channels;
    for (int64_t place = 0; place < job->images * job->rows.count; place++) {
        int64_t image = place / job->rows.count, row = place % job->rows.count, start = image * job->rows.size * line;
        const float *above = row_at(job, start + job->rows.lower[row] * line, line, room);
        const float *below = row_at(job, start + job->rows.upper[row] * line, line, room + line);
        fill(job->columns, job->channels, above, below, job->rows.fraction[row], job->result + place * width);
    }
}

/* ---- boxes */

typedef struct {
    const float *top, *left, *bottom, *right, *area;
} Boxes;

static float smaller(float a, float b) { return a < b ? a : b; }
static float larger(float a, float b) { return a > b ? a : b; }

/* The intersection of two boxes over their union; boxes without area overlap nothing. */
static float overlap(const Boxes *boxes, int64_t one, int64_t other)
{
    float tall = smaller(boxes->bottom[one], boxes->bottom[other]) - larger(boxes->top[one], boxes->top[other]);
    float wide = smaller(boxes->right[one], boxes->right[other]) - larger(boxes->left[one], boxes->left[other]);
    float shared = larger(tall, 0) * larger(wide, 0), whole = boxes->area[one] + boxes->area[other] - shared;
    return boxes->area[one] > 0 && boxes->area[other] > 0 ? shared / (whole > 0 ? whole : 1) : 0;
}

/* Takes boxes in the given order, without those that overlap a chosen one too much; returns how many. */
static int64_t choose(const Boxes *boxes, const int64_t *order, int64_t candidates, float limit, int64_t count,
                      int32_t *chosen)
{
    int64_t found = 0;
    for (int64_t at = 0; at < candidates && found < count; at++) {
        int64_t other = 0;
        while (other < found && overlap(boxes, order[at], chosen[other]) <= limit)
            other++;
        if (other == found)
            chosen[found++] = (int32_t)order[at];
    }
    return found;
}

/* ---- filters of PNG: the differences of bytes from predictions, which compress better */

enum { FILTERS = 5 };

static int distance(int a, int b) { return a < b ? b - a : a - b; }

/* Of the bytes to the left, above and at the corner, the one nearest to left + up - corner. */
static int nearest(int left, int up, int corner)
{
    int a = distance(up, corner), b = distance(left, corner), c = distance(left + up, 2 * corner);
    return a <= b && a <= c ? left : b <= c ? up : corner;
}

/* The row by each of the filters, where `above` is the row before, and the sums of its magnitudes. */
static void try_filters(const uint8_t *restrict row, const uint8_t *restrict above, int64_t length, int64_t step,
                        uint8_t *restrict tries, int64_t *sums)
{
    for (int64_t at = 0; at < length; at++) {
        int left = at < step ? 0 : row[at - step], up = above[at], corner = at < step ? 0 : above[at - step];
        tries[at] = row[at];
        tries[length + at] = (uint8_t)(row[at] - left);
        tries[2 * length + at] = (uint8_t)(row[at] - up);
        tries[3 * length + at] = (uint8_t)(row[at] - (left + up) / 2);
        tries[4 * length + at] = (uint8_t)(row[at] - nearest(left, up, corner));
    }
    for (int filter = 0; filter < FILTERS; filter++) {
        int64_t sum = 0;
        for (int64_t at = 0; at < length; at++)
            sum += distance((int8_t)tries[filter * length + at], 0);
        sums[filter] = sum;
    }
}

/* Writes each row after the number of the filter with the smallest sum. `room` is for a row and all filters of one. */
static void filter_rows(const uint8_t *rows, int64_t count, int64_t length, int64_t step, uint8_t *room, uint8_t *result)
{
    const uint8_t *above = memset(room, 0, (size_t)length);
    uint8_t *tries = room + length;
    int64_t sums[FILTERS];
    for (int64_t row = 0; row < count; row++, above = rows, rows += length, result += length + 1) {
        int best = 0;
        try_filters(rows, above, length, step, tries, sums);
        for (int filter = 1; filter < FILTERS; filter++)
            best = sums[filter] < sums[best] ? filter : best;
        result[0] = (uint8_t)best;
        memcpy(result + 1, tries + best * length, (size_t)length);
    }
}

/* ---- from Python */

static PyObject *py_filtered(PyObject *self, PyObject *args)
{
    Py_buffer rows, result;
    long long count, step;
    PyObject *answer = NULL;
    uint8_t *room = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*LLw*:filtered", &rows, &count, &step, &result))
        return NULL;
    int64_t length = count > 0 ? rows.len / count : 0;
    if (count < 1 || step < 1 || rows.len != count * length || result.len != plus(rows.len, count)) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    } else if ((room = PyMem_Malloc((size_t)length * (FILTERS + 1) + 1)) == NULL) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS
        filter_rows(rows.buf, count, length, step, room, result.buf);
        Py_END_ALLOW_THREADS
        PyMem_Free(room);
        answer = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&rows);
    PyBuffer_Release(&result);
    return answer;
}

static PyObject *py_choose(PyObject *self, PyObject *args)
{
    Py_buffer corners, order, chosen;
    float limit;
    PyObject *answer = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*fw*:choose", &corners, &order, &limit, &chosen))
        return NULL;
    int64_t all = corners.len / 20, candidates = order.len / 8, found = 0, fits = corners.len % 20 == 0;
    const int64_t *places = order.buf;
    for (int64_t at = 0; at < candidates; at++)
        fits &= places[at] >= 0 && places[at] < all;
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    } else {
        const float *first = corners.buf;
        Boxes boxes = {first, first + all, first + 2 * all, first + 3 * all, first + 4 * all};
        Py_BEGIN_ALLOW_THREADS
        found = choose(&boxes, places, candidates, limit, chosen.len / 4, chosen.buf);
        Py_END_ALLOW_THREADS
        answer = PyLong_FromLongLong(found);
    }
    PyBuffer_Release(&corners);
    PyBuffer_Release(&order);
    PyBuffer_Release(&chosen);
    return answer;
}

/* Whether an axis has the sizes that it claims, and no pixel lies outside. */
static int is_sound(const Axis *axis, const Py_buffer *lower, const Py_buffer *upper, const Py_buffer *fraction)
{
    if (axis->count < 0 || axis->size <= 0 || lower->len != axis->count * 8 || upper->len != axis->count * 8
        || fraction->len != axis->count * 4)
        return 0;
    for (int64_t at = 0; at < axis->count; at++)
        if (axis->lower[at] < 0 || axis->lower[at] >= axis->size || axis->upper[at] < 0
            || axis->upper[at] >= axis->size)
            return 0;
    return 1;
}

static PyObject *py_bilinear(PyObject *self, PyObject *args)
{
    Py_buffer pixels, result, parts[6];
    Job job = {0};
    long long images, height, width, channels;
    PyObject *answer = NULL;
    float *room;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*w*(LLLL)py*y*y*y*y*y*:bilinear", &pixels, &result, &images, &height, &width, &channels,
                          &job.is_float, &parts[0], &parts[1], &parts[2], &parts[3], &parts[4], &parts[5]))
        return NULL;
    job.pixels = pixels.buf;
    job.result = result.buf;
    job.images = images;
    job.channels = channels;
    job.rows = (Axis){parts[0].buf, parts[1].buf, parts[2].buf, height, parts[0].len / 8};
    job.columns = (Axis){parts[3].buf, parts[4].buf, parts[5].buf, width, parts[3].len / 8};
    if (images < 0 || channels < 0 || !is_sound(&job.rows, &parts[0], &parts[1], &parts[2])
        || !is_sound(&job.columns, &parts[3], &parts[4], &parts[5])
        || pixels.len != TIMES(images, height, width, channels, job.is_float ? 4 : 1)
        || result.len != TIMES(images, job.rows.count, job.columns.count, channels, 4)) {
        PyErr_SetString(PyExc_ValueError, "the arrays do not fit each other");
    } else if ((room = memory_for(TIMES(2, width, channels), sizeof *room)) == NULL) {
        PyErr_NoMemory();
    } else {
        Py_BEGIN_ALLOW_THREADS
        resize(&job, room);
        Py_END_ALLOW_THREADS
        free(room);
        answer = Py_NewRef(Py_None);
    }
    PyBuffer_Release(&pixels);
    PyBuffer_Release(&result);
    for (int place = 0; place < 6; place++)
        PyBuffer_Release(&parts[place]);
    return answer;
}

static PyMethodDef methods[] = {
    {"bilinear", py_bilinear, METH_VARARGS,
     "bilinear(pixels, result, (images, height, width, channels), is_float, lower, upper, fraction, left, right, along):\n"
     "resizes images of bytes or floats into an array of floats. For each row of the result, two rows of the images and\n"
     "the way between them; for each column the same."},
    {"choose", py_choose, METH_VARARGS,
     "choose(corners, order, limit, chosen): greedy non-maximum suppression. `corners` has the rows top, left, bottom,\n"
     "right and area of boxes as floats, `order` their indices from the best on; fills `chosen` and returns how many."},
    {"filtered", py_filtered, METH_VARARGS,
     "filtered(rows, count, step, result): the rows of a PNG file, each by the filter that makes the smallest differences\n"
     "between bytes that are `step` apart, after the number of that filter."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(images, "The inner loops on images.")
