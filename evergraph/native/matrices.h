/* Batches of small matrices, for XLA's programs on CPUs: linear systems, inverses, determinants, Cholesky factors,
   eigenvectors, singular vectors; triangular and tridiagonal systems of any size.

   matrices.c and matrices64.c are the modules for float32 and float64. Matrices are stored by rows.

   Of benchmarks.sweep, `matrix_determinant of small matrices` is 4.4 times as fast as with LAPACK, `tridiagonal_solve` 30,
   `matrix_inverse of small matrices` 2.7, `matrix_solve` 2.3, `matrix_triangular_solve` 4.5, `cholesky of small matrices`
   1.5, its gradient 2.3, `self_adjoint_eig, eigenvectors of small matrices` 3.3 and `svd, vectors of small matrices` 4.5.
*/

#include "ffi.h"

#include <math.h>
#include <string.h>

static const Number ROUNDING = sizeof(Number) == 8 ? 0x1p-53 : 0x1p-24;

enum { MOST = 64, MANY = 512 };                           /* rows; of triangular matrices */
enum { WORTH_A_PIECE = 1 << 21, STEPS = 40 };            /* multiplications; for one eigenvalue, or rounds of rotations */
enum { LOWER = 1, TRANSPOSED = 2, UNIT = 4 };            /* options of triangular systems */

typedef struct {
    const Number *left, *right;
    Number *first, *second, *third;
    int64_t size, columns; /* rows of a matrix, and columns of its right side */
    int option;
    atomic_int failed;
} Job;

INLINE Number magnitude(Number x) { return x < 0 ? -x : x; }

INLINE void swap_rows(Number *restrict one, Number *restrict other, int64_t size)
{
    for (int64_t at = 0; at < size; at++) {
        Number kept = one[at];
        one[at] = other[at];
        other[at] = kept;
    }
}

INLINE void subtract_multiple(Number *restrict row, const Number *restrict other, Number factor, int64_t size)
{
    for (int64_t at = 0; at < size; at++)
        row[at] -= factor * other[at];
}

/* The same with four rows at a time, `count` of them in all, whose factors are `step` apart. */
INLINE void subtract_multiples(Number *restrict row, const Number *restrict others, const Number *factors, int64_t step,
                               int64_t count, int64_t size)
{
    for (; count >= 4; count -= 4, others += 4 * size, factors += 4 * step) {
        Number first = factors[0], second = factors[step], third = factors[2 * step], fourth = factors[3 * step];
        for (int64_t at = 0; at < size; at++)
            row[at] -= first * others[at] + second * others[size + at] + third * others[2 * size + at]
                       + fourth * others[3 * size + at];
    }
    for (; count > 0; count--, others += size, factors += step)
        subtract_multiple(row, others, *factors, size);
}

/* ---- systems */

/* The LU decomposition in place, with the largest element of a column as its pivot. Swaps the rows of `right` too, and
   returns the sign of the permutation. A column of zeros has no pivot and is left. */
INLINE int decompose(Number *a, int64_t size, Number *right, int64_t columns)
{
    int sign = 1;
    for (int64_t pivot = 0; pivot < size; pivot++) {
        int64_t best = pivot;
        Number *line = a + pivot * size;
        for (int64_t row = pivot + 1; row < size; row++)
            best = magnitude(a[row * size + pivot]) > magnitude(a[best * size + pivot]) ? row : best;
        if (best != pivot) {
            swap_rows(line, a + best * size, size);
            swap_rows(right + pivot * columns, right + best * columns, columns);
            sign = -sign;
        }
        if (line[pivot] == 0)
            continue;
        for (int64_t row = pivot + 1; row < size; row++) {
            Number factor = a[row * size + pivot] /= line[pivot];
            subtract_multiple(a + row * size + pivot + 1, line + pivot + 1, factor, size - pivot - 1);
        }
    }
    return sign;
}

