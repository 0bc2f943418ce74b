/* Matches and rewrites strings by regular expressions, in time that is linear in the string.

   A program (ops/strings/programs.py) is a list of instructions over bytes. It is run by backtracking, in the order of the
   alternatives of the pattern, so that the first match is RE2's. A choice that was made at some place of the string is not
   made there again: from there it has failed, or it would not come up again. Of the two sides of a choice, those that the
   next byte excludes are not tried, which leaves most choices with one side.

   strings.h says how functions take arrays of strings. The twins in Python are in ops/strings/expressions.py.

   Row `regex_full_match` of benchmarks is 23 times as fast as with google-re2, which is called for each string,
   `regex_replace` 3 times.
*/

#include "utf8.h"
#include <stdlib.h>

enum { BYTE, JUMP, SPLIT, SAVE, ASSERT, MATCH }; /* as programs.py numbers them */
enum { TEXT_BEGINS, TEXT_ENDS, LINE_BEGINS, LINE_ENDS, WORD_ENDS, WORD_GOES_ON };
enum { MOST_SLOTS = 20, END = 256, ROW = 33, LARGEST_MEMORY = 1 << 26, RESTORE = -1 };

/* SPLIT prefers `to` to `other`, and is choice number `number`; SAVE and ASSERT have what they are about in `to`. */
typedef struct {
    int32_t kind, to, other, number;
} Instruction;

typedef struct {
    const Instruction *code;
    const uint8_t *firsts; /* for each instruction, a bit for each byte, or END, that may come next */
    Py_ssize_t count;
    size_t words; /* of 64 bits, for a bit of each choice */
} Program;

/* What to go on with when a path fails: an instruction and a place; or what a slot held before (to is RESTORE). */
typedef struct {
    int32_t to, slot;
    const uint8_t *at;
} Resume;

typedef struct {
    Program program;
    Span text;
    const uint8_t *slots[MOST_SLOTS], *furthest;
    uint64_t *seen; /* choices that were made, for each place of the string */
    size_t room;
    Resume *stack;
    size_t depth, stack_room;
    int is_whole;
} Matcher;

/* ---- programs */

static int is_program(const Program *program)
{
    int64_t choices = 0;
    if (program->count < 1 || program->code[program->count - 1].kind != MATCH)
        return 0;
    for (Py_ssize_t i = 0; i < program->count; i++) {
        Instruction at = program->code[i];
        choices += at.kind == SPLIT;
        if (at.kind < BYTE || at.kind > MATCH
            || ((at.kind == JUMP || at.kind == SPLIT) && (at.to < 0 || at.to >= program->count))
            || (at.kind == SPLIT && (at.other < 0 || at.other >= program->count || at.number != choices - 1))
            || (at.kind == SAVE && (at.to < 0 || at.to >= MOST_SLOTS))
            || (at.kind == ASSERT && (at.to < TEXT_BEGINS || at.to > WORD_GOES_ON)))
            return 0;
    }
    return 1;
}

/* Reads a program out of its arrays; 0 and an error if it is none. */
static int open_program(const Py_buffer *code, const Py_buffer *firsts, Program *program)
{
    *program = (Program){code->buf, firsts->buf, code->len / (Py_ssize_t)sizeof(Instruction), 0};
    if (!fits(code->len % (Py_ssize_t)sizeof(Instruction) == 0 && firsts->len == ROW * program->count
              && is_program(program)))
        return 0;
    size_t choices = 0;
    for (Py_ssize_t i = 0; i < program->count; i++)
        choices += program->code[i].kind == SPLIT;
    program->words = (choices + 63) / 64;
    return 1;
}

static int may_begin(const Program *program, int32_t instruction, int byte)
{
    return program->firsts[(size_t)instruction * ROW + (size_t)(byte >> 3)] >> (byte & 7) & 1;
}

/* ---- one path */

static int byte_at(const Matcher *matcher, const uint8_t *at) { return at < matcher->text.end ? *at : END; }

