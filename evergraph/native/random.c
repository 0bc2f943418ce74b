/* The inner loops of drawing random numbers: Philox4x32-10, gamma and Poisson variables, candidate classes, crops of
   images, and the elements of a shuffled dataset.

   Everything here has a twin in Python that decides what is right, in kernel/philox.py, ops/math/samplers.py,
   ops/nn/candidates.py, ops/image/boxes.py and ops/data/shuffling.py. The buffers are arrays that the twins make, but
   their sizes are compared all the same.

   It is for the row `random_uniform of int32` of benchmarks.
*/

#include "module.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "candidates.h"
#include "rejection.h"

#define MUCH 4096 /* blocks from which releasing the interpreter's lock is worth it */

static int read_state(const Py_buffer *buffer, State *state)
{
    if (buffer->len != (Py_ssize_t)sizeof *state) {
        PyErr_SetString(PyExc_ValueError, "a state has three numbers of 64 bits");
        return 0;
    }
    memcpy(state, buffer->buf, sizeof *state);
    return 1;
}

static PyObject *py_blocks(PyObject *self, PyObject *args)
{
    Py_buffer given, index, out;
    State state;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*y*w*:blocks", &given, &index, &out))
        return NULL;
    if (!read_state(&given, &state))
        goto done;
    if (index.len % 8 || out.len != 2 * index.len) {
        PyErr_SetString(PyExc_ValueError, "each offset has 64 bits, and room for four words of 32");
        goto done;
    }
    {
        Py_ssize_t count = index.len / 8;
        const uint64_t *offsets = index.buf;
        uint32_t(*words)[4] = out.buf;
        PyThreadState *saved = count >= MUCH ? PyEval_SaveThread() : NULL;
        for (Py_ssize_t i = 0; i < count; i++)
            block(&state, offsets[i], words[i]);
        if (saved)
            PyEval_RestoreThread(saved);
    }
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&given);
    PyBuffer_Release(&index);
    PyBuffer_Release(&out);
    return result;
}

/* ---- gamma and Poisson variables */

static PyObject *fill_variables(PyObject *args, double (*draw)(Lane *, double))
{
    Py_buffer given, parameters, out;
    State state;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "y*y*w*", &given, &parameters, &out))
        return NULL;
    if (!read_state(&given, &state))
        goto done;
    if (parameters.len % 8 || (parameters.len ? out.len % parameters.len : out.len)) {
        PyErr_SetString(PyExc_ValueError, "there is room for samples of all parameters, 64 bits each");
        goto done;
    }
    if (out.len) {
        Trials trials = {&state, parameters.buf, out.buf, draw, out.len / parameters.len, parameters.len / 8};
        PyThreadState *saved = PyEval_SaveThread();
        draw_variables(&trials, 0, out.len / 8);
        PyEval_RestoreThread(saved);
    }
    result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&given);
    PyBuffer_Release(&parameters);
    PyBuffer_Release(&out);
    return result;
}

static PyObject *py_gamma(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_variables(args, gamma_of);
}

static PyObject *py_poisson(PyObject *self, PyObject *args)
{
    (void)self;
    return fill_variables(args, poisson_of);
}

/* ---- classes */

/* Takes the tables of a distribution over `range` classes; returns whether they fit it. */
static int take_tables(Sampling *sampling, const Py_buffer *shares, const Py_buffer *others)
{
    int64_t range = sampling->range, wide = others->len / 8;
    const int64_t *numbers = sampling->others = others->buf;
    sampling->shares = shares->buf;
    sampling->limit = (uint64_t)range;
    if (sampling->distribution == WEIGHTED) {
        for (int64_t at = 0; at < wide; at++)
            if (numbers[at] < 0 || numbers[at] >= range)
                return 0;
        return shares->len == range * 4 && wide == range && range <= UINT32_MAX;
    }
    if (sampling->distribution == COUNTED) {
        for (int64_t at = 0; at < wide; at++)
            if (numbers[at] <= (at ? numbers[at - 1] : 0))
                return 0;
        sampling->limit = wide ? (uint64_t)numbers[wide - 1] : 0;
        return wide == range && sampling->limit <= UINT32_MAX;
    }
    return sampling->distribution >= 0 && sampling->distribution < DISTRIBUTIONS;
}

