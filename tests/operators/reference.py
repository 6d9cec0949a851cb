"""What operators give, in numpy: the functions that the answers in cases.txt use."""
import itertools
import math

import numpy as np


def erf(x):
    return np.vectorize(math.erf, otypes=["float64"])(np.asarray(x, "float64")).astype(x.dtype)


def cast(x, dtype):
    x = np.asarray(x)
    if x.dtype.kind == "f" and np.dtype(dtype).kind in "iu":
        most = np.iinfo(dtype)
        y = np.trunc(np.nan_to_num(x.astype("float64")))
        if (~np.isfinite(x)).any() or (y < most.min).any() or (y > most.max).any():
            raise NotComparable
    return x.astype(dtype)


class NotComparable(Exception):
    """What comes out is not defined, in numpy and in C alike."""


def is_float(x):
    return np.asarray(x).dtype.kind == "f"


def divide(x, y):
    if is_float(x):
        return x / y
    return trunc_divide(x, y)


def exact(x, y, f):
    """f of Python integers, for each pair, wrapped to the dtype; 0 where y is 0."""
    x, y = np.broadcast_arrays(x, y)
    bits, out = x.dtype.itemsize * 8, np.empty(x.shape, x.dtype)
    for at in np.ndindex(x.shape):
        v = f(int(x[at]), int(y[at])) if y[at] else 0
        v &= (1 << bits) - 1
        out[at] = v - (1 << bits) if x.dtype.kind == "i" and v >> (bits - 1) else v
    return out


def trunc_divide(x, y):
    return exact(x, y, lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1))


