/* Decodes JPEG files with libjpeg, where the machine has it.

   It takes files that are as they should be: grey ones, and those in colour that become RGB. It declines anything about
   which libjpeg has an error or a warning, and files of other colour spaces: Pillow reads those, or says what is wrong.

   It is for the row `data: JPEG decode + resize, per image` of benchmarks.
*/

#include "module.h"
#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

/* What libjpeg calls when it has something to say: an error and a warning both end the work on the file. */
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf declined;
} Complaints;

static void decline(j_common_ptr info) { longjmp(((Complaints *)info->err)->declined, 1); }

static void decline_warning(j_common_ptr info, int level)
{
    if (level < 0)
        decline(info);
}

typedef struct {
    int channels, ratio, is_smooth, is_fast;
} Wishes;

/* Whether the file begins as it should; then `file` knows the size of the image. */
static int begin(struct jpeg_decompress_struct *file, Complaints *complaints, const Py_buffer *data, Wishes wishes)
{
    if (setjmp(complaints->declined))
        return 0;
    jpeg_mem_src(file, data->buf, (unsigned long)data->len);
    if (jpeg_read_header(file, TRUE) != JPEG_HEADER_OK)
        return 0;
    int channels = wishes.channels ? wishes.channels : file->num_components;
    if ((file->num_components != 1 && file->num_components != 3) || (channels != 1 && channels != 3))
        return 0;
    file->out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    file->scale_num = 1;
    file->scale_denom = (unsigned int)wishes.ratio;
    file->dct_method = wishes.is_fast ? JDCT_IFAST : JDCT_ISLOW;
    file->do_fancy_upsampling = wishes.is_smooth ? TRUE : FALSE;
    jpeg_calc_output_dimensions(file);
    return 1;
}

/* Whether all rows were read into `pixels`. */
static int read_rows(struct jpeg_decompress_struct *file, Complaints *complaints, unsigned char *pixels)
{
    if (setjmp(complaints->declined))
        return 0;
    jpeg_start_decompress(file);
    size_t width = (size_t)file->output_width * (size_t)file->output_components;
    while (file->output_scanline < file->output_height) {
        JSAMPROW row = pixels + width * file->output_scanline;
        jpeg_read_scanlines(file, &row, 1);
    }
    jpeg_finish_decompress(file);
    return 1;
}

/* (height, width, channels, pixels), or None where the file is declined. */
static PyObject *decoded(struct jpeg_decompress_struct *file, Complaints *complaints, const Py_buffer *data, Wishes wishes)
{
    int is_read;
    if (!begin(file, complaints, data, wishes))
        return Py_NewRef(Py_None);
    Py_ssize_t height = file->output_height, width = file->output_width, channels = file->output_components;
    PyObject *pixels = PyByteArray_FromStringAndSize(NULL, height * width * channels);
    if (pixels == NULL)
        return NULL;
    unsigned char *target = (unsigned char *)PyByteArray_AsString(pixels);
    Py_BEGIN_ALLOW_THREADS
    is_read = read_rows(file, complaints, target);
    Py_END_ALLOW_THREADS
    if (is_read)
        return Py_BuildValue("(nnnN)", height, width, channels, pixels);
    Py_DECREF(pixels);
    return Py_NewRef(Py_None);
}

static PyObject *py_decode(PyObject *self, PyObject *args)
{
    struct jpeg_decompress_struct file;
    Complaints complaints;
    Py_buffer data;
    Wishes wishes;
    PyObject *answer;
    (void)self;
    if (!PyArg_ParseTuple(args, "y*iipp:decode", &data, &wishes.channels, &wishes.ratio, &wishes.is_smooth,
                          &wishes.is_fast))
        return NULL;
    file.err = jpeg_std_error(&complaints.base);
    complaints.base.error_exit = decline;
    complaints.base.emit_message = decline_warning;
    if (setjmp(complaints.declined)) { /* not even memory for its own tables */
        PyBuffer_Release(&data);
        return Py_NewRef(Py_None);
    }
    jpeg_create_decompress(&file);
    answer = decoded(&file, &complaints, &data, wishes);
    jpeg_destroy_decompress(&file);
    PyBuffer_Release(&data);
    return answer;
}

