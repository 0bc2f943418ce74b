/* Crops of float32 images, channels last, by bilinear interpolation, and their gradient with respect to the images; for
   XLA's programs on CPUs with AVX2.

   The caller computes at which rows and columns of its image each crop looks, in fractions of pixels. Crops of one image
   are added to its gradient one after the other, so that the result does not depend on the number of threads.
*/

#include "ffi.h"

#if HAS_KERNELS

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
    if (!(position >= 0 && position <= (float)(size - 1)))
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
    if (answers_metadata(frame))
        return NULL;
    Job job = read_job(frame);
    share(frame, job.crops, cut, &job);
    return NULL;
}

static void *crop_to_image(Frame *frame)
{
    if (answers_metadata(frame))
        return NULL;
    Job job = read_job(frame);
    share(frame, job.images, collect, &job);
    return NULL;
}

static const Kernel kernels[] = {{"crop", crop}, {"crop_to_image", crop_to_image}};

#endif

KERNEL_MODULE(crops, "Crops of images for XLA's programs.")