def floor_divide(x, y):
    return np.floor(x / y) if is_float(x) else exact(x, y, lambda a, b: a // b)


def floor_mod(x, y):
    return x - np.floor(x / y) * y if is_float(x) else exact(x, y, lambda a, b: a % b)


def mod(x, y):
    return np.fmod(x, y) if is_float(x) else exact(x, y, lambda a, b: int(math.copysign(1, a)) * (abs(a) % abs(b)))


def power(x, y):
    if (y < 0).any():
        raise NotComparable
    return exact(x, np.where(y == 0, 1, y), lambda a, b: pow(a, min(b, 1 << 12), 1 << 64)) if (y > 0).all() else np.power(x, y)


def shift(x, y, f):
    if (y < 0).any() or (y >= x.dtype.itemsize * 8).any():
        raise NotComparable
    return f(x, y)


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def exclusive(f, x):
    first = np.full((1,) + x.shape[1:], 1 if f is np.cumprod else 0, x.dtype)
    return np.concatenate((first, f(x, axis=0, dtype=x.dtype)[:-1]))[: x.shape[0]]


def ceil_split(x, n, axis):
    size = -(-x.shape[axis] // n)
    return tuple(np.take(x, range(min(i * size, x.shape[axis]), min((i + 1) * size, x.shape[axis])), axis) for i in range(n))


def pixel_shuffle(x, r):
    n, c, h, w = x.shape
    return x.reshape(n, c // r // r, r, r, h, w).transpose(0, 1, 4, 2, 5, 3).reshape(n, c // r // r, h * r, w * r)


# ---- indices

def inside(i, n):
    """Indices as they are; Python's negative ones count from the end; an IndexError for others."""
    if ((i < -n) | (i >= n)).any():
        raise IndexError(f"an index is out of bounds for extent {n}")
    return i.astype("int64")


def take(x, i, axis, mode):
    n = x.shape[axis]
    if mode == "clip":
        return np.take(x, np.clip(i.astype("int64"), 0, n - 1), axis)
    if mode == "wrap":
        return np.take(x, i.astype("int64") % n, axis)
    if mode == "nan":
        out = np.take(x, np.clip(i.astype("int64"), -n, n - 1), axis)
        bad = ((i < 0) | (i >= n)).reshape((1,) * axis + i.shape + (1,) * (x.ndim - axis - 1))
        return np.where(bad, np.nan, out).astype(x.dtype)
    return np.take(x, inside(i, n), axis)


def inbound(x, begin, end, step=1):
    if end > x.shape[0]:
        raise IndexError("a slice that is said to be inside is not")
    return x[begin:end:step]


def take_along(x, i, axis):
    i = inside(i, x.shape[axis])
    at = list(np.indices(i.shape))
    for k in range(x.ndim):
        if k != axis and i.shape[k] > x.shape[k]:
            raise IndexError("more indices than elements")
    at[axis] = i
    return x[tuple(at)]


def collapse(x, shape):
    """The sum over what broadcasting `shape` to x's would have repeated."""
    y = x.sum(axis=tuple(range(x.ndim - len(shape))))
    for i, n in enumerate(shape):
        if n == 1:
            y = y.sum(axis=i, keepdims=True)
    return y.reshape(shape).astype(x.dtype)


def gather_nd(x, i, batch=0):
    if batch:
        if x.shape[0] != i.shape[0]:
            raise ValueError("batches differ")
        return np.stack([gather_nd(x[k], i[k], batch - 1) for k in range(x.shape[0])]) if len(x) else np.empty((0, i.shape[1]) + x.shape[2:], x.dtype)
    if not i.shape[-1]:
        raise NotComparable
    return x[tuple(inside(i[..., k], x.shape[k]) for k in range(i.shape[-1]))]


def index_tensor(x, *i):
    return x[tuple(inside(k, x.shape[d]) for d, k in enumerate(i))]


COMBINE = {"update": lambda a, b: b, "add": lambda a, b: a + b, "mul": lambda a, b: a * b, "max": np.maximum, "min": np.minimum,
           "mean": lambda a, b: mean(a, b)}


def mean(a, b):
    """TVM's: the mean of what is there and each update in turn."""
    return (a + b) / 2 if is_float(a) else type(a)((abs(int(a + b)) // 2) * (-1 if int(a + b) < 0 else 1))


def index_put(x, i, v, accumulate=False):
    at = [inside(k, x.shape[d]) for d, k in enumerate(i)]
    at = np.broadcast_arrays(*at)
    v, out = np.broadcast_to(v, at[0].shape), x.copy()
    for k in np.ndindex(v.shape):
        p = tuple(a[k] for a in at)
        out[p] = COMBINE["add" if accumulate else "update"](out[p], v[k])
    return out


def scatter_elements(x, i, v, axis, reduction):
    i, out = inside(i, x.shape[axis]), x.copy()
    if i.shape != v.shape:
        raise ValueError("indices and updates differ")
    for at in np.ndindex(i.shape):
        p = at[:axis] + (i[at],) + at[axis + 1:]
        out[p] = COMBINE[reduction](out[p], v[at])
    return out


def scatter_nd(x, i, v, reduction):
    i, out = inside(i, x.shape[0])[..., 0], x.copy()
    if v.shape != i.shape + x.shape[1:]:
        raise ValueError("updates have another shape")
    for at in np.ndindex(i.shape):
        out[i[at]] = COMBINE[reduction](out[i[at]], v[at])
    return out


def slice_scatter(x, v, start, end, step):
    out = x.copy()
    if out[start:end:step].shape != v.shape:
        raise ValueError("the slice is of another length")
    out[start:end:step] = v
    return out


def one_hot(i, on, off, depth, axis):
    hot = np.moveaxis(i[..., None] == np.arange(depth), -1, axis)
    return np.where(hot, on, off)


def dynamic_slice(x, begin, end, step):
    return x[tuple(slice(int(b), int(e), int(s)) for b, e, s in zip(begin, end, step))]


def exactly(v, x):
    if v.shape != x.shape:
        raise ValueError("the slice is of another length")
    return v


def twice(x, h, w):
    """To 2h by 2w, each element of the nearest place."""
    n, c, have_h, have_w = x.shape
    return x[:, :, np.arange(2 * h) * have_h // (2 * h)][:, :, :, np.arange(2 * w) * have_w // (2 * w)]


def same_batch(out, x):
    if out.shape != x.shape:
        raise ValueError("the gradient has another shape")
    return out


# ---- linear algebra, sorting

def matmul(x, y):
    if is_float(x):
        return np.matmul(x.astype("float64"), y.astype("float64")).astype(x.dtype)
    return np.matmul(x, y)


def descending(x, axis=-1):
    return np.take_along_axis(x, argdescending(x, axis), axis)


def argdescending(x, axis):
    """Stable, and NaN first."""
    key = np.moveaxis(x, axis, -1)
    out = np.empty(key.shape, "int64")
    for at in np.ndindex(key.shape[:-1]):
        row = key[at].tolist()
        out[at] = sorted(range(len(row)), key=lambda k: (not (row[k] != row[k]), -row[k] if row[k] == row[k] else 0))
    return np.moveaxis(out, -1, axis)


def bucketize(x, y, side):
    """NaN is before everything, as in TVM."""
    if (np.diff(y) < 0).any():
        raise NotComparable
    return np.where(np.isnan(x), 0, np.searchsorted(y, x, side=side))


def topk(x, k, axis, largest=True, dtype="int32"):
    if k > x.shape[axis]:
        raise NotComparable
    order = argdescending(x, axis) if largest else np.argsort(x, axis, kind="stable")
    order = np.take(order, range(min(k, x.shape[axis])), axis)
    return np.take_along_axis(x, order, axis), order.astype(dtype)


# ---- quantization, convolution, pooling, normalization

def quantize(x, s, z):
    return np.clip(np.round(x / s) + z, -128, 127).astype("int8") if np.isfinite(x / s).all() else skip()


def skip():
    raise NotComparable


def dequantize(x, s, z):
    return (x.astype("int32") - z[:, None]).astype("float32") * s[:, None]


def spread(n, k, value):
    return tuple(value) if value else (k,) * n


def conv(x, w, strides=None, padding=None, dilation=None, groups=1):
    n = x.ndim - 2
    s, d, p = spread(n, 1, strides), spread(n, 1, dilation), spread(2 * n, 0, padding)
    if x.shape[1] != w.shape[1] * groups:
        raise ValueError("channels differ")
    if not np.isfinite(x).all() or not np.isfinite(w).all():
        skip()  # numpy's padding multiplies infinities by 0 as well
    x = np.pad(x.astype("float64"), [(0, 0), (0, 0)] + [(p[i], p[i + n]) for i in range(n)])
    size = [(x.shape[2 + i] - d[i] * (w.shape[2 + i] - 1) - 1) // s[i] + 1 for i in range(n)]
    out = np.zeros((x.shape[0], w.shape[0], *size))
    each_out, each_in = w.shape[0] // groups, w.shape[1]
    for g, k in itertools.product(range(groups), np.ndindex(w.shape[2:])):
        part = x[(slice(None), slice(g * each_in, (g + 1) * each_in))
                 + tuple(slice(k[i] * d[i], k[i] * d[i] + (size[i] - 1) * s[i] + 1, s[i]) for i in range(n))]
        out[:, g * each_out:(g + 1) * each_out] += np.moveaxis(
            np.tensordot(part, w[(slice(g * each_out, (g + 1) * each_out), slice(None)) + k].astype("float64"), ((1,), (1,))), -1, 1)
    return out.astype(w.dtype)


def conv_transpose(x, w, strides, padding=None):
    n = x.ndim - 2
    p = spread(2 * n, 0, padding)
    if x.shape[1] != w.shape[0]:
        raise ValueError("channels differ")
    if not np.isfinite(x).all() or not np.isfinite(w).all():
        skip()
    full = [(x.shape[2 + i] - 1) * strides[i] + w.shape[2 + i] for i in range(n)]
    out = np.zeros((x.shape[0], w.shape[1], *full))
    for k in np.ndindex(w.shape[2:]):
        at = tuple(slice(k[i], k[i] + (x.shape[2 + i] - 1) * strides[i] + 1, strides[i]) for i in range(n))
        out[(slice(None), slice(None)) + at] += np.moveaxis(
            np.tensordot(x.astype("float64"), w[(slice(None), slice(None)) + k].astype("float64"), ((1,), (0,))), -1, 1)
    at = tuple(slice(p[i], full[i] - p[i + n]) for i in range(n))
    return out[(slice(None), slice(None)) + at].astype(x.dtype)


def pool(x, size, strides, kind, padding=None):
    n = len(size)
    p = spread(2 * n, 0, padding)
    if not np.isfinite(x).all():
        skip()
    out_size = [(x.shape[2 + i] + p[i] + p[i + n] - size[i]) // strides[i] + 1 for i in range(n)]
    out = np.zeros(x.shape[:2] + tuple(out_size), "float64")
    for at in np.ndindex(*out_size):
        window = (slice(None), slice(None)) + tuple(
            slice(max(at[i] * strides[i] - p[i], 0), min(at[i] * strides[i] - p[i] + size[i], x.shape[2 + i])) for i in range(n))
        part = x[window].astype("float64")
        axes = tuple(range(2, 2 + n))
        out[(slice(None), slice(None)) + at] = part.max(axes) if kind == "max" else part.mean(axes)
    return out.astype(x.dtype)


def adaptive(x, size):
    n = len(size)
    if not x.size:
        raise NotComparable
    out = np.zeros(x.shape[:2] + tuple(size), "float64")
    for at in np.ndindex(*size):
        window = (slice(None), slice(None)) + tuple(
            slice(at[i] * x.shape[2 + i] // size[i], -(-(at[i] + 1) * x.shape[2 + i] // size[i])) for i in range(n))
        out[(slice(None), slice(None)) + at] = x[window].astype("float64").mean(tuple(range(2, 2 + n)))
    return out.astype(x.dtype)


def norm(x, axes):
    y = x.astype("float64")
    return ((y - y.mean(axes, keepdims=True)) / np.sqrt(y.var(axes, keepdims=True) + 1e-5)).astype(x.dtype)


def batch_norm(x, g, h, m, v):
    return (x - m[:, None]) / np.sqrt(v[:, None] + 1e-5) * g[:, None] + h[:, None]


def group_norm(x, g, h, groups):
    if not x.size:
        raise NotComparable
    y = norm(x.reshape(x.shape[0], groups, -1), (2,)).reshape(x.shape)
    return y * g[:, None] + h[:, None]


def nll_loss(x, i, w, reduction):
    if ((i < 0) | (i >= x.shape[1])).any():
        raise IndexError("a target is no class")
    each = -x[np.arange(len(i)), i] * w[i]
    return each if reduction == "none" else each.sum() if reduction == "sum" else each.sum() / w[i].sum()


def nll_backward(g, x, i, w):
    if len(i) != len(x):
        raise ValueError("targets and predictions differ")
    if ((i < 0) | (i >= x.shape[1])).any():
        raise IndexError("a target is no class")
    out = np.zeros(x.shape, "float64")
    out[np.arange(len(i)), i] = -g.astype("float64") * w[i] / w[i].astype("float64").sum()
    return out.astype(x.dtype)


def take_backward(g, x, i, axis):
    if not x.size:
        raise NotComparable
    i, out = inside(i, x.shape[axis]), np.zeros(x.shape, "float64")
    for k, at in enumerate(i):
        out[:, at] += g[:, k]
    return out.astype(x.dtype)


def attention(q, k, v, bias=None, causal=False):
    q, k, v = (np.moveaxis(t.astype("float64"), 1, 2) for t in (q, k, v))
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    if bias is not None:
        s = s + bias
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    return np.moveaxis(softmax(s, -1) @ v, 2, 1)