/* The size that images must have. */
typedef struct {
    JDIMENSION height, width;
    int channels;
} Size;

/* Whether a file was decoded into `pixels`: libjpeg took it, and its image has the size. */
static int is_decoded_into(unsigned char *pixels, const Py_buffer *data, Wishes wishes, Size size)
{
    struct jpeg_decompress_struct file;
    Complaints complaints;
    file.err = jpeg_std_error(&complaints.base);
    complaints.base.error_exit = decline;
    complaints.base.emit_message = decline_warning;
    if (setjmp(complaints.declined))
        return 0;
    jpeg_create_decompress(&file);
    int is_read = begin(&file, &complaints, data, wishes) && file.output_height == size.height &&
                  file.output_width == size.width && file.output_components == size.channels &&
                  read_rows(&file, &complaints, pixels);
    jpeg_destroy_decompress(&file);
    return is_read;
}

/* Fills `files` with the contents of a list of bytes; returns how many, or -1 with an exception. */
static Py_ssize_t take_contents(PyObject *list, Py_buffer *files)
{
    Py_ssize_t count = PyList_Size(list);
    for (Py_ssize_t place = 0; place < count; place++)
        if (PyObject_GetBuffer(PyList_GetItem(list, place), &files[place], PyBUF_SIMPLE) < 0) {
            while (place--)
                PyBuffer_Release(&files[place]);
            return -1;
        }
    return count;
}

static PyObject *py_decode_all(PyObject *self, PyObject *args)
{
    PyObject *list;
    Py_buffer pixels;
    Wishes wishes;
    int height, width;
    Py_ssize_t count, done = 0;
    (void)self;
    if (!PyArg_ParseTuple(args, "O!iippiiw*:decode_all", &PyList_Type, &list, &wishes.channels, &wishes.ratio,
                          &wishes.is_smooth, &wishes.is_fast, &height, &width, &pixels))
        return NULL;
    Py_buffer *files = PyMem_Calloc((size_t)PyList_Size(list) + 1, sizeof(Py_buffer));
    if (files == NULL || (count = take_contents(list, files)) < 0) {
        PyMem_Free(files);
        PyBuffer_Release(&pixels);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    Py_ssize_t area = (Py_ssize_t)height * width, room = count && area ? pixels.len / count : 0;
    Size size = {(JDIMENSION)height, (JDIMENSION)width, area ? (int)(room / area) : 0};
    Py_BEGIN_ALLOW_THREADS
    while (done < count && is_decoded_into((unsigned char *)pixels.buf + done * room, &files[done], wishes, size))
        done++;
    Py_END_ALLOW_THREADS
    for (Py_ssize_t place = 0; place < count; place++)
        PyBuffer_Release(&files[place]);
    PyMem_Free(files);
    PyBuffer_Release(&pixels);
    return PyLong_FromSsize_t(done);
}

static PyMethodDef methods[] = {
    {"decode", py_decode, METH_VARARGS,
     "decode(data, channels, ratio, is_smooth, is_fast): (height, width, channels, pixels) of a JPEG file at 1 / ratio\n"
     "of its size, as grey (1) or RGB (3) or as it is stored (0); None where Pillow has to look at it. `is_smooth` asks\n"
     "for smooth upsampling of colours, `is_fast` for the fast DCT."},
    {"decode_all", py_decode_all, METH_VARARGS,
     "decode_all(files, channels, ratio, is_smooth, is_fast, height, width, pixels): decodes a list of files into the\n"
     "images that `pixels` has room for, each of this size; how many there are before the first file that is declined\n"
     "or has an image of another size. Other threads run meanwhile."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(jpeg, "Decodes JPEG files.")
