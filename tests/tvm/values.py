#!/usr/bin/env python3
"""Asks Apache TVM for the values in tests/values/*.txt, and numpy where a line has a formula.

usage: values.py [--fill] [FILE…]      in a Python that has apache-tvm 0.25 and numpy

Without --fill: says which lines differ. With it: prints the files with these values where lines have `?` for an answer.
"""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "values"))
from cases import differs, read, written  # noqa: E402


def arrays(case):
    return [np.array([float(v) for v in p.values] if "float" in p.dtype else p.values, dtype=p.dtype).reshape(p.shape) for p in case.params]


def tvm_values(case):
    import tvm
    from tvm import relax
    inputs = arrays(case)
    if case.source.endswith(" transposed"):  # places as TVM's kernel wants them; its result is then that of the shape that it deduces
        inputs[1] = np.ascontiguousarray(inputs[1].transpose(0, 3, 1, 2))
        case.params[1].shape = list(inputs[1].shape)
        case.params[1].symbols = [""] * 4
    text = "@I.ir_module\nclass Module:\n" + "".join(f"    {line}\n" for line in case.function("static", "main").splitlines())
    module = tvm.script.from_source(text.replace("tirx", "T"))
    module = relax.transform.LegalizeOps()(module)
    built = relax.build(module, target="llvm")
    vm = relax.VirtualMachine(built, tvm.cpu())
    got = vm["main"](*[tvm.runtime.tensor(a) for a in inputs])
    def fields(x):
        return [y for f in x for y in fields(f)] if not hasattr(x, "numpy") else [x.numpy()]
    return [(a.shape, str(a.dtype), a.reshape(-1).tolist()) for a in fields(got)]


def max_pool_grad(g, x, size, strides, last=False):
    """Gradient of max pooling without padding, window by window: the first of the largest elements gets the window's. `last`: channels are."""
    if last:
        return max_pool_grad(g.transpose(0, 3, 1, 2), x.transpose(0, 3, 1, 2), size, strides).transpose(0, 2, 3, 1)
    out = np.zeros_like(x)
    for n, c, i, j in np.ndindex(g.shape):
        top, left = i * strides[0], j * strides[1]
        window = x[n, c, top:top + size[0], left:left + size[1]]
        y, z = np.unravel_index(window.argmax(), window.shape)
        out[n, c, top + y, left + z] += g[n, c, i, j]
    return out


def numpy_values(case):
    """The formula that stands behind `@numpy`, over the parameters."""
    got = eval(case.source[6:], {"np": np, **FORMULAS, **{p.name: a for p, a in zip(case.params, arrays(case))}})  # noqa: S307
    return [(a.shape, str(a.dtype), a.reshape(-1).tolist()) for a in (got if isinstance(got, tuple) else (got,))]


def all_class_nms(boxes, scores, most, overlap, least):
    """Non-maximum suppression class by class, in the form "tensorflow"."""
    batch, classes, count = scores.shape
    places, values, found = np.zeros((batch, classes * count, 2), "int64"), np.zeros((batch, classes * count), "float32"), np.zeros(batch, "int64")

    def iou(a, b):
        low, high = np.maximum(np.minimum(a[:2], a[2:]), np.minimum(b[:2], b[2:])), np.minimum(np.maximum(a[:2], a[2:]), np.maximum(b[:2], b[2:]))
        both = np.prod(np.maximum(0, high - low))
        return both / (np.prod(np.abs(a[2:] - a[:2])) + np.prod(np.abs(b[2:] - b[:2])) - both)
    for n, k in np.ndindex(batch, classes):
        chosen = []
        for j in sorted(range(count), key=lambda j: (-scores[n, k, j], j)):
            if scores[n, k, j] > least and len(chosen) < most and all(iou(boxes[n, i], boxes[n, j]) < overlap for i in chosen):
                chosen.append(j)
        for j in chosen:
            places[n, found[n]], values[n, found[n]] = (k, j), scores[n, k, j]
            found[n] += 1
    return places, values, found