static int is_word(int byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

static int holds(const Matcher *matcher, int32_t what, const uint8_t *at)
{
    int before = at > matcher->text.at ? at[-1] : END, after = byte_at(matcher, at);
    int turns = is_word(before) != is_word(after);
    return what == TEXT_BEGINS   ? before == END
           : what == TEXT_ENDS   ? after == END
           : what == LINE_BEGINS ? before == END || before == '\n'
           : what == LINE_ENDS   ? after == END || after == '\n'
           : what == WORD_ENDS   ? turns
                                 : !turns;
}

static int push(Matcher *matcher, Resume resume)
{
    if (matcher->depth == matcher->stack_room) {
        size_t room = matcher->stack_room ? 2 * matcher->stack_room : 64;
        Resume *stack = PyMem_Realloc(matcher->stack, room * sizeof *stack);
        if (stack == NULL) {
            PyErr_NoMemory();
            return 0;
        }
        matcher->stack = stack;
        matcher->stack_room = room;
    }
    matcher->stack[matcher->depth++] = resume;
    return 1;
}

/* Whether a choice comes up at a place for the first time. */
static int is_new(Matcher *matcher, int32_t choice, const uint8_t *at)
{
    uint64_t *word = matcher->seen + (size_t)(at - matcher->text.at) * matcher->program.words + choice / 64;
    uint64_t bit = (uint64_t)1 << (choice & 63);
    if (*word & bit)
        return 0;
    *word |= bit;
    matcher->furthest = at > matcher->furthest ? at : matcher->furthest;
    return 1;
}

/* Goes back to the last choice whose other side was not tried; 0 if there is none. */
static int go_back(Matcher *matcher, int32_t *to, const uint8_t **at)
{
    while (matcher->depth) {
        Resume last = matcher->stack[--matcher->depth];
        if (last.to != RESTORE) {
            *to = last.to;
            *at = last.at;
            return 1;
        }
        matcher->slots[last.slot] = last.at;
    }
    return 0;
}

enum { NO, YES, ERROR };

/* Chooses a side: the instruction to go on with, -1 if the path fails, -2 after an error. */
static inline int32_t chosen(Matcher *matcher, const Instruction *now, const uint8_t *at)
{
    int next = byte_at(matcher, at);
    int is_one = may_begin(&matcher->program, now->to, next), is_other = may_begin(&matcher->program, now->other, next);
    if (!(is_one || is_other) || !is_new(matcher, now->number, at))
        return -1;
    if (is_one != is_other)
        return is_one ? now->to : now->other;
    return push(matcher, (Resume){now->other, 0, at}) ? now->to : -2;
}

/* Follows a path as far as it goes. YES if it ends with a match, which ends at `at`. */
static int follow(Matcher *matcher, int32_t to, const uint8_t **place)
{
    const Instruction *code = matcher->program.code;
    const uint8_t *at = *place;
    for (;;) {
        const Instruction *now = code + to;
        switch (now->kind) {
        case BYTE:
            if (at == matcher->text.end || !may_begin(&matcher->program, to, *at))
                return NO;
            at++;
            to++;
            break;
        case SPLIT:
            to = chosen(matcher, now, at);
            if (to < 0)
                return to == -1 ? NO : ERROR;
            break;
        case JUMP:
            to = now->to;
            break;
        case SAVE:
            if (matcher->depth && !push(matcher, (Resume){RESTORE, now->to, matcher->slots[now->to]}))
                return ERROR;
            matcher->slots[now->to] = at;
            to++;
            break;
        case ASSERT:
            if (!holds(matcher, now->to, at))
                return NO;
            to++;
            break;
        default:
            *place = at;
            return !matcher->is_whole || at == matcher->text.end;
        }
    }
}

/* Matches from a place on. The slots 0 and 1 are where the match begins and ends. */
static int match_at(Matcher *matcher, const uint8_t *at)
{
    int32_t to = 0;
    memset(matcher->slots, 0, sizeof matcher->slots);
    matcher->slots[0] = at;
    matcher->depth = 0;
    for (;;) {
        int status = follow(matcher, to, &at);
        if (status == YES)
            matcher->slots[1] = at;
        if (status != NO || !go_back(matcher, &to, &at))
            return status;
    }
}

/* Finds the first match from a place on, and forgets the choices that were made. */
static int search(Matcher *matcher, const uint8_t *from)
{
    int status = NO;
    matcher->furthest = from;
    for (const uint8_t *at = from; status == NO; at++) {
        if (may_begin(&matcher->program, 0, byte_at(matcher, at)))
            status = match_at(matcher, at);
        if (at == matcher->text.end || matcher->is_whole)
            break;
    }
    if (matcher->program.words)
        memset(matcher->seen + (size_t)(from - matcher->text.at) * matcher->program.words, 0,
               (size_t)(matcher->furthest - from + 1) * matcher->program.words * sizeof *matcher->seen);
    return status;
}

/* ---- strings */

/* Makes room for the choices at each place of a string. */
static int begin(Matcher *matcher, Span text)
{
    size_t room = (size_of(text) + 1) * matcher->program.words;
    matcher->text = text;
    if (size_of(text) >= LARGEST_MEMORY || room > LARGEST_MEMORY / sizeof *matcher->seen)
        return DECLINED;
    if (room > matcher->room) {
        uint64_t *seen = PyMem_Calloc(room, sizeof *seen);
        if (seen == NULL) {
            PyErr_NoMemory();
            return FAILED;
        }
        PyMem_Free(matcher->seen);
        matcher->seen = seen;
        matcher->room = room;
    }
    return FINE;
}

static void end(Matcher *matcher)
{
    PyMem_Free(matcher->seen);
    PyMem_Free(matcher->stack);
}

typedef struct {
    Matcher matcher;
    uint8_t *out;
} Matches;

static int match(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Matches *job = given;
    int status = begin(&job->matcher, text);
    (void)item;
    if (status != FINE)
        return status;
    status = search(&job->matcher, text.at);
    job->out[at] = status == YES;
    return status == ERROR ? FAILED : FINE;
}

static PyObject *py_match(PyObject *self, PyObject *args)
{
    Strings strings;
    Py_buffer code, firsts, out;
    Py_ssize_t start;
    PyObject *result = NULL;
    Matches job = {.matcher = {.is_whole = 1}};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&ny*y*w*:match", to_read, &strings, &start, &code, &firsts, &out))
        return NULL;
    job.out = out.buf;
    if (open_program(&code, &firsts, &job.matcher.program))
        result = walk_if(&strings, start, out.len, match, &job);
    end(&job.matcher);
    close_strings(&strings);
    PyBuffer_Release(&code);
    PyBuffer_Release(&firsts);
    PyBuffer_Release(&out);
    return result;
}

/* ---- rewriting */

/* A part of what stands for a match: a text, or the group of a number. */
typedef struct {
    Span text;
    long group; /* -1: the text */
} Piece;

typedef struct {
    Matcher matcher;
    Piece *pieces;
    Py_ssize_t piece_count;
    int is_everywhere;
    uint8_t *text; /* what was written */
    size_t size, room;
    Strings *out;
} Rewriting;

static int append(Rewriting *job, Span text)
{
    if (size_of(text) > job->room - job->size) {
        size_t room = 2 * job->room + size_of(text);
        uint8_t *bytes = room > PTRDIFF_MAX / 2 ? NULL : PyMem_Realloc(job->text, room);
        if (bytes == NULL) {
            PyErr_NoMemory();
            return FAILED;
        }
        job->text = bytes;
        job->room = room;
    }
    if (size_of(text))
        memcpy(job->text + job->size, text.at, size_of(text));
    job->size += size_of(text);
    return FINE;
}

/* Reads a tuple of bytes and numbers; 0 and an error for others. */
static int open_pieces(PyObject *tuple, Rewriting *job)
{
    job->piece_count = PyTuple_Size(tuple);
    job->pieces = PyMem_Calloc((size_t)job->piece_count + 1, sizeof *job->pieces);
    if (job->pieces == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t i = 0; i < job->piece_count; i++) {
        PyObject *piece = PyTuple_GetItem(tuple, i);
        job->pieces[i].group = is_string(piece, &job->pieces[i].text) ? -1 : PyLong_AsLong(piece);
        if (PyErr_Occurred() || !fits(job->pieces[i].group < MOST_SLOTS / 2 && job->pieces[i].group >= -1))
            return 0;
    }
    return 1;
}

/* Writes what stands for a match. A group that took no part in it is empty. */
static int append_pieces(Rewriting *job)
{
    int status = FINE;
    for (Py_ssize_t i = 0; status == FINE && i < job->piece_count; i++) {
        Piece piece = job->pieces[i];
        if (piece.group >= 0) {
            piece.text = (Span){job->matcher.slots[2 * piece.group], job->matcher.slots[2 * piece.group + 1]};
            if (piece.text.at == NULL || piece.text.end == NULL)
                continue;
        }
        status = append(job, piece.text);
    }
    return status;
}

/* Behind the character at the beginning of a text, which is not empty. RE2 takes surrogates for characters, and a byte
   that begins none for one. */
static const uint8_t *behind_character(Span text)
{
    const uint8_t *at = text.at;
    if (size_of(text) >= 3 && at[0] == 0xED && at[1] >= 0xA0 && at[1] <= 0xBF && (at[2] & 0xC0) == 0x80)
        return at + 3;
    return take_character(&text) == MALFORMED ? at + 1 : text.at;
}

/* An empty match right behind another does not count: the character there is taken over. */
static int rewrite_matches(Rewriting *job, Span text, int *is_changed)
{
    const uint8_t *at = text.at, *last = NULL;
    int status = NO;
    while (at <= text.end && (status = search(&job->matcher, at)) == YES) {
        const uint8_t *from = job->matcher.slots[0], *to = job->matcher.slots[1];
        if (append(job, (Span){at, from}) != FINE)
            return FAILED;
        at = to;
        if (from == to && to == last) {
            if (at == text.end)
                return FINE;
            at = behind_character((Span){at, text.end});
            if (append(job, (Span){to, at}) != FINE)
                return FAILED;
            continue;
        }
        *is_changed = 1;
        if (append_pieces(job) != FINE)
            return FAILED;
        last = at;
        if (!job->is_everywhere)
            break;
    }
    return status == ERROR ? FAILED : append(job, (Span){at, text.end});
}

static int rewrite(PyObject *item, Span text, Py_ssize_t at, void *given)
{
    Rewriting *job = given;
    int is_changed = 0, status = begin(&job->matcher, text);
    if (status != FINE)
        return status;
    job->size = 0;
    if (rewrite_matches(job, text, &is_changed) != FINE)
        return FAILED;
    return put(job->out, at,
               is_changed ? PyBytes_FromStringAndSize((const char *)job->text, (Py_ssize_t)job->size) : Py_NewRef(item));
}

static PyObject *py_rewrite(PyObject *self, PyObject *args)
{
    Strings strings, out;
    Py_buffer code, firsts;
    Py_ssize_t start;
    PyObject *pieces, *result = NULL;
    Rewriting job = {0};
    (void)self;
    if (!PyArg_ParseTuple(args, "O&ny*y*O!pO&:rewrite", to_read, &strings, &start, &code, &firsts, &PyTuple_Type, &pieces,
                          &job.is_everywhere, to_write, &out))
        return NULL;
    job.out = &out;
    if (open_program(&code, &firsts, &job.matcher.program) && open_pieces(pieces, &job))
        result = walk_if(&strings, start, out.count, rewrite, &job);
    end(&job.matcher);
    PyMem_Free(job.pieces);
    PyMem_Free(job.text);
    close_strings(&strings);
    close_strings(&out);
    PyBuffer_Release(&code);
    PyBuffer_Release(&firsts);
    return result;
}

static PyMethodDef methods[] = {
    {"match", py_match, METH_VARARGS,
     "match(strings, start, code, firsts, out): whether the program matches the whole of each string. code has four int32\n"
     "for each instruction, firsts 33 bytes with a bit for each byte, or the end, that it may begin with."},
    {"rewrite", py_rewrite, METH_VARARGS,
     "rewrite(strings, start, code, firsts, pieces, is_everywhere, out): strings in which the first match, or every one,\n"
     "is replaced by the pieces, bytes and numbers of groups. Group n is saved in the slots 2 * n and 2 * n + 1."},
    {NULL, NULL, 0, NULL},
};

METHOD_MODULE(expressions, "Regular expressions in linear time.")
