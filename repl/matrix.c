/// Linear algebra on values, in float64. Sources: Golub and Van Loan, Matrix Computations: LU with partial pivoting (3.4), Cholesky
/// (4.2), Householder QR (5.2, with LAPACK's signs), Jacobi's method for symmetric matrices (8.5), one-sided Jacobi for the SVD (8.6).
#include "repl/matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/// Row-major matrices of one call: `a` is m times n, `b` has the rows of `a` and k columns; p is the lesser of m and n.
typedef struct Job {
  int m, n, k;
  const double *a, *b;
  double *out[3];
  double epsilon; ///< of the dtype of `a`
  RlxError *err;
} Job;

typedef bool Compute(const Job *job);

static double *copied(const double *a, int count) {
  double *out = rlx_mem_zeroed((size_t)count + 1, sizeof *out);
  if (count) memcpy(out, a, (size_t)count * sizeof *out);
  return out;
}

static int least(int a, int b) { return a < b ? a : b; }

// ---- LU

/// Factors `a` in place, its rows in the order `rows`; the sign of that order. Zero pivots stay in it.
static int factor(double *a, int n, int *rows) {
  int sign = 1;
  for (int i = 0; i < n; i++) rows[i] = i;
  for (int j = 0; j < n; j++) {
    int best = j;
    for (int i = j + 1; i < n; i++)
      if (fabs(a[i * n + j]) > fabs(a[best * n + j])) best = i;
    if (best != j) {
      for (int c = 0; c < n; c++) {
        const double t = a[j * n + c];
        a[j * n + c] = a[best * n + c];
        a[best * n + c] = t;
      }
      const int row = rows[j];
      rows[j] = rows[best];
      rows[best] = row;
      sign = -sign;
    }
    if (a[j * n + j] == 0) continue;
    for (int i = j + 1; i < n; i++) {
      const double f = a[i * n + j] /= a[j * n + j];
      for (int c = j + 1; c < n && f != 0; c++) a[i * n + c] -= f * a[j * n + c];
    }
  }
  return sign;
}

/// The columns x with a x = b; b NULL: the columns of the identity.
static bool solve_into(const Job *job, const double *b, int k, double *x) {
  const int n = job->n;
  double *lu = copied(job->a, n * n);
  int *rows = rlx_mem_zeroed((size_t)n + 1, sizeof *rows);
  factor(lu, n, rows);
  bool ok = true;
  for (int i = 0; i < n; i++) ok &= lu[i * n + i] != 0;
  for (int c = 0; ok && c < k; c++) {
    for (int i = 0; i < n; i++) {
      double v = b ? b[rows[i] * k + c] : rows[i] == c;
      for (int j = 0; j < i; j++) v -= lu[i * n + j] * x[j * k + c];
      x[i * k + c] = v;
    }
    for (int i = n; i-- > 0;) {
      double v = x[i * k + c];
      for (int j = i + 1; j < n; j++) v -= lu[i * n + j] * x[j * k + c];
      x[i * k + c] = v / lu[i * n + i];
    }
  }
  free(lu);
  free(rows);
  return ok || rlx_error_set(job->err, "the matrix is singular");
}

static bool inverse(const Job *job) { return solve_into(job, NULL, job->n, job->out[0]); }
static bool solve(const Job *job) { return solve_into(job, job->b, job->k, job->out[0]); }

/// The sign of the determinant and the logarithm of its size.
static void determine(const Job *job, double *sign, double *log_size) {
  double *lu = copied(job->a, job->n * job->n);
  int *rows = rlx_mem_zeroed((size_t)job->n + 1, sizeof *rows);
  *sign = factor(lu, job->n, rows);
  *log_size = 0;
  for (int i = 0; i < job->n; i++) {
    const double d = lu[i * job->n + i];
    *sign *= (d > 0) - (d < 0);
    *log_size += log(fabs(d));
  }
  if (*sign == 0) *log_size = -(double)INFINITY;
  free(lu);
  free(rows);
}