/* Solves a triangular system in place. */
INLINE void substitute(const Number *a, int64_t size, int option, Number *x, int64_t columns)
{
    int transposed = (option & TRANSPOSED) != 0, forwards = ((option & LOWER) != 0) != transposed;
    for (int64_t step = 0; step < size; step++) {
        int64_t row = forwards ? step : size - 1 - step, from = forwards ? 0 : row + 1, to = forwards ? row : size;
        Number *line = x + row * columns, pivot = option & UNIT ? 1 : a[row * size + row];
        subtract_multiples(line, x + from * columns, a + (transposed ? from * size + row : row * size + from),
                           transposed ? size : 1, to - from, columns);
        for (int64_t at = 0; at < columns; at++)
            line[at] /= pivot;
    }
}

INLINE void solve_one(const Number *a, int64_t size, Number *x, int64_t columns)
{
    Number room[MOST * MOST];
    memcpy(room, a, size * size * sizeof *room);
    decompose(room, size, x, columns);
    substitute(room, size, LOWER | UNIT, x, columns);
    substitute(room, size, 0, x, columns);
}

FAST static void solve_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t whole = job->size * job->size, side = job->size * job->columns;
    memcpy(job->first + from * side, job->right + from * side, (to - from) * side * sizeof(Number));
    for (long at = from; at < to; at++)
        solve_one(job->left + at * whole, job->size, job->first + at * side, job->columns);
}

FAST static void invert_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t size = job->size, whole = size * size;
    for (long at = from; at < to; at++) {
        Number *x = job->first + at * whole;
        memset(x, 0, whole * sizeof *x);
        for (int64_t row = 0; row < size; row++)
            x[row * size + row] = 1;
        solve_one(job->left + at * whole, size, x, size);
    }
}

FAST static void substitute_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t whole = job->size * job->size, side = job->size * job->columns;
    memcpy(job->first + from * side, job->right + from * side, (to - from) * side * sizeof(Number));
    for (long at = from; at < to; at++)
        substitute(job->left + at * whole, job->size, job->option, job->first + at * side, job->columns);
}

/* Eliminates row `row + 1` of a tridiagonal system by the row before, whichever of them has the larger first element.
   `far` are the elements two to the right of the main diagonal, which appear when rows are swapped. */
INLINE void eliminate(Number *main, Number *above, Number *far, Number below, int64_t row, Number *x, int64_t columns)
{
    Number *next = x + columns;
    far[row] = 0;
    if (magnitude(main[row]) < magnitude(below)) {
        Number first = main[row], second = above[row];
        main[row] = below, above[row] = main[row + 1], far[row] = above[row + 1];
        below = first, main[row + 1] = second, above[row + 1] = 0;
        swap_rows(x, next, columns);
    }
    Number factor = below / main[row];
    main[row + 1] -= factor * above[row];
    above[row + 1] -= factor * far[row];
    subtract_multiple(next, x, factor, columns);
}

/* `diagonals` are the super-, main and subdiagonal; the last element of the first and the first of the last are not read.
   `room` is for as many. */
INLINE void sweep_one(const Number *diagonals, int64_t size, Number *room, Number *x, int64_t columns)
{
    Number *above = room, *main = room + size, *far = main + size;
    const Number *below = diagonals + 2 * size;
    memcpy(room, diagonals, 2 * size * sizeof *room);
    above[size - 1] = 0;
    for (int64_t row = 0; row < size - 1; row++)
        eliminate(main, above, far, below[row + 1], row, x + row * columns, columns);
    for (int64_t row = size - 1; row >= 0; row--) {
        Number *line = x + row * columns;
        if (row < size - 1)
            subtract_multiple(line, line + columns, above[row], columns);
        if (row < size - 2)
            subtract_multiple(line, line + 2 * columns, far[row], columns);
        for (int64_t at = 0; at < columns; at++)
            line[at] /= main[row];
    }
}

FAST static void sweep_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t size = job->size, side = size * job->columns;
    Number *room = memory_for(times(3, size), sizeof *room);
    if (!room) {
        atomic_store(&job->failed, 1);
        return;
    }
    memcpy(job->first + from * side, job->right + from * side, (to - from) * side * sizeof(Number));
    for (long at = from; at < to; at++)
        sweep_one(job->left + at * 3 * size, size, room, job->first + at * side, job->columns);
    free(room);
}

