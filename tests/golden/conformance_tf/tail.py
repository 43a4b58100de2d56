# SPDX-License-Identifier: Apache-2.0
"""Special functions and bits, running sums, scatters, diagonals, crops, round trips through
integers."""

import itertools

import numpy as np

from tf_cases import Family, node, normal, raw, rng, tf

g = rng(42)

family = Family("special")
inside = g.uniform(-0.95, 0.95, (2, 3, 5)).astype(np.float32)
wide = g.uniform(-5, 5, (2, 3, 5)).astype(np.float32)
UNARY = {"Acos": inside, "Asin": inside, "Atanh": inside, "Erfinv": inside, "Acosh": np.abs(wide) + 1,
         "Asinh": wide, "Atan": wide, "Cosh": wide, "Sinh": wide, "Digamma": wide, "Erfc": wide,
         "Lgamma": wide}
edges = np.array([0, -0.0, 0.5, -0.5, 1, -1, 2, np.inf, -np.inf, np.nan], np.float32)
for op, x in UNARY.items():
    f = getattr(raw, op)
    if op == "Digamma":
        edges = edges[edges != 0]  # poles: the sign of infinity is not specified
    family.case(f"{op.lower()}", lambda x: f(x=x), {"x": x})
    family.case(f"{op.lower()}_scalar", lambda x: f(x=x), {"x": x[0, 0, 0]})
    family.case(f"{op.lower()}_edges", lambda x: f(x=x), {"x": edges})
    family.case(f"{op.lower()}_empty", lambda x: f(x=x), {"x": x[:0]})
    family.case(f"{op.lower()}_double", lambda x: f(x=x), {"x": x.astype(np.float64)}, tolerance=1e-5)
for dtype in (np.int32, np.int64, np.uint8, np.int8, np.int16, np.uint16):
    info = np.iinfo(dtype)
    a = g.integers(info.min, info.max, (3, 4), dtype, endpoint=True)
    b = g.integers(info.min, info.max, (3, 4), dtype, endpoint=True)
    places = g.integers(0, info.bits, (4,)).astype(dtype)
    tag = np.dtype(dtype).name
    for op in ("BitwiseAnd", "BitwiseOr", "BitwiseXor"):
        family.case(f"{op.lower()}_{tag}", lambda x, y: getattr(raw, op)(x=x, y=y), {"x": a, "y": b})
    for op in ("LeftShift", "RightShift"):
        family.case(f"{op.lower()}_{tag}", lambda x, y: getattr(raw, op)(x=x, y=y), {"x": a, "y": places})
        family.case(f"{op.lower()}_limits_{tag}", lambda x, y: getattr(raw, op)(x=x, y=y),
                    {"x": a, "y": np.array([[info.bits], [info.bits + 3], [100]], dtype)})
    family.case(f"invert_{tag}", lambda x: raw.Invert(x=x), {"x": a})
x = np.array([0, 1, 2, 0.5, 0, 3], np.float32)
for name, y in (("vector", np.array([0, 0, -0.5, 2, -1, 1], np.float32)), ("scalar", np.float32(0.25)),
                ("column", np.array([[0.5], [-1]], np.float32)), ("empty", np.zeros([0, 1], np.float32)),
                ("infinite", np.float32(np.inf))):
    family.case(f"xlog1py_{name}", lambda x, y: raw.Xlog1py(x=x, y=y), {"x": x, "y": y})
    family.case(f"xdivy_{name}", lambda x, y: raw.Xdivy(x=x, y=y), {"x": x, "y": y})
    family.case(f"xlogy_{name}", lambda x, y: raw.Xlogy(x=x, y=y), {"x": x, "y": y})
for name, a, b, tolerance in (("floats", wide, wide + 1e-3 * inside, 5e-4), ("default", wide, wide, 1e-5),
                              ("nan", edges, edges, 1e-5), ("doubles", np.arange(4.0), np.arange(4.0)[::-1], 1.5),
                              ("empty", wide[:0], wide[:0], 1.0)):
    family.case(f"approximate_equal_{name}", lambda x, y: raw.ApproximateEqual(x=x, y=y, tolerance=tolerance),
                {"x": np.array(a), "y": np.array(b)})
family.write()