static bool slogdet(const Job *job) {
  determine(job, job->out[0], job->out[1]);
  return true;
}

static bool det(const Job *job) {
  double *lu = copied(job->a, job->n * job->n);
  int *rows = rlx_mem_zeroed((size_t)job->n + 1, sizeof *rows);
  double product = factor(lu, job->n, rows);
  for (int i = 0; i < job->n; i++) product *= lu[i * job->n + i];
  *job->out[0] = product;
  free(lu);
  free(rows);
  return true;
}

// ---- Cholesky and QR

static bool cholesky(const Job *job) {
  const int n = job->n;
  double *l = job->out[0];
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double v = job->a[i * n + j];
      for (int c = 0; c < j; c++) v -= l[i * n + c] * l[j * n + c];
      if (i == j && !(v > 0)) return rlx_error_set(job->err, "the matrix is not positive definite");
      l[i * n + j] = i == j ? sqrt(v) : v / l[j * n + j];
    }
  return true;
}

/// Reflects the columns from `first` on of `x`, with `columns` of them, at the plane to which `v` stands upright.
static void reflect(double *x, int rows, int columns, int first, const double *v, int from,
                    double tau) {
  for (int c = first; c < columns; c++) {
    double dot = 0;
    for (int i = from; i < rows; i++) dot += v[i] * x[i * columns + c];
    for (int i = from; i < rows; i++) x[i * columns + c] -= tau * dot * v[i];
  }
}

static bool qr(const Job *job) {
  const int m = job->m, n = job->n, p = least(m, n);
  double *r = copied(job->a, m * n), *q = job->out[0],
         *v = rlx_mem_zeroed((size_t)p * (size_t)m + 1, sizeof *v),
         *tau = rlx_mem_zeroed((size_t)p + 1, sizeof *tau);
  for (int j = 0; j < p; j++) {
    double *u = v + (size_t)j * (size_t)m, below = 0;
    for (int i = j + 1; i < m; i++) below = hypot(below, r[i * n + j]);
    if (below == 0) continue; // as LAPACK: nothing to reflect, whatever the sign
    const double alpha = r[j * n + j], beta = -copysign(hypot(alpha, below), alpha);
    u[j] = 1;
    for (int i = j + 1; i < m; i++) u[i] = r[i * n + j] / (alpha - beta);
    tau[j] = (beta - alpha) / beta;
    reflect(r, m, n, j, u, j, tau[j]);
  }
  for (int i = 0; i < p; i++) q[i * p + i] = 1;
  for (int j = p; j-- > 0;) reflect(q, m, p, j, v + (size_t)j * (size_t)m, j, tau[j]);
  for (int i = 0; i < p; i++)
    for (int c = i; c < n; c++) job->out[1][i * n + c] = r[i * n + c];
  free(r);
  free(v);
  free(tau);
  return true;
}

// ---- Jacobi

enum { SWEEPS_MAX = 60 };

/// The rotation that makes b of the symmetric [[a, b], [b, d]] zero.
static void rotation(double a, double b, double d, double *c, double *s) {
  const double t0 = (d - a) / (2 * b), t = copysign(1, t0) / (fabs(t0) + sqrt(t0 * t0 + 1));
  *c = 1 / sqrt(t * t + 1);
  *s = t * *c;
}

/// Turns columns i and j of `x`.
static void turn(double *x, int rows, int columns, int i, int j, double c, double s) {
  for (int r = 0; r < rows; r++) {
    double *at = x + (size_t)r * (size_t)columns, u = at[i], v = at[j];
    at[i] = c * u - s * v;
    at[j] = s * u + c * v;
  }
}