static PyObject *py_candidates(PyObject *self, PyObject *args)
{
    Py_buffer given, out, shares, others;
    Sampling sampling = {0};
    long long range;
    int unique;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*iLpw*y*y*:candidates", &given, &sampling.distribution, &range, &unique, &out, &shares,
                          &others))
        return NULL;
    sampling.range = range;
    sampling.count = out.len / 8;
    sampling.classes = out.buf;
    if (!read_state(&given, &sampling.state))
        goto done;
    if (range < 1 || (unique && sampling.count > range)) {
        PyErr_SetString(PyExc_ValueError, "there are fewer classes than are to be drawn");
        goto done;
    }
    if (!take_tables(&sampling, &shares, &others)) {
        PyErr_SetString(PyExc_ValueError, "the tables do not fit the distribution");
        goto done;
    }
    if (unique && !remember_classes(&sampling)) {
        PyErr_NoMemory();
        goto done;
    }
    for (draw_classes(&sampling, 1 << 20); sampling.found < sampling.count; draw_classes(&sampling, 1 << 20))
        if (PyErr_CheckSignals())
            goto done;
    result = PyLong_FromLongLong(sampling.draws);
done:
    free(sampling.table);
    PyBuffer_Release(&given);
    PyBuffer_Release(&out);
    PyBuffer_Release(&shares);
    PyBuffer_Release(&others);
    return result;
}

/* ---- crops of an image that show enough of an object */

typedef struct {
    int64_t height, width;
    float covered, ratios[2], areas[2];
    const int32_t *objects; /* the top, left, bottom and right of each, in pixels */
    int64_t count;
} Scene;

typedef struct {
    int64_t top, left, height, width;
} Crop;

static int64_t width_for(int64_t height, float ratio) { return (int64_t)rintf((float)height * ratio); }

static int64_t drawn_below(Sampling *words, int64_t limit)
{
    words->limit = (uint64_t)limit;
    return (int64_t)next_below(words, UINT32_MAX);
}

/* Chooses the sides of a crop of this ratio of width to height; whether there is one. All sides are integers, computed in
   float32. */
static int choose_sides(Sampling *words, const Scene *scene, float ratio, Crop *crop)
{
    float least = scene->areas[0] * (float)scene->width * (float)scene->height;
    float most = scene->areas[1] * (float)scene->width * (float)scene->height;
    if (!(most > 0) || !(ratio > 0) || scene->areas[0] > scene->areas[1])
        return 0;
    int64_t tall = (int64_t)rintf(sqrtf(least / ratio)), tallest = (int64_t)rintf(sqrtf(most / ratio));
    if (width_for(tallest, ratio) > scene->width) {
        tallest = (int64_t)(((double)scene->width + 0.5 - 1e-7) / (double)ratio);
        tallest -= width_for(tallest, ratio) > scene->width;
    }
    tallest = tallest < scene->height ? tallest : scene->height;
    tall = tall < tallest ? tall : tallest;
    if (tall < tallest)
        tall += drawn_below(words, tallest - tall + 1);
    /* One row more or less may compensate for the rounding of the area. */
    tall += (float)(tall * width_for(tall, ratio)) < least;
    tall -= (float)(tall * width_for(tall, ratio)) > most;
    int64_t wide = width_for(tall, ratio);
    crop->height = tall, crop->width = wide;
    return least <= (float)(tall * wide) && (float)(tall * wide) <= most && wide > 0 && wide <= scene->width && tall > 0
           && tall <= scene->height;
}

/* Whether a crop shows enough of one of the objects. */
static int shows(const Scene *scene, const Crop *crop)
{
    for (const int32_t *box = scene->objects; box < scene->objects + 4 * scene->count; box += 4) {
        float area = (float)(((int64_t)box[2] - box[0]) * ((int64_t)box[3] - box[1]));
        int64_t bottom = crop->top + crop->height, right = crop->left + crop->width;
        int64_t tall = (box[2] < bottom ? box[2] : bottom) - (box[0] > crop->top ? box[0] : crop->top);
        int64_t wide = (box[3] < right ? box[3] : right) - (box[1] > crop->left ? box[1] : crop->left);
        float shared = tall > 0 && wide > 0 ? (float)(tall * wide) : 0;
        if (area >= 1 && shared / area >= scene->covered)
            return 1;
    }
    return 0;
}