family = Family("cumulative")
x = normal(g, 2, 3, 5)
for op in ("Cumsum", "Cumprod", "CumulativeLogsumexp"):
    f = getattr(raw, op)
    for axis in (0, 1, -1):
        family.case(f"{op.lower()}_{axis}".replace("-", "m"), lambda x: f(x=x, axis=axis), {"x": x})
    for exclusive, reverse in itertools.product((False, True), (False, True)):
        family.case(f"{op.lower()}_{int(exclusive)}{int(reverse)}",
                    lambda x: f(x=x, axis=1, exclusive=exclusive, reverse=reverse), {"x": x})
    family.case(f"{op.lower()}_empty", lambda x: f(x=x, axis=1), {"x": x[:, :0]})
    family.case(f"{op.lower()}_i64_axis", lambda x: f(x=x, axis=np.int64(2)), {"x": x})
    if op == "CumulativeLogsumexp":
        continue
    for dtype in (np.int32, np.int64, np.uint8, np.int8, np.int16, np.float16):
        family.case(f"{op.lower()}_{np.dtype(dtype).name}", lambda x: f(x=x, axis=0),
                    {"x": np.array([100, 90, 3, 7, 5]).astype(dtype) if dtype != np.float16 else
                     np.array([1, 2, 0.5, 4], dtype)})
family.case("cumsum_long", lambda x: raw.Cumsum(x=x, axis=0), {"x": normal(g, 2000)})
family.write()

family = Family("sequences")
x = normal(g, 3, 4, 2)
for name, lengths, seq, batch in (("time", [4, 1, 0], 1, 0), ("batch_second", [3, 0, 2, 1], 0, 1),
                                  ("last", [2, 1, 0], 2, 0), ("swapped", [3, 2], 0, 2),
                                  ("between", [4, 2], 1, 2)):
    family.case(f"reverse_{name}", lambda x, n: raw.ReverseSequence(
        input=x, seq_lengths=n, seq_dim=seq, batch_dim=batch), {"x": x, "n": np.array(lengths, np.int64)})
family.case("reverse_i32", lambda x, n: raw.ReverseSequence(input=x, seq_lengths=n, seq_dim=1, batch_dim=0),
            {"x": np.arange(8, dtype=np.int32).reshape(2, 4), "n": np.array([3, 4], np.int32)})
family.case("reverse_known_lengths", lambda x: raw.ReverseSequence(
    input=x, seq_lengths=[4, 1, 2], seq_dim=1, batch_dim=0), {"x": x})
family.write()

family = Family("scatter")
base = normal(g, 5, 3)
rows = np.array([[1], [4], [1]], np.int32)
updates = normal(g, 3, 3)
pairs = np.array([[0, 2], [4, 1], [0, 2]], np.int64)
for op in ("Update", "Add", "Sub", "Max", "Min"):
    f = getattr(raw, f"TensorScatter{op}")
    low = op.lower()
    family.case(f"{low}_rows", lambda t, i, u: f(tensor=t, indices=i, updates=u),
                {"t": base, "i": rows, "u": updates})
    family.case(f"{low}_elements", lambda t, i, u: f(tensor=t, indices=i, updates=u),
                {"t": base, "i": pairs, "u": updates[0]})
    family.case(f"{low}_known", lambda t, u: f(tensor=t, indices=rows, updates=u), {"t": base, "u": updates})
    family.case(f"{low}_matrix", lambda t, i, u: f(tensor=t, indices=i, updates=u),
                {"t": base, "i": rows[None], "u": updates[None]})
    for dtype in (np.int32, np.uint8, np.int8):
        family.case(f"{low}_{np.dtype(dtype).name}", lambda t, i, u: f(tensor=t, indices=i, updates=u),
                    {"t": np.arange(5, dtype=dtype) * 40, "i": rows,
                     "u": np.array([100, 120, 90]).astype(dtype)})
family.case("update_bool", lambda t, i, u: raw.TensorScatterUpdate(tensor=t, indices=i, updates=u),
            {"t": base > 0, "i": rows, "u": updates > 0})