/// The order of `values`, the least first, or the largest.
static int *ordered(const double *values, int n, bool is_ascending) {
  int *order = rlx_mem_zeroed((size_t)n + 1, sizeof *order);
  for (int i = 0; i < n; i++) {
    int at = i;
    for (; at > 0; at--) {
      const double before = values[order[at - 1]];
      if (is_ascending ? before <= values[i] : before >= values[i]) break;
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  return order;
}

/// Of a symmetric matrix, of which the lower triangle is read, as numpy does.
static bool eigh(const Job *job) {
  const int n = job->n;
  double *a = copied(job->a, n * n), *v = rlx_mem_zeroed((size_t)n * (size_t)n + 1, sizeof *v),
         *values = rlx_mem_zeroed((size_t)n + 1, sizeof *values), off = 1, all = 0;
  for (int i = 0; i < n; i++) {
    v[i * n + i] = 1;
    for (int j = 0; j < n; j++) {
      if (j > i) a[i * n + j] = a[j * n + i];
      all += a[i * n + j] * a[i * n + j];
    }
  }
  for (int sweep = 0; sweep < SWEEPS_MAX && off > all * DBL_EPSILON * DBL_EPSILON; sweep++) {
    off = 0;
    for (int i = 0; i < n; i++)
      for (int j = i + 1; j < n; j++) {
        double c, s;
        const double b = a[i * n + j];
        off += b * b;
        if (b == 0) continue;
        rotation(a[i * n + i], b, a[j * n + j], &c, &s);
        turn(a, n, n, i, j, c, s);
        for (int k = 0; k < n; k++) {
          const double x = a[i * n + k], y = a[j * n + k];
          a[i * n + k] = c * x - s * y;
          a[j * n + k] = s * x + c * y;
        }
        turn(v, n, n, i, j, c, s);
      }
  }
  for (int i = 0; i < n; i++) values[i] = a[i * n + i];
  int *order = ordered(values, n, true);
  for (int j = 0; j < n; j++) {
    job->out[0][j] = values[order[j]];
    for (int i = 0; i < n; i++) job->out[1][i * n + j] = v[i * n + order[j]];
  }
  free(order);
  free(a);
  free(v);
  free(values);
  return isfinite(all) || rlx_error_set(job->err, "the matrix has elements that are not finite");
}

/// Makes column `j` of u one of length 1 at right angles with those before it.
static void complete(double *u, int rows, int columns, int j) {
  for (int axis = 0; axis < rows; axis++) {
    double size = 0;
    for (int i = 0; i < rows; i++) u[i * columns + j] = i == axis;
    for (int twice = 0; twice < 2; twice++)
      for (int c = 0; c < j; c++) {
        double dot = 0;
        for (int i = 0; i < rows; i++) dot += u[i * columns + c] * u[i * columns + j];
        for (int i = 0; i < rows; i++) u[i * columns + j] -= dot * u[i * columns + c];
      }
    for (int i = 0; i < rows; i++) size = hypot(size, u[i * columns + j]);
    if (size < 1 / (2 * sqrt((double)rows))) continue; // another axis is farther from them
    for (int i = 0; i < rows; i++) u[i * columns + j] /= size;
    return;
  }
}

/// w = a v with columns at right angles: w is rows times p and becomes that, v starts as the identity.
static void orthogonalise(double *w, double *v, int rows, int p) {
  bool turned = true;
  for (int sweep = 0; sweep < SWEEPS_MAX && turned; sweep++) {
    turned = false;
    for (int i = 0; i < p; i++)
      for (int j = i + 1; j < p; j++) {
        double a = 0, b = 0, d = 0, c, s;
        for (int r = 0; r < rows; r++) {
          const double x = w[r * p + i], y = w[r * p + j];
          a += x * x;
          b += x * y;
          d += y * y;
        }
        if (!(fabs(b) > DBL_EPSILON * sqrt(a * d))) continue;
        turned = true;
        rotation(a, b, d, &c, &s);
        turn(w, rows, p, i, j, c, s);
        turn(v, p, p, i, j, c, s);
      }
  }
}

/// a = u s vt, the largest of `s` first: `u` m times `u_columns`, `vt` `v_rows` times n, completed beyond p. NULL: it is not wanted.
static bool decompose(const Job *job, double *u, int u_columns, double *s, double *vt, int v_rows) {
  const bool is_wide = job->m < job->n; // then the transposed matrix is taken
  const int rows = is_wide ? job->n : job->m, p = least(job->m, job->n);
  double *w = rlx_mem_zeroed((size_t)rows * (size_t)p + 1, sizeof *w),
         *v = rlx_mem_zeroed((size_t)p * (size_t)p + 1, sizeof *v),
         *sizes = rlx_mem_zeroed((size_t)p + 1, sizeof *sizes);
  const int long_columns = is_wide ? v_rows : u_columns,
            short_columns = is_wide ? u_columns : v_rows;
  double *left = rlx_mem_zeroed((size_t)rows * (size_t)long_columns + 1, sizeof *left);
  bool ok = true;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < p; c++) {
      w[r * p + c] = is_wide ? job->a[c * job->n + r] : job->a[r * job->n + c];
      ok &= isfinite(w[r * p + c]);
    }
  for (int i = 0; i < p; i++) v[i * p + i] = 1;
  if (ok) orthogonalise(w, v, rows, p);
  for (int c = 0; c < p; c++)
    for (int r = 0; r < rows; r++) sizes[c] = hypot(sizes[c], w[r * p + c]);
  int *order = ordered(sizes, p, false);
  for (int c = 0; c < p; c++) s[c] = sizes[order[c]];
  const double zero = p ? s[0] * DBL_EPSILON : 0;
  for (int c = 0; c < long_columns && u; c++) {
    const int from = c < p ? order[c] : -1;
    for (int r = 0; from >= 0 && s[c] > zero && r < rows; r++)
      left[r * long_columns + c] = w[r * p + from] / s[c];
    if (from < 0 || !(s[c] > zero)) complete(left, rows, long_columns, c);
  }
  for (int r = 0; u && r < rows; r++)
    for (int c = 0; c < long_columns; c++)
      if (is_wide)
        vt[c * rows + r] = left[r * long_columns + c];
      else
        u[r * long_columns + c] = left[r * long_columns + c];
  for (int r = 0; u && r < p; r++)
    for (int c = 0; c < short_columns; c++)
      if (is_wide)
        u[r * short_columns + c] = v[r * p + order[c]];
      else
        vt[c * p + r] = v[r * p + order[c]];
  free(order);
  free(left);
  free(w);
  free(v);
  free(sizes);
  return ok || rlx_error_set(job->err, "the matrix has elements that are not finite");
}

static bool svd(const Job *job) {
  const int p = least(job->m, job->n);
  return decompose(job, job->out[0], p, job->out[1], job->out[2], p);
}

static bool svd_full(const Job *job) {
  return decompose(job, job->out[0], job->m, job->out[1], job->out[2], job->n);
}

static bool svdvals(const Job *job) { return decompose(job, NULL, 0, job->out[0], NULL, 0); }

static bool pinv(const Job *job) {
  const int m = job->m, n = job->n, p = least(m, n);
  double *u = rlx_mem_zeroed((size_t)m * (size_t)p + 1, sizeof *u),
         *vt = rlx_mem_zeroed((size_t)p * (size_t)n + 1, sizeof *vt),
         *s = rlx_mem_zeroed((size_t)p + 1, sizeof *s);
  const bool ok = decompose(job, u, p, s, vt, p);
  const double zero = p ? s[0] * DBL_EPSILON * (m > n ? m : n) : 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double v = 0;
      for (int c = 0; c < p && s[c] > zero; c++) v += vt[c * n + i] * u[j * p + c] / s[c];
      job->out[0][i * m + j] = v;
    }
  free(u);
  free(vt);
  free(s);
  return ok;
}