def attention(q, k, v, mask=None, window=0, scale=None):
    """softmax(q kᵀ scale) v in the layout (batch, sequence, heads, features)."""
    k, v = (np.repeat(x, q.shape[2] // x.shape[2], axis=2) for x in (k, v))
    score = np.einsum("bihd,bjhd->bhij", q, k) * (scale or q.shape[3] ** -0.5)
    i, j = np.indices(score.shape[2:])
    last = i + (abs(q.shape[1] - k.shape[1]) if mask == "BottomRight" else 0)
    if mask:
        score = np.where((j <= last) & (not window or (j > last - window)), score, -np.inf)
    weight = np.exp(score - score.max(-1, keepdims=True))
    return np.einsum("bhij,bjhd->bihd", weight / weight.sum(-1, keepdims=True), v).astype(q.dtype)


def var_len(q, k, v, starts_q, starts_k, *how):
    out = np.zeros(q.shape[:3] + v.shape[3:], q.dtype)
    for a, b, c, d in zip(starts_q, starts_q[1:], starts_k, starts_k[1:]):
        if b > a:
            out[:, a:b] = attention(q[:, a:b], k[:, c:d], v[:, c:d], *how)
    return out


def roi_align(x, rois, size, scale, aligned, combine=np.mean):
    """Of images (N, C, H, W), with as many samples in a cell as it has elements."""
    out = np.zeros((len(rois), x.shape[1], *size), x.dtype)
    for k, channel, i, j in np.ndindex(out.shape):
        image, places = x[int(rois[k, 0]), channel], []
        for low, high, cells, cell in ((2, 4, size[0], i), (1, 3, size[1], j)):
            length = rois[k, high] * scale - rois[k, low] * scale
            step = (length if aligned else max(length, 1)) / cells
            count = int(np.ceil(step))
            places.append([rois[k, low] * scale + cell * step + (s + 0.5) * step / count for s in range(count)])

        def sample(y, x_):
            if not (-1 <= y <= image.shape[0] and -1 <= x_ <= image.shape[1]):
                return 0.0
            y, x_ = np.clip(y, 0, image.shape[0] - 1), np.clip(x_, 0, image.shape[1] - 1)
            y0, x0 = int(y), int(x_)
            y1, x1 = min(y0 + 1, image.shape[0] - 1), min(x0 + 1, image.shape[1] - 1)
            top = image[y0, x0] * (1 - x_ + x0) + image[y0, x1] * (x_ - x0)
            return top * (1 - y + y0) + (image[y1, x0] * (1 - x_ + x0) + image[y1, x1] * (x_ - x0)) * (y - y0)
        out[k, channel, i, j] = combine([sample(y, x_) for y in places[0] for x_ in places[1]])
    return out


FORMULAS = {"roi_align": roi_align, "attention": attention, "var_len": var_len, "all_class_nms": all_class_nms, "max_pool_grad": max_pool_grad}


def main():
    files = [pathlib.Path(a) for a in sys.argv[1:] if not a.startswith("--")] or sorted((HERE.parent / "values").glob("*.txt"))
    bad = 0
    for path in files:
        cases = {c.where: c for c in read(path)}
        for i, line in enumerate(path.read_text().splitlines(), 1):
            case = cases.get(f"{path.name}:{i}")
            if case and not case.source.startswith("rule") and ("--fill" not in sys.argv or case.answer == "?"):
                try:
                    got = tvm_values(case) if case.source.startswith("tvm") else numpy_values(case)
                except Exception as e:  # noqa: BLE001
                    got = None
                    print(f"{case.where}: {case.call}: {str(e).strip().splitlines()[-1][:200]}", file=sys.stderr)
                if got and "--fill" in sys.argv:
                    line = line.replace(" => ?", " => " + written(got))
                elif got is None or differs(got, case.results()):
                    bad += 1
                    print(f"{case.where}: {case.call}\n  TVM: {written(got) if got else 'does not run it'}", file=sys.stderr)
            if "--fill" in sys.argv:
                print(line)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