for name, shape, i, u in (("rows", [6, 3], rows, updates), ("vector", [5], rows, updates[0]),
                          ("elements", [5, 3], pairs, updates[0]), ("empty", [4], rows[:0], updates[0, :0]),
                          ("deep", [5, 3, 3], pairs, updates)):
    family.case(f"nd_{name}", lambda i, u: raw.ScatterNd(indices=i, updates=u, shape=shape),
                {"i": i, "u": u})
family.case("nd_uint8", lambda i, u: raw.ScatterNd(indices=i, updates=u, shape=[5]),
            {"i": rows, "u": np.array([200, 3, 100], np.uint8)})
for name in ("rows", "elements"):
    family.case(f"nd_add_{name}", lambda t, i, u: raw.ScatterNdNonAliasingAdd(input=t, indices=i, updates=u),
                {"t": base, "i": rows if name == "rows" else pairs,
                 "u": updates if name == "rows" else updates[0]})
for name, i, shape, values in (("vector", [1, 3], [5], [2.0, 3.0]), ("scalar", 2, [4], 7.0),
                               ("matrix", [[0, 1], [2, 0]], [3, 2], [1.0, 2.0]),
                               ("one_value", [[0, 1], [2, 0]], [3, 2], 5.0),
                               ("none", np.zeros([0, 2]), [2, 2], np.zeros([0]))):
    family.case(f"sparse_to_dense_{name}", lambda i, v: raw.SparseToDense(
        sparse_indices=i, output_shape=np.array(shape, np.int32), sparse_values=v, default_value=-1.0),
                {"i": np.array(i, np.int32), "v": np.array(values, np.float32)})
data = normal(g, 4, 2, 3)
for op in ("Sum", "Prod", "Max", "Min"):
    f = getattr(raw, f"UnsortedSegment{op}")
    low = f"unsorted_{op.lower()}"
    for name, ids, count in (("rows", [2, 0, 2, 1], 3), ("gaps", [4, 1, 1, 4], 6),
                             ("negative", [-1, 0, 1, 0], 2), ("matrix", [[0, 1]] * 4, 2),
                             ("none_of_them", [-1] * 4, 2)):
        family.case(f"{low}_{name}", lambda x, i: f(data=x, segment_ids=i, num_segments=count),
                    {"x": data, "i": np.array(ids, np.int32)})
    for dtype in (np.int32, np.int64):
        family.case(f"{low}_{np.dtype(dtype).name}", lambda x, i: f(data=x, segment_ids=i, num_segments=3),
                    {"x": np.array([3, -7, 2, 5], dtype), "i": np.array([0, 2, 2, 0], np.int64)})
for op in ("Sum", "Mean", "Prod", "Max", "Min"):
    f = getattr(raw, f"Segment{op}")
    for name, ids in (("each", [0, 1, 2, 3]), ("all", [0, 0, 0, 0]), ("pairs", [0, 0, 1, 1]),
                      ("gap", [0, 0, 3, 3]), ("late", [1, 1, 1, 2])):
        family.case(f"segment_{op.lower()}_{name}",
                    lambda x: f(data=x, segment_ids=np.array(ids, np.int32)), {"x": data})
    if op != "Mean":
        family.case(f"segment_{op.lower()}_i32", lambda x: f(data=x, segment_ids=[0, 2, 2]),
                    {"x": np.array([4, -5, 6], np.int32)})
counts = np.array([1, 3, 3, 0, 7, 2], np.int32)
weights = normal(g, 6)
nothing = np.zeros([0], np.float32)
for name, size, w in (("counts", 8, nothing), ("cut", 3, nothing), ("weights", 8, weights),
                      ("ints", 8, np.zeros([0], np.int32)), ("cut_weights", 3, weights)):
    family.case(f"bincount_{name}", lambda x: raw.Bincount(arr=x, size=size, weights=w), {"x": counts})
    for binary in (False, True):
        if binary and len(w) > 0:
            continue
        family.case(f"dense_bincount_{name}{'_binary' * binary}", lambda x: raw.DenseBincount(
            input=x, size=size, weights=w, binary_output=binary), {"x": counts})
        family.case(f"dense_bincount_rows_{name}{'_binary' * binary}", lambda x: raw.DenseBincount(
            input=x, size=size, weights=w.reshape(-1, 3) if len(w) else w, binary_output=binary),
                    {"x": counts.reshape(2, 3).astype(np.int64)})
