# SPDX-License-Identifier: Apache-2.0
"""Complex tensors inside a graph: ops that compute with them, and ops that move them."""

import numpy as np

from tf_cases import Family, normal, raw, rng, tf

g = rng(43)


def parts(*results):
    """Complex results as real and imaginary parts, others as they are."""
    return [part for z in results for part in ([raw.Real(input=z), raw.Imag(input=z)] if z.dtype.is_complex else [z])]


def make(re, im):
    return raw.Complex(real=re, imag=im)


def two(*shape):
    return {"re": normal(g, *shape), "im": normal(g, *shape)}


def four(a, b):
    return {"a": normal(g, *a), "b": normal(g, *a), "c": normal(g, *b), "d": normal(g, *b)}


family = Family("complex_arithmetic")
quadrants = {"re": np.array([3, 1, -1, -2, 0.5, 0, 0, 2, -2], np.float32),
             "im": np.array([4, -1, 1, -0.5, 0, 2, -3, 1e-3, 1e-3], np.float32)}
far = {"re": np.array([1e-12, 3e15, -2e10, 1e-3], np.float32), "im": np.array([2e-12, 1e15, 1e-10, 4e-5], np.float32)}
UNARY = ["Exp", "Log", "Sqrt", "Rsqrt", "Square", "Reciprocal", "Inv", "Sign", "Sin", "Cos", "Sinh", "Cosh", "ZerosLike",
         "OnesLike", "Neg"]
for op in UNARY:
    call = getattr(raw, op)
    shapes = {"matrix": two(2, 5), "quadrants": quadrants, "scalar": two(), "empty": two(0, 3), "rank_4": two(2, 1, 3, 2)}
    for name, feeds in shapes.items():
        family.case(f"{op.lower()}_{name}", lambda re, im: parts(call(x=make(re, im))), feeds)
for op in ("Reciprocal", "Sqrt", "Log"):
    call = getattr(raw, op)
    family.case(f"{op.lower()}_far", lambda re, im: parts(call(x=make(re, im))), far)
zeros = {"re": np.array([0, 1], np.float32), "im": np.array([0, 0], np.float32)}
for op in ("Sqrt", "Square", "Sign", "Exp"):
    call = getattr(raw, op)
    family.case(f"{op.lower()}_zero", lambda re, im: parts(call(x=make(re, im))), zeros)

SHAPES = {"same": ((2, 3), (2, 3)), "row": ((2, 3), (3,)), "scalar": ((2, 3), ()), "outer": ((4, 1), (3,)),
          "rank_3": ((2, 1, 3), (2, 4, 3))}
for op in ("RealDiv", "Div", "DivNoNan", "MulNoNan", "SquaredDifference", "Pow", "Equal", "NotEqual"):
    call = getattr(raw, op)
    for name, shapes in SHAPES.items():
        feeds = four(*shapes)
        if op.endswith("Equal"):
            feeds = {key: np.round(value) for key, value in feeds.items()}
        family.case(f"{op.lower()}_{name}", lambda a, b, c, d: parts(call(x=make(a, b), y=make(c, d))), feeds)
some_zeros = {"a": np.array([1, 0, 2, 0], np.float32), "b": np.array([2, 0, -1, 0], np.float32),
              "c": np.array([0, 0, 1, 3], np.float32), "d": np.array([0, 0, 2, 1], np.float32)}
for op in ("DivNoNan", "MulNoNan", "Pow", "Equal"):
    call = getattr(raw, op)
    family.case(f"{op.lower()}_zeros", lambda a, b, c, d: parts(call(x=make(a, b), y=make(c, d))), some_zeros)

# One operand is constant, real, or made of zeros and a part.
row = (normal(g, 3) + 1j * normal(g, 3)).astype(np.complex64)
z = two(2, 3)
for op in ("Mul", "RealDiv", "AddV2", "Sub", "Pow"):
    call = getattr(raw, op)
    family.case(f"{op.lower()}_by_constant", lambda re, im: parts(call(x=make(re, im), y=tf.constant(row))), z)
    family.case(f"{op.lower()}_of_constant", lambda re, im: parts(call(x=tf.constant(row), y=make(re, im))), z)
    family.case(f"{op.lower()}_by_real", lambda re, im, x: parts(call(x=make(re, im), y=tf.cast(x, tf.complex64))),
                z | {"x": np.abs(normal(g, 3)) + np.float32(0.5)})
    family.case(f"{op.lower()}_of_real", lambda re, im, x: parts(call(x=tf.cast(x, tf.complex64), y=make(re, im))),
                z | {"x": np.abs(normal(g, 3)) + np.float32(0.5)})
    family.case(f"{op.lower()}_by_imaginary", lambda re, im, x: parts(call(x=make(re, im), y=tf.complex(0.0, x))),
                z | {"x": np.abs(normal(g, 2, 1)) + np.float32(0.5)})
    family.case(f"{op.lower()}_by_real_constant",
                lambda re, im: parts(call(x=make(re, im), y=tf.constant([2, -1, 0.5], tf.complex64))), z)