static bool matrix_rank(const Job *job) {
  const int p = least(job->m, job->n);
  double *s = rlx_mem_zeroed((size_t)p + 1, sizeof *s);
  const bool ok = decompose(job, NULL, 0, s, NULL, 0);
  const double zero = p ? s[0] * job->epsilon * (job->m > job->n ? job->m : job->n) : 0;
  for (int i = 0; i < p; i++) *job->out[0] += s[i] > zero;
  free(s);
  return ok;
}

// ---- calls

/// `shapes`: those of the results, one word each: extents m, n, k and p (the lesser of m and n), "." for none. `counts`: the
/// result is an integer.
static const struct {
  const char *name;
  bool is_square, takes_two, counts;
  const char *shapes;
  Compute *compute;
} functions[] = {
    {"inv", true, false, false, "nn", inverse},
    {"solve", true, true, false, "nk", solve},
    {"det", true, false, false, ".", det},
    {"slogdet", true, false, false, ". .", slogdet},
    {"cholesky", true, false, false, "nn", cholesky},
    {"qr", false, false, false, "mp pn", qr},
    {"eigh", true, false, false, "n nn", eigh},
    {"svd", false, false, false, "mp p pn", svd},
    {"svd_full", false, false, false, "mm p nn", svd_full},
    {"svdvals", false, false, false, "p", svdvals},
    {"pinv", false, false, false, "nm", pinv},
    {"matrix_rank", false, false, true, ".", matrix_rank},
};