for name, first, second in (("merge", [0, 2], [1, 3]), ("overlap", [0, 1], [1, 2]), ("scalar", 0, [1, 2]),
                            ("matrix", [[0, 1], [4, 5]], [2, 3]), ("swapped", [3, 2], [1, 0])):
    for op in ("DynamicStitch", "ParallelDynamicStitch"):
        if op.startswith("Par") and name == "overlap":
            continue
        family.case(f"{op.lower()}_{name}", lambda a, b: getattr(raw, op)(indices=[first, second], data=[a, b]),
                    {"a": normal(g, *np.shape(first), 2), "b": normal(g, *np.shape(second), 2)})
values = np.array([[-5, 0.1, 1.3, 2.4], [3.7, 4.9, 11, 2.6]], np.float32)
for name, x in (("floats", values), ("ints", np.arange(-2, 9, dtype=np.int32)), ("scalar", np.float32(3)),
                ("i64", np.arange(6)), ("special", np.array([np.nan, np.inf, -np.inf, 2], np.float32)),
                ("empty", values[:0])):
    family.case(f"bucketize_{name}", lambda x: raw.Bucketize(input=x, boundaries=[0, 2, 2.5, 10]), {"x": x})
family.case("bucketize_no_boundaries", lambda x: raw.Bucketize(input=x, boundaries=[]), {"x": values})
for name, low, high, bins, dtype in (("five", 0, 5, 5, tf.int32), ("one", -1, 1, 1, tf.int32),
                                     ("fine", -6, 12, 37, tf.int32), ("negative", -3, -1, 4, tf.int32),
                                     ("i64", 0, 10, 3, tf.int64)):
    family.case(f"histogram_{name}", lambda x: raw.HistogramFixedWidth(
        values=x, value_range=np.array([low, high], np.float32), nbins=bins, dtype=dtype), {"x": values})
ordered = np.sort(g.integers(0, 9, (2, 6)), -1)
for op in ("LowerBound", "UpperBound"):
    for dtype in (np.float32, np.int32, np.int64):
        family.case(f"{op.lower()}_{np.dtype(dtype).name}", lambda s, v: getattr(raw, op)(
            sorted_inputs=s, values=v), {"s": ordered.astype(dtype),
                                         "v": np.array([[3, 9, 0, 5], [8, -1, 4, 4]], dtype)})
    family.case(f"{op.lower()}_i64_output", lambda s, v: getattr(raw, op)(
        sorted_inputs=s, values=v, out_type=tf.int64), {"s": ordered, "v": ordered[:, ::2]})
    family.case(f"{op.lower()}_one_row", lambda s, v: getattr(raw, op)(sorted_inputs=s, values=v),
                {"s": ordered[:1], "v": np.array([[2, 2]])})
for op in ("Max", "Min"):
    for dtype in (np.uint8, np.int8, np.uint16, np.int16, np.int32, np.int64):
        family.case(f"unsorted_{op.lower()}_gap_{np.dtype(dtype).name}", lambda x: getattr(raw, f"UnsortedSegment{op}")(
            data=x, segment_ids=[2, 0, 2], num_segments=4), {"x": np.array([3, 7, 5], dtype)})
        family.case(f"segment_{op.lower()}_gap_{np.dtype(dtype).name}", lambda x: getattr(raw, f"Segment{op}")(
            data=x, segment_ids=[0, 2, 2]), {"x": np.array([3, 7, 5], dtype)})
more = rng(117)
for name, t, i, u in (("one_element", normal(more, 5), [[3]], [2.5]),
                      ("matrix_of_rows", normal(more, 4, 3), [[[0], [2]], [[2], [3]]], normal(more, 2, 2, 3)),
                      ("empty", normal(more, 4, 2), np.zeros((0, 1)), np.zeros((0, 2))),
                      ("i32", np.arange(5, dtype=np.int32), [[0], [0], [4]], [7, 8, -9]),
                      ("uint8", np.arange(5, dtype=np.uint8), [[4], [4]], [250, 7]),
                      ("bool", np.array([False, True, False]), [[0], [1]], [True, False]),
                      ("known", normal(more, 3, 2), [[1]], normal(more, 1, 2))):
    indices, values = np.array(i, np.int32), np.array(u, t.dtype)
    feeds = {"t": t, "u": values} if name == "known" else {"t": t, "u": values, "i": indices}
    family.case(f"nd_add_{name}", (lambda t, u: raw.ScatterNdNonAliasingAdd(input=t, indices=indices, updates=u))
                if name == "known" else lambda t, u, i: raw.ScatterNdNonAliasingAdd(input=t, indices=i, updates=u),
                feeds)
