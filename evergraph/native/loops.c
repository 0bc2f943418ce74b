/* Repeats a loop whose body is calls of functions, most of them C code, without Python between them; see
   compile/repeated.py. Values stand in registers: the loop variables, what else the functions take, and what they make.

   It is for the row `while_loop of 100` of benchmarks.
*/

#include "arrays.h"
#include <stdlib.h>
#include <string.h>

typedef PyObject *Fast(PyObject *self, PyObject *const *args, Py_ssize_t count);

/* A call of a function, with a context as its first argument. */
typedef struct {
    PyObject *function;
    Fast *fast; /* NULL for functions of Python */
    PyObject *self;
    int takes, makes; /* how many registers; if it makes -1, its result itself goes to one, otherwise it is a tuple */
    int *registers;   /* those that it takes, then those that it makes */
} Line;

typedef struct {
    int count;
    Line *lines;
    int results;
    int *registers; /* what the lines are for */
} Lines;

typedef struct {
    int variables, constants, registers, most_taken;
    Lines test, body;
} Loop;

enum { ENDED, LEFT, FAILED, MOST_REGISTERS = 1 << 20 };

static const char *const CAPSULE = "evergraph.loop";
static PyObject *array_type, *bool_type;

/* ---- what a loop is made of */

static void discard_lines(Lines *lines)
{
    for (int at = 0; lines->lines && at < lines->count; at++)
        free(lines->lines[at].registers);
    free(lines->lines);
    free(lines->registers);
}

static void discard(PyObject *capsule)
{
    Loop *loop = PyCapsule_GetPointer(capsule, CAPSULE);
    discard_lines(&loop->test);
    discard_lines(&loop->body);
    free(loop);
}

/* Copies the numbers of registers from tuples; NULL with an error. */
static int *learn_registers(PyObject *one, PyObject *other, int registers)
{
    Py_ssize_t first = PyTuple_Size(one), count = first + (other ? PyTuple_Size(other) : 0);
    int *found = first < 0 || count < first ? NULL : malloc((size_t)(count + 1) * sizeof *found);
    for (Py_ssize_t at = 0; found && at < count; at++) {
        long number = PyLong_AsLong(at < first ? PyTuple_GetItem(one, at) : PyTuple_GetItem(other, at - first));
        if (number < 0 || number >= registers) {
            free(found);
            found = NULL;
        } else {
            found[at] = (int)number;
        }
    }
    return found;
}

static int learn_line(Line *line, PyObject *given, int registers)
{
    PyObject *takes, *makes;
    int is_single;
    if (!PyArg_ParseTuple(given, "OO!O!p", &line->function, &PyTuple_Type, &takes, &PyTuple_Type, &makes, &is_single)
        || !(line->registers = learn_registers(takes, makes, registers)) || (is_single && PyTuple_Size(makes) != 1))
        return -1;
    line->takes = (int)PyTuple_Size(takes);
    line->makes = is_single ? -1 : (int)PyTuple_Size(makes);
    if (PyCFunction_CheckExact(line->function) && PyCFunction_GetFlags(line->function) == METH_FASTCALL) {
        line->fast = (Fast *)(void (*)(void))PyCFunction_GetFunction(line->function);
        line->self = PyCFunction_GetSelf(line->function);
    }
    return 0;
}

static int learn_lines(Lines *lines, PyObject *given, PyObject *results, Loop *loop)
{
    lines->count = (int)PyTuple_Size(given);
    lines->results = (int)PyTuple_Size(results);
    lines->lines = calloc((size_t)lines->count + 1, sizeof *lines->lines);
    if (!lines->lines || !(lines->registers = learn_registers(results, NULL, loop->registers)))
        return -1;
    for (int at = 0; at < lines->count; at++) {
        if (learn_line(&lines->lines[at], PyTuple_GetItem(given, at), loop->registers) < 0)
            return -1;
        if (lines->lines[at].takes > loop->most_taken)
            loop->most_taken = lines->lines[at].takes;
    }
    return 0;
}