family.case("exp_of_imaginary", lambda x: parts(tf.exp(tf.complex(0.0, x))), {"x": normal(g, 7)})
family.case("exp_of_real", lambda x: parts(tf.exp(tf.cast(x, tf.complex64))), {"x": normal(g, 7)})
family.case("parts_of_real", lambda x: parts(tf.cast(x, tf.complex64)), {"x": normal(g, 2, 3)})
family.case("parts_of_imaginary", lambda x: parts(tf.complex(tf.zeros([2, 3]), x)), {"x": normal(g, 2, 3)})
family.case("squared_twice", lambda re, im: parts(tf.square(tf.square(make(re, im)) + tf.constant(0.5 - 0.25j, tf.complex64))), z)
family.case("pow_2", lambda re, im: parts(make(re, im) ** 2), z)
for name, shapes in {"scalar_and_row": ((), (3,)), "row_and_scalar": ((3,), ()), "column_and_row": ((2, 1), (3,)),
                     "matrix_and_row": ((2, 3), (3,)), "row_and_rank_3": ((3,), (2, 1, 3))}.items():
    family.case(f"complex_{name}", lambda re, im: parts(make(re, im)),
                {"re": normal(g, *shapes[0]), "im": normal(g, *shapes[1])})
for dtype in ("int32", "bool", "int64", "uint8", "float16", "float64"):
    family.case(f"cast_from_{dtype}", lambda x: parts(tf.cast(x, tf.complex64)), {"x": np.array([[0, 1, 2]], dtype)})
for dtype in ("float32", "int32", "int64", "float16", "float64"):
    family.case(f"cast_to_{dtype}", lambda re, im: tf.cast(make(re, im), dtype),
                {"re": np.array([1.5, -2, 7], np.float32), "im": normal(g, 3)})
family.case("cast_to_complex128", lambda re, im: parts(tf.cast(tf.cast(make(re, im), tf.complex128) * (1 + 2j), tf.complex64)), z)

a, b, batch = (3, 4), (4, 2), (2, 3, 4)
for name, left, right, flags in (("plain", a, b, {}), ("transpose_a", (4, 3), b, {"transpose_a": True}),
                                 ("transpose_b", a, (2, 4), {"transpose_b": True}),
                                 ("both", (4, 3), (2, 4), {"transpose_a": True, "transpose_b": True}),
                                 ("row", (1, 5), (5, 1), {})):
    family.case(f"matmul_{name}", lambda a, b, c, d: parts(raw.MatMul(a=make(a, b), b=make(c, d), **flags)), four(left, right))
for op, cases in {"BatchMatMul": ((batch, (2, 4, 2)), ((1, 2, 2), (1, 2, 5))),
                  "BatchMatMulV2": ((batch, (2, 4, 2)), (batch, (4, 2)), ((2, 1, 3, 4), (5, 4, 2))),
                  "BatchMatMulV3": ((batch, (2, 4, 2)), (batch, (4, 2)))}.items():
    for i, (left, right) in enumerate(cases):
        for adj_x, adj_y in ((False, False), (True, False), (False, True)):
            swap = lambda shape, turn: (*shape[:-2], shape[-1], shape[-2]) if turn else shape
            attrs = {"adj_x": adj_x, "adj_y": adj_y} | ({"Tout": tf.complex64} if op.endswith("V3") else {})
            family.case(f"{op.lower()}_{i}_{int(adj_x)}{int(adj_y)}",
                        lambda a, b, c, d: parts(getattr(raw, op)(x=make(a, b), y=make(c, d), **attrs)),
                        four(swap(left, adj_x), swap(right, adj_y)))
matrix = (normal(g, 4, 2) + 1j * normal(g, 4, 2)).astype(np.complex64)
family.case("matmul_by_constant", lambda re, im: parts(tf.matmul(make(re, im), tf.constant(matrix))), two(3, 4))
family.case("matmul_of_constant", lambda re, im: parts(tf.matmul(tf.constant(matrix), make(re, im))), two(2, 3))
family.case("matmul_batch_by_constant", lambda re, im: parts(tf.matmul(make(re, im), tf.constant(matrix))), two(2, 3, 4))
family.case("matmul_by_real", lambda re, im: parts(tf.matmul(make(re, im), tf.constant(matrix.real, tf.complex64))), two(3, 4))
family.write()

family = Family("complex_moves")
z = two(2, 3, 4)