for name, first, second, rest in (("scalars", 1, 0, ()), ("empty", np.zeros(0), [0, 1], (2,)),
                                  ("rank_3", [[[0]], [[3]]], [1, 2], ()),
                                  ("wide_rest", [1], [0, 2], (2, 1, 3))):
    for op in ("DynamicStitch", "ParallelDynamicStitch"):
        family.case(f"{op.lower()}_of_{name}", lambda a, b: getattr(raw, op)(
            indices=[np.array(first, np.int32), np.array(second, np.int32)], data=[a, b]),
                    {"a": normal(more, *np.shape(first), *rest), "b": normal(more, *np.shape(second), *rest)})
family.case("paralleldynamicstitch_i64",
            lambda a, b, c: raw.ParallelDynamicStitch(indices=[[2], [0], [1]], data=[a, b, c]),
            {"a": np.array([1]), "b": np.array([2]), "c": np.array([3])})
family.write()

family = Family("diagonals")
matrices = normal(g, 2, 3, 4)
for name, x in (("vector", normal(g, 4)), ("batch", normal(g, 2, 3)), ("one", normal(g, 1)),
                ("i32", np.arange(3, dtype=np.int32)), ("bool", np.array([True, False, True])),
                ("rank_3", normal(g, 2, 1, 3))):
    family.case(f"diag_{name}", lambda x: raw.MatrixDiag(diagonal=x), {"x": x})
    family.case(f"tensor_diag_{name}", lambda x: raw.Diag(diagonal=x),
                {"x": x if x.dtype != bool else x.astype(np.float32)})
for name, x in (("wide", matrices), ("tall", matrices.transpose(0, 2, 1).copy()), ("square", normal(g, 3, 3)),
                ("one", normal(g, 1, 1)), ("rank_4", normal(g, 2, 1, 2, 3)),
                ("i64", np.arange(6).reshape(2, 3))):
    family.case(f"part_{name}", lambda x: raw.MatrixDiagPart(input=x), {"x": x})
    family.case(f"set_{name}", lambda x, d: raw.MatrixSetDiag(input=x, diagonal=d),
                {"x": x, "d": -x[..., :min(x.shape[-2:]), 0]})
for name, shape in (("matrix", (3, 3)), ("one", (1, 1)), ("two_pairs", (2, 3, 2, 3)),
                    ("three_pairs", (2, 1, 2) * 2), ("large", (7, 7))):
    family.case(f"tensor_part_{name}", lambda x: raw.DiagPart(input=x), {"x": normal(g, *shape)})
BANDS = {"main": (0, 0), "above": (1, 1), "below": (-1, -1), "three": (-1, 1), "upper": (0, 2),
         "corner": (-2, -1)}
ALIGN = ("LEFT_LEFT", "RIGHT_LEFT", "LEFT_RIGHT", "RIGHT_RIGHT")
for name, (low, high) in BANDS.items():
    k = [low] if low == high else [low, high]
    for version, align in [(2, None)] + [(3, a) for a in ALIGN]:
        extra = {} if version == 2 else {"align": align}
        tag = f"{name}_v{version}" + ("" if version == 2 else f"_{align.lower()}")
        family.case(f"part_{tag}", lambda x: getattr(raw, f"MatrixDiagPartV{version}")(
            input=x, k=k, padding_value=9.0, **extra), {"x": matrices})
        stack = tf.raw_ops.MatrixDiagPartV2(input=matrices, k=k, padding_value=0.0).numpy()
        stack = normal(g, *stack.shape)
        family.case(f"set_{tag}", lambda x, d: getattr(raw, f"MatrixSetDiagV{version}")(
            input=x, diagonal=d, k=k, **extra), {"x": matrices, "d": stack})
        family.case(f"diag_{tag}", lambda d: getattr(raw, f"MatrixDiagV{version}")(
            diagonal=d, k=k, num_rows=3, num_cols=4, padding_value=-2.0, **extra), {"d": stack})