static PyObject *py_make(PyObject *module, PyObject *args)
{
    PyObject *constants, *test, *tested, *body, *results;
    int variables, registers;
    (void)module;
    if (!PyArg_ParseTuple(args, "iiO!O!O!O!O!:make", &variables, &registers, &PyTuple_Type, &constants, &PyTuple_Type,
                          &test, &PyTuple_Type, &tested, &PyTuple_Type, &body, &PyTuple_Type, &results))
        return NULL;
    Loop *loop = calloc(1, sizeof *loop);
    PyObject *capsule = loop ? PyCapsule_New(loop, CAPSULE, discard) : NULL;
    if (!capsule) {
        free(loop);
        return PyErr_NoMemory();
    }
    loop->variables = variables;
    loop->registers = registers;
    loop->constants = (int)PyTuple_Size(constants);
    if (variables < 0 || registers < variables || registers > MOST_REGISTERS
        || loop->constants > registers - variables
        || learn_lines(&loop->test, test, tested, loop) < 0 || learn_lines(&loop->body, body, results, loop) < 0
        || loop->test.results != 1 || loop->body.results != variables) {
        Py_DECREF(capsule);
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "these lines are no loop");
        return NULL;
    }
    /* A tuple owns the constants and functions: unlike a capsule, it lets the garbage collector see them. */
    PyObject *made = PyTuple_Pack(4, capsule, constants, test, body);
    Py_DECREF(capsule);
    return made;
}

/* ---- running it */

static void put(PyObject **registers, int number, PyObject *value)
{
    PyObject *before = registers[number];
    registers[number] = value;
    Py_XDECREF(before);
}

/* Calls the function of a line: 0, or -1 with an error. */
static int run_line(const Line *line, PyObject *context, PyObject **registers, PyObject **args)
{
    const int *made = line->registers + line->takes;
    args[0] = context;
    for (int at = 0; at < line->takes; at++)
        if (!(args[1 + at] = registers[line->registers[at]])) {
            PyErr_SetString(PyExc_ValueError, "a line takes what none has made");
            return -1;
        }
    PyObject *result = line->fast ? line->fast(line->self, args, 1 + line->takes)
                                  : called(line->function, args, 1 + line->takes);
    if (!result)
        return -1;
    if (line->makes < 0) {
        put(registers, made[0], result);
        return 0;
    }
    if (!PyTuple_CheckExact(result) || PyTuple_Size(result) != line->makes) {
        Py_DECREF(result);
        PyErr_SetString(PyExc_ValueError, "a line makes another number of values");
        return -1;
    }
    for (int at = 0; at < line->makes; at++)
        put(registers, made[at], Py_NewRef(PyTuple_GetItem(result, at)));
    Py_DECREF(result);
    return 0;
}

static int run_lines(const Lines *lines, PyObject *context, PyObject **registers, PyObject **args)
{
    for (int at = 0; at < lines->count; at++)
        if (run_line(&lines->lines[at], context, registers, args) < 0)
            return -1;
    return 0;
}

/* Whether the loop goes on: 1 or 0; -1 if the result is no boolean. */
static int is_true(PyObject *value)
{
    if (!value || (PyObject *)Py_TYPE(value) != array_type || PyArray_NDIM(as_array(value))
        || (PyObject *)PyArray_DESCR(as_array(value)) != bool_type)
        return -1;
    return *PyArray_BYTES(as_array(value)) != 0;
}

/* Makes the results of the body the loop variables. */
static int take_over(const Loop *loop, PyObject **registers, PyObject **args)
{
    const Lines *body = &loop->body;
    for (int at = 0; at < loop->variables; at++)
        if (!registers[body->registers[at]])
            return -1;
    for (int at = 0; at < loop->variables; at++) /* a variable may take the value of another one */
        args[at] = Py_NewRef(registers[body->registers[at]]);
    for (int at = 0; at < loop->variables; at++)
        put(registers, at, args[at]);
    for (int at = loop->variables + loop->constants; at < loop->registers; at++)
        put(registers, at, NULL);
    return 0;
}