/* The determinants; or with an option the logarithms of their magnitudes, and their signs. */
FAST static void determine_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t size = job->size;
    Number room[MOST * MOST];
    for (long at = from; at < to; at++) {
        memcpy(room, job->left + at * size * size, size * size * sizeof *room);
        Number sign = decompose(room, size, room, 0), product = 1, sum = 0;
        for (int64_t row = 0; row < size; row++) {
            Number pivot = room[row * size + row];
            product *= pivot;
            if (job->option) {
                sum += (Number)log((double)magnitude(pivot));
                sign = pivot > 0 ? sign : pivot < 0 ? -sign : 0;
            }
        }
        job->first[at] = job->option ? sum : sign * product;
        job->second[at] = sign;
    }
}

/* ---- Cholesky factors: of the lower triangle, NaN where a pivot is not positive */

INLINE int factor_one(const Number *a, int64_t size, Number *l)
{
    memset(l, 0, size * size * sizeof *l);
    for (int64_t row = 0; row < size; row++) {
        Number *line = l + row * size, rest = a[row * size + row];
        for (int64_t column = 0; column < row; column++) {
            const Number *other = l + column * size;
            Number sum = a[row * size + column];
            for (int64_t at = 0; at < column; at++)
                sum -= line[at] * other[at];
            line[column] = sum / other[column];
            rest -= line[column] * line[column];
        }
        if (!(rest > 0))
            return 0;
        line[row] = (Number)sqrt((double)rest);
    }
    return 1;
}

FAST static void factor_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t whole = job->size * job->size;
    for (long at = from; at < to; at++) {
        Number *l = job->first + at * whole;
        if (!factor_one(job->left + at * whole, job->size, l))
            for (int64_t place = 0; place < whole; place++)
                l[place] = place % job->size <= place / job->size ? (Number)NAN : 0;
    }
}

/* ---- eigenvectors of symmetric matrices: reflections to a tridiagonal matrix, then rotations with implicit shifts */

/* Removes column `at` below the subdiagonal by a reflection I - scale * v v^T of the later rows and columns; returns the
   subdiagonal element. The rows of `vectors` are reflected with them. */
INLINE Number reflect(Number *a, Number *vectors, int64_t size, int64_t at)
{
    Number v[MOST], w[MOST], tail = 0, first = a[(at + 1) * size + at], along = 0;
    for (int64_t row = at + 2; row < size; row++)
        tail += a[row * size + at] * a[row * size + at];
    if (tail == 0)
        return first;
    Number length = (Number)sqrt((double)(first * first + tail)), end = first > 0 ? -length : length;
    Number scale = (end - first) / end;
    v[at + 1] = 1;
    for (int64_t row = at + 2; row < size; row++)
        v[row] = a[row * size + at] / (first - end);
    for (int64_t row = at + 1; row < size; row++) {
        w[row] = 0;
        for (int64_t column = at + 1; column < size; column++)
            w[row] += a[row * size + column] * v[column];
        w[row] *= scale;
        along += w[row] * v[row];
    }
    for (int64_t row = at + 1; row < size; row++)
        w[row] -= scale / 2 * along * v[row];
    for (int64_t row = at + 1; row < size; row++)
        for (int64_t column = at + 1; column < size; column++)
            a[row * size + column] -= v[row] * w[column] + w[row] * v[column];
    memset(w, 0, size * sizeof *w);
    for (int64_t row = at + 1; row < size; row++)
        subtract_multiple(w, vectors + row * size, -scale * v[row], size);
    for (int64_t row = at + 1; row < size; row++)
        subtract_multiple(vectors + row * size, w, v[row], size);
    return end;
}

INLINE void rotate(Number *restrict one, Number *restrict other, Number cosine, Number sine, int64_t size)
{
    for (int64_t at = 0; at < size; at++) {
        Number x = one[at], y = other[at];
        one[at] = cosine * x - sine * y;
        other[at] = sine * x + cosine * y;
    }
}