for name, rows, columns in (("any_size", -1, -1), ("rows", 6, -1), ("columns", -1, 7), ("both", 4, 6)):
    family.case(f"diag_v3_{name}", lambda d: raw.MatrixDiagV3(
        diagonal=d, k=[-1, 1], num_rows=rows, num_cols=columns, padding_value=0.5), {"d": normal(g, 3, 4)})
for name, low, high in (("diagonal", 0, 0), ("lower", -1, 0), ("upper", 0, -1), ("band", 1, 1),
                        ("all", -1, -1)):
    family.case(f"band_{name}", lambda x: raw.MatrixBandPart(
        input=x, num_lower=low, num_upper=high), {"x": matrices})
more = rng(118)


def as_batch(definition):
    """The op under the name that it had before TensorFlow 0.10."""
    old = node(definition, "old")
    old.op = "Batch" + old.op


for name, shape in (("square", (3, 3)), ("wide", (2, 2, 4)), ("tall", (2, 5, 3)), ("one", (1, 1)),
                    ("rank_5", (2, 1, 2, 2, 3)), ("no_batch", (0, 2, 3))):
    for dtype in (np.float32, np.int32, np.bool_) if name == "wide" else (np.float32,):
        x = (normal(more, *shape) * 3).astype(dtype)
        d = (normal(more, *shape[:-2], min(shape[-2:])) * 3).astype(dtype)
        tag = name if dtype == np.float32 else f"{name}_{np.dtype(dtype).name}"
        family.case(f"batch_band_part_{tag}", lambda x: raw.MatrixBandPart(
            input=x, num_lower=np.int64(1), num_upper=np.int64(0), name="old"), {"x": x}, edit=as_batch)
        family.case(f"batch_diag_{tag}", lambda d: raw.MatrixDiag(diagonal=d, name="old"), {"d": d}, edit=as_batch)
        family.case(f"batch_diag_part_{tag}", lambda x: raw.MatrixDiagPart(input=x, name="old"), {"x": x},
                    edit=as_batch)
        family.case(f"batch_set_diag_{tag}", lambda x, d: raw.MatrixSetDiag(input=x, diagonal=d, name="old"),
                    {"x": x, "d": d}, edit=as_batch)
family.write()

family = Family("crops")
pictures = normal(g, 2, 6, 7, 3)
boxes = np.array([[0, 0, 1, 1], [0.1, 0.2, 0.8, 0.9], [0.9, 0.8, 0.1, 0.3], [-0.2, 0.3, 0.6, 1.3]], np.float32)
which = np.array([0, 1, 1, 0], np.int32)
for method in ("bilinear", "nearest"):
    for name, size in (("small", (2, 3)), ("large", (9, 8)), ("one", (1, 1)), ("row", (1, 5))):
        family.case(f"crop_{method}_{name}", lambda x, b, i: raw.CropAndResize(
            image=x, boxes=b, box_ind=i, crop_size=size, method=method, extrapolation_value=-1.0),
                    {"x": pictures, "b": boxes, "i": which})
family.case("crop_bytes", lambda x, b, i: raw.CropAndResize(image=x, boxes=b, box_ind=i, crop_size=[4, 4]),
            {"x": np.arange(126, dtype=np.uint8).reshape(1, 6, 7, 3), "b": boxes, "i": which * 0})
for name, flag in (("legacy", {}), ("corners", {"align_corners": True}),
                   ("half_pixel", {"half_pixel_centers": True})):
    for size in ((8, 10), (3, 2), (1, 1), (7, 5)):
        family.case(f"bicubic_{name}_{size[0]}x{size[1]}",
                    lambda x: raw.ResizeBicubic(images=x, size=list(size), **flag), {"x": pictures})
    family.case(f"bicubic_{name}_u8", lambda x: raw.ResizeBicubic(images=x, size=[8, 9], **flag),
                {"x": np.arange(60, dtype=np.uint8).reshape(1, 4, 5, 3)})