enum { NDIM_MAX = RLX_TENSOR_NDIM_MAX, SIDE_MAX = 1 << 14 };

static int64_t batches_of(const RlxObject *x) {
  int64_t count = 1;
  for (int i = 0; i + 2 < x->count; i++) count *= x->dims[i];
  return count;
}

double rlx_matrix_cost(RlxObject *const *args, int count) {
  const RlxObject *a = count ? args[0] : NULL;
  if (!a || a->kind != RLX_OBJECT_TENSOR || a->count < 2) return 0;
  const double m = (double)a->dims[a->count - 2], n = (double)a->dims[a->count - 1];
  return (double)batches_of(a) * m * n * (m > n ? m : n);
}

static bool fits(bool is_square, bool takes_two, RlxObject *const *args, int count, RlxError *err) {
  const RlxObject *a = args[0], *b = takes_two && count > 1 ? args[1] : NULL;
  if (count != 1 + takes_two)
    return rlx_error_set(err, "it takes %s", takes_two ? "two tensors" : "a tensor");
  for (int i = 0; i < count; i++)
    if (args[i]->kind != RLX_OBJECT_TENSOR) return rlx_error_set(err, "it takes tensors");
  if (a->count < 2)
    return rlx_error_set(err, "it takes a matrix, this tensor has %d dimension%s", a->count,
                         a->count == 1 ? "" : "s");
  const int64_t m = a->dims[a->count - 2], n = a->dims[a->count - 1];
  if (is_square && m != n)
    return rlx_error_set(err, "it takes a square matrix, this one has %lld rows and %lld columns",
                         (long long)m, (long long)n);
  if (m > SIDE_MAX || n > SIDE_MAX)
    return rlx_error_set(err, "the matrix has more than %d rows or columns", SIDE_MAX);
  if (!b) return true;
  bool ok = b->count == 1 || b->count == a->count;
  for (int i = 0; ok && b->count > 1 && i + 2 < a->count; i++) ok = a->dims[i] == b->dims[i];
  const int64_t rows = b->count ? b->dims[b->count == 1 ? 0 : b->count - 2] : 0,
                columns = b->count > 1 ? b->dims[b->count - 1] : 1;
  return (ok && rows == m && columns <= SIDE_MAX) ||
         rlx_error_set(err, "the right-hand side does not have the %lld rows of the matrix",
                       (long long)m);
}

/// A result with the extents of `word` behind those of the batches.
static RlxObject *result(RlxHeap *heap, const RlxObject *a, const char *word, const Job *job,
                         bool is_vector, RlxDType dtype, RlxError *err) {
  int64_t dims[NDIM_MAX + 2];
  int ndim = a->count - 2;
  for (int i = 0; i < ndim; i++) dims[i] = a->dims[i];
  for (; *word && *word != ' '; word++) {
    if (*word == '.' || (*word == 'k' && is_vector)) continue;
    dims[ndim++] = *word == 'm'   ? job->m
                   : *word == 'n' ? job->n
                   : *word == 'k' ? job->k
                                  : least(job->m, job->n);
  }
  return rlx_tensor_new(heap, dtype, dims, ndim, err);
}