/* One step on rows first, ..., last of the tridiagonal matrix, from the last row up. */
INLINE void chase(Number *main, Number *beside, Number *vectors, int64_t size, int64_t first, int64_t last)
{
    Number half = (main[first + 1] - main[first]) / (2 * beside[first]);
    Number root = (Number)sqrt((double)half * half + 1), cosine = 1, sine = 1, shifted = 0;
    Number bulge = main[last] - main[first] + beside[first] / (half + (half < 0 ? -root : root));
    for (int64_t row = last - 1; row >= first; row--) {
        Number out = sine * beside[row], in = cosine * beside[row];
        Number length = (Number)sqrt((double)out * out + (double)bulge * bulge);
        beside[row + 1] = length;
        if (length == 0) { /* the matrix falls into two */
            main[row + 1] -= shifted;
            beside[last] = 0;
            return;
        }
        sine = out / length;
        cosine = bulge / length;
        Number rest = main[row + 1] - shifted, turned = (main[row] - rest) * sine + 2 * cosine * in;
        shifted = sine * turned;
        main[row + 1] = rest + shifted;
        bulge = cosine * turned - in;
        rotate(vectors + row * size, vectors + (row + 1) * size, cosine, sine, size);
    }
    main[first] -= shifted;
    beside[first] = bulge;
    beside[last] = 0;
}

/* Diagonalizes a tridiagonal matrix; returns whether that ended. */
INLINE int diagonalize(Number *main, Number *beside, Number *vectors, int64_t size)
{
    for (int64_t first = 0; first < size; first++)
        for (int step = 0;; step++) {
            int64_t last = first;
            while (last < size - 1
                   && magnitude(beside[last]) > ROUNDING * (magnitude(main[last]) + magnitude(main[last + 1])))
                last++;
            if (last == first)
                break;
            if (step == STEPS)
                return 0;
            chase(main, beside, vectors, size, first, last);
        }
    return 1;
}

/* A full symmetric matrix from the lower triangle of another, divided by its largest magnitude, which is returned. */
INLINE Number symmetrized(const Number *a, int64_t size, Number *result)
{
    Number largest = 0;
    for (int64_t row = 0; row < size; row++)
        for (int64_t column = 0; column <= row; column++) {
            Number x = magnitude(a[row * size + column]);
            largest = x > largest || x != x ? x : largest;
        }
    Number scale = largest == 0 ? 1 : largest;
    for (int64_t row = 0; row < size; row++)
        for (int64_t column = 0; column <= row; column++)
            result[row * size + column] = result[column * size + row] = a[row * size + column] / scale;
    return scale;
}

/* The order of eigenvalues, ascending. */
INLINE void sort_places(const Number *values, int64_t size, int64_t *order)
{
    for (int64_t at = 0; at < size; at++) {
        int64_t place = at;
        for (; place && values[order[place - 1]] > values[at]; place--)
            order[place] = order[place - 1];
        order[place] = at;
    }
}

INLINE void eigen_one(const Number *a, int64_t size, Number *values, Number *vectors)
{
    Number room[MOST * MOST], turned[MOST * MOST], main[MOST], beside[MOST];
    Number scale = symmetrized(a, size, room);
    int64_t order[MOST];
    memset(turned, 0, size * size * sizeof *turned);
    for (int64_t row = 0; row < size; row++)
        turned[row * size + row] = 1;
    for (int64_t row = 0; row < size - 1; row++)
        beside[row] = reflect(room, turned, size, row);
    for (int64_t row = 0; row < size; row++)
        main[row] = room[row * size + row];
    int fine = scale - scale == 0 && diagonalize(main, beside, turned, size);
    sort_places(main, size, order);
    for (int64_t column = 0; column < size; column++) {
        values[column] = fine ? main[order[column]] * scale : (Number)NAN;
        for (int64_t row = 0; row < size; row++)
            vectors[row * size + column] = fine ? turned[order[column] * size + row] : (Number)NAN;
    }
}

FAST static void eigen_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t size = job->size, whole = size * size;
    for (long at = from; at < to; at++)
        eigen_one(job->left + at * whole, size, job->first + at * size, job->second + at * whole);
}

/* ---- singular vectors: rotations of pairs of columns until all columns are orthogonal (Hestenes) */