def moves(name, *builds, feeds=z):
    for i, build in enumerate(builds):
        family.case(f"{name}_{i}", lambda re, im: parts(*aslist(build(make(re, im)))), feeds)


def aslist(results):
    return results if isinstance(results, (list, tuple)) else [results]


moves("broadcast_to", *(lambda z, shape=shape: raw.BroadcastTo(input=z, shape=shape)
                        for shape in ([2, 3, 4], [1, 2, 3, 4], [5, 2, 3, 4], [2, 2, 2, 3, 4], [0, 2, 3, 4])))
moves("ensure_shape", *(lambda z, shape=shape: raw.EnsureShape(input=z, shape=shape)
                        for shape in ([2, 3, 4], [None, 3, 4], [None] * 3, [2, None, None], [None, None, 4])))
moves("expand_dims", *(lambda z, axis=axis: raw.ExpandDims(input=z, axis=axis) for axis in (0, 1, 3, -1, -2)))
moves("reshape", *(lambda z, shape=shape: raw.Reshape(tensor=z, shape=shape)
                   for shape in ([6, 4], [-1], [2, -1, 2], [4, 3, 2], [1, 2, 1, 12])))
moves("squeeze", lambda z: raw.Squeeze(input=z), lambda z: raw.Squeeze(input=z, axis=[0]), lambda z: raw.Squeeze(input=z, axis=[-1]),
      lambda z: raw.Squeeze(input=z, axis=[0, 2]), lambda z: raw.Squeeze(input=z, axis=[0, -1]), feeds=two(1, 3, 1, 1))
moves("transpose", *(lambda z, perm=perm: raw.Transpose(x=z, perm=perm)
                     for perm in ([2, 1, 0], [0, 2, 1], [1, 0, 2], [0, 1, 2], [2, 0, 1])))
moves("conjugate_transpose", *(lambda z, perm=perm: raw.ConjugateTranspose(x=z, perm=perm)
                               for perm in ([2, 1, 0], [0, 2, 1], [1, 0, 2], [0, 1, 2], [2, 0, 1])))
moves("shapes", lambda z: raw.Shape(input=z), lambda z: raw.Shape(input=z, out_type=tf.int64), lambda z: raw.Size(input=z),
      lambda z: raw.Rank(input=z), lambda z: raw.ShapeN(input=[z, z[0]]))
moves("reverse", *(lambda z, dims=dims: raw.Reverse(tensor=z, dims=dims)
                   for dims in ([True, False, True], [False] * 3, [True] * 3, [False, True, False], [False, False, True])))
moves("reverse_v2", *(lambda z, axis=axis: raw.ReverseV2(tensor=z, axis=axis) for axis in ([0], [-1], [0, 1, 2], [-2], [])))
moves("reverse_sequence", *(lambda z, lengths=lengths, seq=seq, batch=batch: raw.ReverseSequence(
    input=z, seq_lengths=lengths, seq_dim=seq, batch_dim=batch)
                            for lengths, seq, batch in (([3, 1], 1, 0), ([4, 2], 2, 0), ([1, 2, 4], 2, 1), ([2, 0], 1, 0),
                                                        ([1, 2, 0], 0, 1))))
moves("roll", *(lambda z, shift=shift, axis=axis: raw.Roll(input=z, shift=shift, axis=axis)
                for shift, axis in ((1, 0), (-1, 2), ([1, 2], [1, 2]), (5, 1), ([1, 1], [-1, -1]))))
moves("slice", *(lambda z, begin=begin, size=size: raw.Slice(input=z, begin=begin, size=size)
                 for begin, size in (([0, 1, 2], [2, 1, 2]), ([1, 0, 0], [-1, -1, -1]), ([0, 0, 0], [2, 3, 4]),
                                     ([0, 3, 0], [1, 0, 1]), ([1, 2, 3], [1, 1, 1]))))
moves("split", *(lambda z, axis=axis, n=n: raw.Split(axis=axis, value=z, num_split=n)
                 for axis, n in ((0, 2), (1, 3), (2, 2), (-1, 4), (-3, 1))))
moves("split_v", *(lambda z, axis=axis, sizes=sizes: raw.SplitV(value=z, size_splits=sizes, axis=axis, num_split=len(sizes))
                   for axis, sizes in ((0, [1, 1]), (1, [1, 2]), (2, [1, -1]), (-1, [0, 4]), (-2, [3]))))
moves("strided_slice", lambda z: z[..., 1], lambda z: z[:, ::-1, ::2], lambda z: z[1], lambda z: z[..., tf.newaxis, 1:3],
      lambda z: z[:, tf.newaxis, -1], lambda z: z[0, 1, 2])
moves("unpack", *(lambda z, axis=axis, n=n: raw.Unpack(value=z, num=n, axis=axis)
                  for axis, n in ((0, 2), (1, 3), (2, 4), (-1, 4), (-3, 2))))