static double *read_matrix(const RlxObject *x, int64_t from, int64_t count) {
  double *out = rlx_mem_zeroed((size_t)count + 1, sizeof *out);
  for (int64_t i = 0; i < count; i++) out[i] = rlx_element_number(x->data, x->dtype, from + i);
  return out;
}

/// One matrix of all.
static bool compute_one(Compute *compute, Job *job, RlxObject *const *args, int count,
                        RlxObject *const *results, int result_count, int64_t at, int64_t batches) {
  int64_t sizes[3] = {0};
  const int64_t size = (int64_t)job->m * job->n, size_b = (int64_t)job->m * job->k;
  double *a = read_matrix(args[0], at * size, size),
         *b =
             count > 1 ? read_matrix(args[1], args[1]->count == 1 ? 0 : at * size_b, size_b) : NULL;
  job->a = a;
  job->b = b;
  for (int i = 0; i < result_count; i++) {
    sizes[i] = rlx_tensor_count(results[i]) / batches;
    job->out[i] = rlx_mem_zeroed((size_t)sizes[i] + 1, sizeof *job->out[i]);
  }
  const bool ok = compute(job);
  for (int i = 0; i < result_count; i++) {
    for (int64_t k = 0; ok && k < sizes[i]; k++)
      if (rlx_dtype_is_float(results[i]->dtype))
        rlx_element_set_number(results[i]->data, results[i]->dtype, at * sizes[i] + k,
                               job->out[i][k]);
      else
        rlx_element_set_integer(results[i]->data, results[i]->dtype, at * sizes[i] + k,
                                (int64_t)job->out[i][k]);
    free(job->out[i]);
  }
  free(a);
  free(b);
  return ok;
}

RlxObject *rlx_matrix_compute(RlxHeap *heap, const char *name, RlxObject *const *args, int count,
                              RlxError *err) {
  size_t f = 0;
  const size_t known = sizeof functions / sizeof *functions;
  while (f < known && strcmp(functions[f].name, name) != 0) f++;
  if (f == known || !count) return rlx_error_set(err, "there is no function %s", name), NULL;
  if (!fits(functions[f].is_square, functions[f].takes_two, args, count, err)) return NULL;
  const RlxObject *a = args[0];
  const bool is_vector = count > 1 && args[1]->count == 1;
  const RlxDType float_type = rlx_dtype_is_float(a->dtype) ? a->dtype : RLX_FLOAT32;
  Job job = {.m = (int)a->dims[a->count - 2],
             .n = (int)a->dims[a->count - 1],
             .k = count > 1 && !is_vector ? (int)args[1]->dims[args[1]->count - 1] : 1,
             .epsilon = float_type.bits == 64 ? DBL_EPSILON : (double)FLT_EPSILON,
             .err = err};
  RlxObject *results[3] = {NULL};
  int made = 0;
  bool ok = true;
  for (const char *word = functions[f].shapes; ok && *word; word += strcspn(word, " ")) {
    word += *word == ' ';
    results[made] =
        result(heap, a, word, &job, is_vector, functions[f].counts ? RLX_INT64 : float_type, err);
    ok = results[made] != NULL;
    made += ok;
  }
  const int64_t batches = batches_of(a);
  for (int64_t i = 0; ok && i < batches; i++)
    ok = compute_one(functions[f].compute, &job, args, count, results, made, i, batches);
  RlxObject *all = !ok         ? NULL
                   : made == 1 ? rlx_object_ref(results[0])
                               : rlx_tuple_new(heap, results, made);
  for (int i = 0; i < made; i++) rlx_object_unref(results[i]);
  return all;
}