INLINE Number dot(const Number *one, const Number *other, int64_t size)
{
    Number sum = 0;
    for (int64_t at = 0; at < size; at++)
        sum += one[at] * other[at];
    return sum;
}

/* Makes two columns, which are stored as rows, orthogonal by a rotation; returns whether they were not. */
INLINE int separate(Number *one, Number *other, int64_t size, Number *one_vector, Number *other_vector, int64_t columns)
{
    Number first = dot(one, one, size), second = dot(other, other, size), both = dot(one, other, size);
    if (!(magnitude(both) > 2 * ROUNDING * (Number)sqrt((double)first * second)))
        return 0;
    Number half = (second - first) / (2 * both), root = (Number)sqrt(1 + (double)half * half);
    Number tangent = 1 / (half < 0 ? half - root : half + root);
    Number cosine = (Number)(1 / sqrt(1 + (double)tangent * tangent)), sine = cosine * tangent;
    rotate(one, other, cosine, sine, size);
    rotate(one_vector, other_vector, cosine, sine, columns);
    return 1;
}

/* Fills a row with a unit vector that is orthogonal to the rows before it. */
INLINE void complete(Number *rows, int64_t row, int64_t size)
{
    Number *line = rows + row * size, least = 2;
    int64_t best = 0;
    for (int64_t at = 0; at < size; at++) {
        Number covered = 0;
        for (int64_t other = 0; other < row; other++)
            covered += rows[other * size + at] * rows[other * size + at];
        best = covered < least ? at : best;
        least = covered < least ? covered : least;
    }
    memset(line, 0, size * sizeof *line);
    line[best] = 1;
    for (int again = 0; again < 2; again++)
        for (int64_t other = 0; other < row; other++)
            subtract_multiple(line, rows + other * size, dot(line, rows + other * size, size), size);
    Number length = (Number)sqrt((double)dot(line, line, size));
    for (int64_t at = 0; at < size; at++)
        line[at] /= length;
}

/* The rows of `turned` in descending order of their lengths, which are the singular values, as unit vectors. */
INLINE void normalize(const Number *turned, const Number *lengths, const int64_t *order, int64_t columns, int64_t size,
                      Number *units)
{
    Number negligible = lengths[order[columns - 1]] * ROUNDING * 2 * size;
    for (int64_t row = 0; row < columns; row++) {
        int64_t from = order[columns - 1 - row];
        if (!(lengths[from] > negligible))
            complete(units, row, size);
        else
            for (int64_t at = 0; at < size; at++)
                units[row * size + at] = turned[from * size + at] / lengths[from];
    }
}

/* Of a matrix with `size` rows, at least as many as columns. */
INLINE void singular_one(const Number *a, int64_t size, int64_t columns, Number *values, Number *left, Number *right)
{
    Number turned[MOST * MOST], vectors[MOST * MOST], units[MOST * MOST], lengths[MOST], largest = 0;
    int64_t order[MOST];
    int moved = 1;
    for (int64_t at = 0; at < size * columns; at++)
        largest = magnitude(a[at]) > largest ? magnitude(a[at]) : largest;
    Number scale = largest == 0 ? 1 : largest;
    for (int64_t row = 0; row < columns; row++)
        for (int64_t at = 0; at < size; at++)
            turned[row * size + at] = a[at * columns + row] / scale;
    memset(vectors, 0, columns * columns * sizeof *vectors);
    for (int64_t row = 0; row < columns; row++)
        vectors[row * columns + row] = 1;
    for (int step = 0; step < STEPS && moved; step++) {
        moved = 0;
        for (int64_t one = 0; one < columns; one++)
            for (int64_t other = one + 1; other < columns; other++)
                moved |= separate(turned + one * size, turned + other * size, size, vectors + one * columns,
                                  vectors + other * columns, columns);
    }
    for (int64_t row = 0; row < columns; row++)
        lengths[row] = (Number)sqrt((double)dot(turned + row * size, turned + row * size, size));
    sort_places(lengths, columns, order);
    normalize(turned, lengths, order, columns, size, units);
    for (int64_t column = 0; column < columns; column++) {
        int64_t from = order[columns - 1 - column];
        values[column] = lengths[from] * scale;
        for (int64_t row = 0; row < size; row++)
            left[row * columns + column] = units[column * size + row];
        for (int64_t row = 0; row < columns; row++)
            right[row * columns + column] = vectors[from * columns + row];
    }
}