static int try_crop(Sampling *words, const Scene *scene, Crop *crop)
{
    float ratio = next_unit(words) * (scene->ratios[1] - scene->ratios[0]) + scene->ratios[0];
    if (!choose_sides(words, scene, ratio, crop))
        return 0;
    crop->top = crop->height < scene->height ? drawn_below(words, scene->height - crop->height) : 0;
    crop->left = crop->width < scene->width ? drawn_below(words, scene->width - crop->width) : 0;
    return shows(scene, crop);
}

static PyObject *py_crop(PyObject *self, PyObject *args)
{
    Py_buffer given, objects;
    Sampling words = {0};
    Scene scene;
    Crop crop;
    long long height, width, attempts;
    PyObject *result = NULL;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*(LL)y*f(ff)(ff)L:crop", &given, &height, &width, &objects, &scene.covered,
                          &scene.ratios[0], &scene.ratios[1], &scene.areas[0], &scene.areas[1], &attempts))
        return NULL;
    scene.height = height, scene.width = width, scene.objects = objects.buf, scene.count = objects.len / 16;
    if (!read_state(&given, &words.state))
        goto done;
    if (height < 1 || width < 1 || height > INT32_MAX || width > INT32_MAX || objects.len % 16) {
        PyErr_SetString(PyExc_ValueError, "an image has a height and a width, and an object four sides of 32 bits");
        goto done;
    }
    for (long long tried = 0; !result && tried < attempts; tried++)
        if ((tried & 0xFFFF) == 0xFFFF && PyErr_CheckSignals())
            goto done;
        else if (try_crop(&words, &scene, &crop))
            result = Py_BuildValue("LLLL", (long long)crop.top, (long long)crop.left, (long long)crop.height,
                                   (long long)crop.width);
    if (!result && !PyErr_Occurred())
        result = Py_NewRef(Py_None);
done:
    PyBuffer_Release(&given);
    PyBuffer_Release(&objects);
    return result;
}

/* ---- shuffling */

static Py_ssize_t choose(int64_t *order, Py_ssize_t start, Py_ssize_t end, Py_ssize_t size, const uint32_t *words,
                         Py_ssize_t count)
{
    Py_ssize_t each = 0;
    for (; each < count && start < end; each++, start++) {
        Py_ssize_t left = end - start < size ? end - start : size;
        Py_ssize_t at = start + (Py_ssize_t)((uint64_t)words[each] % (uint64_t)left);
        int64_t first = order[start];
        order[start] = order[at];
        order[at] = first;
    }
    return each;
}

static PyObject *py_choose(PyObject *self, PyObject *args)
{
    Py_buffer order, words;
    Py_ssize_t start, end, size, count = -1;
    (void)self;
    if (!PyArg_ParseTuple(args, "w*nnny*:choose", &order, &start, &end, &size, &words))
        return NULL;
    if (order.itemsize != 8 || words.itemsize != 4 || start < 0 || start > end || end > order.len / 8 || size < 1)
        PyErr_SetString(PyExc_ValueError, "a buffer has numbers of 64 bits, room for an element, and words of 32 bits");
    else
        count = choose(order.buf, start, end, size, words.buf, words.len / 4);
    PyBuffer_Release(&order);
    PyBuffer_Release(&words);
    return count < 0 ? NULL : PyLong_FromSsize_t(count);
}

static PyMethodDef methods[] = {
    {"blocks", py_blocks, METH_VARARGS, "blocks(state, index, out): writes the words of the blocks at these offsets."},
    {"gamma", py_gamma, METH_VARARGS, "gamma(state, shapes, out): fills out with samples of each shape, in rows."},
    {"poisson", py_poisson, METH_VARARGS, "poisson(state, rates, out): fills out with samples of each rate, in rows."},
    {"choose", py_choose, METH_VARARGS,
     "choose(order, start, end, size, words): moves the numbers that words choose of those between start and end to the\n"
     "front of them; how many these are."},
    {"candidates", py_candidates, METH_VARARGS,
     "candidates(state, distribution, range_max, unique, out, shares, others): fills out with classes drawn one after the\n"
     "other; how many draws it took. The distributions and their tables are those of candidates.h."},
    {"crop", py_crop, METH_VARARGS,
     "crop(state, (height, width), objects, covered, ratios, areas, attempts): the top, left, height and width of a crop\n"
     "that shows enough of one of the objects, which are int32 sides in pixels; None if no attempt finds one."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(random, "The inner loops of drawing random numbers.")