/* Runs up to `most` iterations. An iteration that fails has changed nothing, and is left to Python. */
static int run_loop(const Loop *loop, PyObject *context, PyObject **registers, PyObject **args, Py_ssize_t most,
                    Py_ssize_t *done)
{
    for (*done = 0; *done < most; ++*done) {
        int goes_on = -1;
        if (run_lines(&loop->test, context, registers, args) == 0)
            goes_on = is_true(registers[loop->test.registers[0]]);
        if (goes_on == 0)
            return ENDED;
        if (goes_on < 0 || run_lines(&loop->body, context, registers, args) < 0
            || take_over(loop, registers, args) < 0) {
            if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception))
                return FAILED;
            PyErr_Clear();
            return LEFT;
        }
        if (PyErr_CheckSignals() < 0)
            return FAILED;
    }
    return LEFT;
}

static PyObject *py_repeat(PyObject *module, PyObject *given)
{
    PyObject *made, *context, *values, *result = NULL;
    Py_ssize_t most, done = 0;
    (void)module;
    if (!PyArg_ParseTuple(given, "O!OO!n:repeat", &PyTuple_Type, &made, &context, &PyTuple_Type, &values, &most))
        return NULL;
    if (PyTuple_Size(made) != 4 || !PyCapsule_IsValid(PyTuple_GetItem(made, 0), CAPSULE))
        return PyErr_Format(PyExc_ValueError, "this is no loop");
    const Loop *loop = PyCapsule_GetPointer(PyTuple_GetItem(made, 0), CAPSULE);
    if (PyTuple_Size(values) != loop->variables)
        return PyErr_Format(PyExc_ValueError, "a loop of %d variables got %zd", loop->variables, PyTuple_Size(values));
    int room = (loop->most_taken > loop->variables ? loop->most_taken : loop->variables) + 1;
    PyObject **registers = calloc((size_t)(loop->registers + room), sizeof *registers), *constants;
    if (!registers)
        return PyErr_NoMemory();
    constants = PyTuple_GetItem(made, 1);
    for (int at = 0; at < loop->variables + loop->constants; at++)
        registers[at] = Py_NewRef(at < loop->variables ? PyTuple_GetItem(values, at)
                                                       : PyTuple_GetItem(constants, at - loop->variables));
    int end = run_loop(loop, context, registers, registers + loop->registers, most, &done);
    PyObject *variables = end == FAILED ? NULL : PyTuple_New(loop->variables);
    for (int at = 0; variables && at < loop->variables; at++)
        PyTuple_SetItem(variables, at, Py_NewRef(registers[at]));
    if (variables)
        result = Py_BuildValue("NnO", variables, done, end == ENDED ? Py_True : Py_False);
    for (int at = 0; at < loop->registers; at++)
        Py_XDECREF(registers[at]);
    free(registers);
    return result;
}

static PyObject *py_prepare(PyObject *module, PyObject *args)
{
    PyObject *type, *boolean;
    (void)module;
    if (!PyArg_ParseTuple(args, "OO:prepare", &type, &boolean))
        return NULL;
    Py_XDECREF(array_type);
    Py_XDECREF(bool_type);
    array_type = Py_NewRef(type);
    bool_type = Py_NewRef(boolean);
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"prepare", py_prepare, METH_VARARGS, "prepare(numpy.ndarray, dtype of booleans): tells what conditions are."},
    {"make", py_make, METH_VARARGS,
     "make(number of variables, number of registers, constants, lines of the condition, its register, lines of the body, "
     "its registers): a loop."},
    {"repeat", py_repeat, METH_VARARGS,
     "repeat(loop, context, variables, most): runs iterations; (variables, their number, whether it is over)."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(loops, "Repeats loops on the host; see compile/repeated.py.")