FAST static void singular_some(void *data, long from, long to)
{
    Job *job = data;
    int64_t columns = job->size, size = job->columns, whole = size * columns;
    for (long at = from; at < to; at++)
        singular_one(job->left + at * whole, size, columns, job->first + at * columns, job->second + at * whole,
                     job->third + at * columns * columns);
}

/* ---- calls: the numbers are matrices, rows of each, columns of the right sides, and an option; for singular vectors
   matrices, columns, and rows, of which there are as many or more */

typedef struct {
    int64_t matrix, first, second, third; /* how many numbers a matrix has, and the results for it */
    int64_t most, products;               /* rows; multiplications for a matrix */
} Sizes;

static void *run(Frame *frame, void (*range)(void *, long, long), Sizes sizes)
{
    const int64_t *numbers = numbers_of(frame), count = numbers[0], size = numbers[1], columns = numbers[2];
    Buffer **given = frame->arguments.buffers, **made = frame->results.buffers;
    int has_right = frame->arguments.count > 1;
    if (count < 0 || size < 1 || size > sizes.most || columns < 0
        || !has_argument(frame, 0, times(count, sizes.matrix))
        || (has_right && !has_argument(frame, 1, TIMES(count, size, columns)))
        || !has_result(frame, 0, times(count, sizes.first))
        || (sizes.second && !has_result(frame, 1, times(count, sizes.second)))
        || (sizes.third && (!has_result(frame, 2, times(count, sizes.third)) || columns < size || columns > sizes.most)))
        return ill_sized(frame);
    Job job = {given[0]->data, has_right ? given[1]->data : NULL, made[0]->data, sizes.second ? made[1]->data : NULL,
               sizes.third ? made[2]->data : NULL, size, columns, (int)numbers[3], 0};
    share_ranges(frame, count, sizes.products < 0 ? 1 : 1 + WORTH_A_PIECE / (1 + sizes.products), range, &job);
    return atomic_load(&job.failed) ? out_of_memory(frame) : NULL;
}

/* A kernel with its Sizes, for matrices of `size` rows and right sides of `columns`. */
#define KERNEL(NAME, RANGE, ...)                                                                                       \
    static void *NAME(Frame *frame)                                                                                    \
    {                                                                                                                  \
        int64_t size = numbers_of(frame)[1], columns = numbers_of(frame)[2], whole = times(size, size);                \
        (void)columns, (void)whole;                                                                                    \
        return run(frame, RANGE, (Sizes){__VA_ARGS__});                                                                \
    }

KERNEL(solve, solve_some, whole, times(size, columns), 0, 0, MOST, times(whole, plus(size, columns)))
KERNEL(triangular, substitute_some, whole, times(size, columns), 0, 0, MANY, times(whole, columns))
KERNEL(tridiagonal, sweep_some, times(3, size), times(size, columns), 0, 0, INT32_MAX, TIMES(size, columns, 8))
KERNEL(inverse, invert_some, whole, whole, 0, 0, MOST, TIMES(whole, size, 2))
KERNEL(determinant, determine_some, whole, 1, 1, 0, MOST, times(whole, size))
KERNEL(cholesky, factor_some, whole, whole, 0, 0, MOST, times(whole, size))
KERNEL(eigen, eigen_some, whole, size, whole, 0, MOST, TIMES(whole, size, 8))
KERNEL(singular, singular_some, times(size, columns), size, times(size, columns), whole, MOST, TIMES(whole, columns, 16))

#define KERNELS(K)                                                                                                     \
    K("solve", solve, "nn>n", 4) K("triangular", triangular, "nn>n", 4) K("tridiagonal", tridiagonal, "nn>n", 4)       \
    K("inverse", inverse, "n>n", 4) K("determinant", determinant, "n>nn", 4) K("cholesky", cholesky, "n>n", 4)         \
    K("eigen", eigen, "n>nn", 4) K("singular", singular, "n>nnn", 4)