moves("concat", *(lambda z, axis=axis: raw.Concat(concat_dim=axis, values=[z, raw.Conj(input=z)]) for axis in (0, 1, 2, -1, -3)))
moves("concat_v2", *(lambda z, axis=axis: raw.ConcatV2(values=[z, raw.Conj(input=z), z], axis=axis) for axis in (0, 1, 2, -1, -3)))
moves("pack", *(lambda z, axis=axis: raw.Pack(values=[z, raw.Conj(input=z)], axis=axis) for axis in (0, 1, 3, -1, -2)))
moves("pad", *(lambda z, pads=pads: raw.Pad(input=z, paddings=pads)
               for pads in ([[1, 0], [0, 0], [0, 2]], [[0, 0]] * 3, [[0, 1]] * 3, [[2, 2], [0, 0], [0, 0]], [[0, 0], [1, 1], [0, 0]])))
moves("mirror_pad", *(lambda z, pads=pads, mode=mode: raw.MirrorPad(input=z, paddings=pads, mode=mode)
                      for pads, mode in (([[1, 0], [0, 0], [0, 2]], "REFLECT"), ([[1, 0], [0, 0], [0, 2]], "SYMMETRIC"),
                                         ([[0, 0]] * 3, "REFLECT"), ([[1, 1]] * 3, "REFLECT"), ([[0, 1]] * 3, "SYMMETRIC"))))
moves("tile", *(lambda z, multiples=multiples: raw.Tile(input=z, multiples=multiples)
                for multiples in ([2, 1, 1], [1, 1, 3], [1, 1, 1], [2, 2, 2], [0, 1, 1])))
moves("gather", *(lambda z, indices=indices: raw.Gather(params=z, indices=indices)
                  for indices in ([1, 0, 1], 1, [[0, 1]], np.zeros([0], np.int32), [[[1]]])))
moves("gather_v2", *(lambda z, indices=indices, axis=axis, dims=dims: raw.GatherV2(params=z, indices=indices, axis=axis, batch_dims=dims)
                     for indices, axis, dims in (([2, 0], 1, 0), (3, -1, 0), ([[1, 0], [0, 2]], 1, 1), ([[0]], 0, 0), ([0, 1, 2], -2, 0))))
moves("gather_nd", *(lambda z, indices=indices: raw.GatherNd(params=z, indices=indices)
                     for indices in ([[1], [0]], [[0, 1]], [[1, 2, 3], [0, 0, 0]], [1, 1], [[[0, 2]], [[1, 0]]])))
CONDITIONS = [True, [True, False], normal(g, 2, 3, 4) > 0]
moves("select", *(lambda z, c=c: raw.Select(condition=c, x=z, y=raw.Conj(input=z)) for c in CONDITIONS),
      *(lambda z, c=c: raw.Select(condition=c, x=z[0], y=z[1]) for c in ([True, False, True], False)))
moves("select_v2", *(lambda z, c=c: raw.SelectV2(condition=c, t=z, e=raw.Conj(input=z))
                     for c in (True, normal(g, 3, 1) > 0, normal(g, 4) > 0, normal(g, 2, 3, 4) > 0, normal(g, 5, 1, 1, 1) > 0)))
family.case("select_fed_condition", lambda re, im, x: parts(tf.where(x > 0, make(re, im), tf.constant(1j, tf.complex64))),
            z | {"x": normal(g, 2, 3, 4)})
moves("fill", *(lambda z, dims=dims: raw.Fill(dims=dims, value=z) for dims in ([3], [2, 2], [], [0], [1, 2, 3])), feeds=two())
moves("identity", lambda z: raw.Identity(input=z), lambda z: raw.IdentityN(input=[z, z[0]]), lambda z: raw.StopGradient(input=z),
      lambda z: raw.PreventGradient(input=z), lambda z: raw.Snapshot(input=z))
for op in ("Sum", "Mean"):
    moves(op.lower(), *(lambda z, op=op, axis=axis, keep=keep: getattr(raw, op)(input=z, axis=axis, keep_dims=keep)
                        for axis, keep in (([0], False), ([-1], True), ([0, 2], False), ([0, 1, 2], True), ([], False))))
moves("cumsum", *(lambda z, axis=axis, exclusive=exclusive, reverse=reverse: raw.Cumsum(
    x=z, axis=axis, exclusive=exclusive, reverse=reverse)
                  for axis, exclusive, reverse in ((0, False, False), (1, True, False), (-1, False, True), (2, True, True), (-2, False, False))))
moves("add_n", *(lambda z, n=n: raw.AddN(inputs=[z] * n) for n in (1, 2, 3, 4, 5)))
family.write()