for padding, (name, k, s, r) in itertools.product(("SAME", "VALID"), (
        ("plain", (3, 3), (1, 1), (1, 1)), ("strides", (2, 3), (2, 3), (1, 1)), ("rates", (2, 2), (1, 2), (2, 3)),
        ("one", (1, 1), (2, 2), (1, 1)), ("tall", (4, 1), (3, 1), (1, 1)))):
    family.case(f"patches_{padding.lower()}_{name}", lambda x: raw.ExtractImagePatches(
        images=x, ksizes=[1, *k, 1], strides=[1, *s, 1], rates=[1, *r, 1], padding=padding), {"x": pictures})
family.write()

family = Family("round_trip")
x = np.array([-10.1, -3, -0.4, 0, 0.2, 0.5, 1.5, 2.5, 7.7, 20], np.float32)
for signed, narrow, given, mode in itertools.product((True, False), (True, False), (True, False),
                                                     ("HALF_TO_EVEN", "HALF_UP")):
    tag = f"{'signed' if signed else 'unsigned'}{'_narrow' * narrow}{'_given' * given}_{mode.lower()}"
    extra = {"signed_input": signed, "narrow_range": narrow, "range_given": given}
    for version in (2, 4):
        family.case(f"v{version}_{tag}", lambda x: getattr(raw, f"QuantizeAndDequantizeV{version}")(
            input=x, input_min=-4.0, input_max=6.0, round_mode=mode, **extra), {"x": x})
    if mode == "HALF_UP":
        family.case(f"v3_{tag}", lambda x: raw.QuantizeAndDequantizeV3(
            input=x, input_min=-4.0, input_max=6.0, num_bits=6, **extra), {"x": x})
for name, low, high in (("zero", 0.0, 0.0), ("positive", 1.0, 3.0), ("negative", -3.0, -1.0), ("tiny", -1e-3, 1e-3)):
    family.case(f"range_{name}", lambda x: raw.QuantizeAndDequantizeV2(
        input=x, input_min=low, input_max=high, range_given=True), {"x": x})
family.case("zeros", lambda x: raw.QuantizeAndDequantizeV2(input=x, input_min=0.0, input_max=0.0), {"x": x * 0})
for bits in (2, 4, 12, 16):
    family.case(f"bits_{bits}", lambda x: raw.QuantizeAndDequantizeV2(
        input=x, input_min=-8.0, input_max=8.0, num_bits=bits, range_given=True), {"x": x})
y = normal(g, 2, 3, 4)
for axis in (0, 1, 2):
    n = y.shape[axis]
    family.case(f"axis_{axis}", lambda x: raw.QuantizeAndDequantizeV2(
        input=x, input_min=np.zeros(n, np.float32), input_max=np.zeros(n, np.float32), axis=axis), {"x": y})
family.case("fed_range", lambda x, a, b: raw.QuantizeAndDequantizeV2(
    input=x, input_min=a, input_max=b, range_given=True), {"x": x, "a": np.float32(-4), "b": np.float32(9)})
more = rng(119)


def to_first(definition):
    """An older version of the op: the bounds of the range are attributes."""
    old = node(definition, "old")
    old.op = "QuantizeAndDequantize"
    del old.input[1:], old.attr["narrow_range"], old.attr["round_mode"], old.attr["axis"]
    old.attr["input_min"].f, old.attr["input_max"].f = low, high


for name, shape, low, high, attrs in (
        ("range", (3, 4), -2.0, 3.0, {"range_given": True}), ("elements", (3, 4), 0.0, 0.0, {}),
        ("unsigned", (7,), 0.0, 2.0, {"range_given": True, "signed_input": False}),
        ("4_bits", (2, 2, 3), -4.0, 4.0, {"range_given": True, "num_bits": 4}),
        ("scalar", (), -1.0, 1.0, {"range_given": True}), ("16_bits", (5,), 0.0, 0.0, {"num_bits": 16}),
        ("empty", (0, 3), -1.0, 1.0, {"range_given": True})):
    family.case(f"v1_{name}", lambda x: raw.QuantizeAndDequantizeV2(
        input=x, input_min=low, input_max=high, name="old", **attrs), {"x": normal(more, *shape) * 2}, edit=to_first)
family.write()
