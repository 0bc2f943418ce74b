/* Crops of float32 images, channels last, by bilinear interpolation, and their gradient with respect to the images;
   images whose rows and columns are weighted sums of those of others; for XLA's programs on CPUs.

   The caller computes at which rows and columns of its image each crop looks, in fractions of pixels. Crops of one image
   are added to its gradient one after the other, so that the result does not depend on the number of threads.

   Row `crop_and_resize` of benchmarks is 12 times as fast with it.
*/

#include "ffi.h"

#include <string.h>

typedef struct {
    const float *given, *rows, *columns; /* given: the images, or the gradients of the crops */
    const int32_t *which;
    float *result, outside;
    int64_t images, size[2], channels, crops, count[2];
} Job;

/* The pixels before and after a position, and the fraction of the way between them. */
typedef struct {
    int64_t lower, upper;
    float way;
    int inside;
} Place;

static inline Place place_of(float position, int64_t size)
{
    if (!(position >= 0 && (double)position <= (double)(size - 1)))
        return (Place){0, 0, 0, 0};
    int64_t lower = (int64_t)position;
    return (Place){lower, lower + ((float)lower < position), position - (float)lower, 1};
}

FAST static void interpolate(const float *top, const float *bottom, Place column, int64_t channels, float down,
                             float *restrict to)
{
    const float *a = top + column.lower * channels, *b = top + column.upper * channels;
    const float *c = bottom + column.lower * channels, *d = bottom + column.upper * channels;
    for (int64_t at = 0; at < channels; at++) {
        float high = a[at] + (b[at] - a[at]) * column.way, low = c[at] + (d[at] - c[at]) * column.way;
        to[at] = high + (low - high) * down;
    }
}

static int64_t image_of(const Job *job, int64_t crop)
{
    int64_t which = job->which[crop];
    return which < 0 ? 0 : which < job->images ? which : job->images - 1;
}

static void cut(void *data, long crop)
{
    Job *job = data;
    int64_t width = job->size[1] * job->channels;
    const float *image = job->given + image_of(job, crop) * job->size[0] * width;
    float *to = job->result + crop * job->count[0] * job->count[1] * job->channels;
    for (int64_t y = 0; y < job->count[0]; y++) {
        Place row = place_of(job->rows[crop * job->count[0] + y], job->size[0]);
        for (int64_t x = 0; x < job->count[1]; x++, to += job->channels) {
            Place column = place_of(job->columns[crop * job->count[1] + x], job->size[1]);
            if (row.inside && column.inside)
                interpolate(image + row.lower * width, image + row.upper * width, column, job->channels, row.way, to);
            else
                for (int64_t at = 0; at < job->channels; at++)
                    to[at] = job->outside;
        }
    }
}

FAST static void add_scaled(const float *restrict from, float scale, int64_t count, float *restrict to)
{
    for (int64_t at = 0; at < count; at++)
        to[at] += from[at] * scale;
}

static void add_crop(const Job *job, int64_t crop, float *image)
{
    int64_t channels = job->channels, width = job->size[1] * channels;
    const float *dy = job->given + crop * job->count[0] * job->count[1] * channels;
    for (int64_t y = 0; y < job->count[0]; y++) {
        Place row = place_of(job->rows[crop * job->count[0] + y], job->size[0]);
        for (int64_t x = 0; x < job->count[1]; x++, dy += channels) {
            Place column = place_of(job->columns[crop * job->count[1] + x], job->size[1]);
            if (!row.inside || !column.inside)
                continue;
            float *top = image + row.lower * width, *bottom = image + row.upper * width;
            add_scaled(dy, (1 - row.way) * (1 - column.way), channels, top + column.lower * channels);
            add_scaled(dy, (1 - row.way) * column.way, channels, top + column.upper * channels);
            add_scaled(dy, row.way * (1 - column.way), channels, bottom + column.lower * channels);
            add_scaled(dy, row.way * column.way, channels, bottom + column.upper * channels);
        }
    }
}

static void collect(void *data, long image)
{
    Job *job = data;
    int64_t volume = job->size[0] * job->size[1] * job->channels;
    float *to = job->result + image * volume;
    memset(to, 0, (size_t)volume * sizeof *to);
    for (int64_t crop = 0; crop < job->crops; crop++)
        if (image_of(job, crop) == image)
            add_crop(job, crop, to);
}

/* ---- calls: the numbers are the sizes of the images, how many crops there are, their sizes, and the bits of the number
   that stands outside of images */

static int fits(Frame *frame, int is_back)
{
    const int64_t *n = numbers_of(frame);
    if (n[0] < 1 && n[4] > 0)
        return 0;
    int64_t images = multiplied(n, 4), crops = TIMES(n[4], n[5], n[6], n[3]);
    return has_argument(frame, 0, is_back ? crops : images) && has_argument(frame, 1, times(n[4], n[5]))
        && has_argument(frame, 2, times(n[4], n[6])) && has_argument(frame, 3, n[4])
        && has_result(frame, 0, is_back ? images : crops);
}

static Job read_job(Frame *frame)
{
    const int64_t *n = numbers_of(frame);
    uint32_t bits = (uint32_t)n[7];
    Buffer **given = frame->arguments.buffers;
    Job job = {given[0]->data, given[1]->data, given[2]->data, given[3]->data, frame->results.buffers[0]->data, 0,
               n[0], {n[1], n[2]}, n[3], n[4], {n[5], n[6]}};
    memcpy(&job.outside, &bits, 4);
    return job;
}

static void *crop(Frame *frame)
{
    if (!fits(frame, 0))
        return ill_sized(frame);
    Job job = read_job(frame);
    share(frame, job.crops, cut, &job);
    return NULL;
}

static void *crop_to_image(Frame *frame)
{
    if (!fits(frame, 1))
        return ill_sized(frame);
    Job job = read_job(frame);
    share(frame, job.images, collect, &job);
    return NULL;
}

/* ---- resampled images: each row is a sum of rows, and each of its pixels then a sum of pixels */

/* A matrix of few entries: those of row i are starts[i], ..., starts[i + 1] - 1. */
typedef struct {
    const int32_t *starts, *places;
    const float *weights;
} Sparse;

typedef struct {
    const float *images;
    float *result;
    Sparse down, across;
    int64_t size[2], channels, new_size[2];
    atomic_int failed;
} Resampling;

INLINE void sum_pixels(Sparse across, int64_t count, int64_t channels, const float *restrict row, float *restrict to)
{
    for (int64_t x = 0; x < count; x++, to += channels) {
        for (int64_t at = 0; at < channels; at++)
            to[at] = 0;
        for (int32_t tap = across.starts[x]; tap < across.starts[x + 1]; tap++)
            for (int64_t at = 0; at < channels; at++)
                to[at] += row[across.places[tap] * channels + at] * across.weights[tap];
    }
}

/* The same with loops over channels that the compiler unrolls where there are few. */
FAST static void sum_pixels_of(const Resampling *job, const float *row, float *to)
{
    if (job->channels == 1)
        sum_pixels(job->across, job->new_size[1], 1, row, to);
    else if (job->channels == 3)
        sum_pixels(job->across, job->new_size[1], 3, row, to);
    else
        sum_pixels(job->across, job->new_size[1], job->channels, row, to);
}

static void resample_rows(void *data, long from, long to)
{
    Resampling *job = data;
    int64_t width = job->size[1] * job->channels, new_width = job->new_size[1] * job->channels;
    float *row = memory_for(width, sizeof *row);
    if (!row) {
        atomic_store(&job->failed, 1);
        return;
    }
    for (long at = from; at < to; at++) {
        const float *image = job->images + at / job->new_size[0] * job->size[0] * width;
        int64_t y = at % job->new_size[0];
        memset(row, 0, (size_t)width * sizeof *row);
        for (int32_t tap = job->down.starts[y]; tap < job->down.starts[y + 1]; tap++)
            add_scaled(image + job->down.places[tap] * width, job->down.weights[tap], width, row);
        sum_pixels_of(job, row, job->result + at * new_width);
    }
    free(row);
}

/* Whether the arguments from `first` on are a matrix of so many rows and columns. */
static int is_sparse(Frame *frame, int first, int64_t rows, int64_t columns)
{
    Buffer **given = frame->arguments.buffers + first;
    int64_t entries = elements_of(given[1]);
    const int32_t *starts = given[0]->data, *places = given[1]->data;
    if (!has_argument(frame, first, plus(rows, 1)) || !has_argument(frame, first + 2, entries) || starts[0] < 0
        || starts[rows] > entries)
        return 0;
    for (int64_t row = 0; row < rows; row++)
        if (starts[row] > starts[row + 1])
            return 0;
    for (int64_t at = 0; at < entries; at++)
        if (places[at] < 0 || places[at] >= columns)
            return 0;
    return 1;
}

/* The numbers are the sizes of the images and the new height and width. */
static void *resample(Frame *frame)
{
    const int64_t *n = numbers_of(frame);
    Buffer **given = frame->arguments.buffers;
    if (!has_argument(frame, 0, multiplied(n, 4))
        || !has_result(frame, 0, TIMES(n[0], n[4], n[5], n[3])) || !is_sparse(frame, 1, n[4], n[1])
        || !is_sparse(frame, 4, n[5], n[2]))
        return ill_sized(frame);
    Resampling job = {given[0]->data, frame->results.buffers[0]->data,
                      {given[1]->data, given[2]->data, given[3]->data}, {given[4]->data, given[5]->data, given[6]->data},
                      {n[1], n[2]}, n[3], {n[4], n[5]}, 0};
    share_ranges(frame, n[0] * n[4], (1 << 14) / plus(1, times(n[3], plus(n[2], n[5]))), resample_rows, &job);
    return atomic_load(&job.failed) ? out_of_memory(frame) : NULL;
}

#define KERNELS(K)                                                                                                     \
    K("crop", crop, "4444>4", 8) K("crop_to_image", crop_to_image, "4444>4", 8)                                        \
    K("resample", resample, "4444444>4", 6)

KERNEL_MODULE(crops, "Crops of images for XLA's programs.")
