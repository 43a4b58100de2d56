# SPDX-License-Identifier: Apache-2.0
from tf_cases import Family, normal, raw, rng, tf

family = Family("einsum")
g = rng(7)
SIZES = dict(zip("abcdefghij", (2, 3, 4, 5, 2, 3, 2, 2, 2, 2)))


def operand(labels, broadcast=()):
    shape = []
    for part in labels.replace("...", "*"):
        shape.extend(broadcast if part == "*" else [SIZES[part]])
    return normal(g, *shape)


TWO = {"matmul": "ab,bc->ac", "matmul_transposed": "ab,cb->ca", "batch": "abc,acd->abd",
       "batch_swapped": "abc,adc->adb", "outer": "a,b->ab", "dot": "a,a->", "hadamard": "ab,ab->ab",
       "hadamard_transposed": "ab,ba->ab", "attention_scores": "abcd,aecd->acbe",
       "attention_values": "acbe,aecd->abcd", "dense_heads": "abc,cde->abde", "dense_out": "abde,dec->abc",
       "sum_alone": "abc,bd->ad", "sum_both": "abc,bde->a", "contract_two": "abcd,bce->ade",
       "free_order": "abc,bde->eca", "batch_vectors": "ab,ab->a", "vector_matrix": "b,bc->c",
       "mixed_batch": "abc,bd->dba"}
for name, equation in TWO.items():
    left, right = equation.split("->")[0].split(",")
    a, b = operand(left), operand(right)
    family.case(f"two_{name}", lambda a, b: raw.Einsum(inputs=[a, b], equation=equation), {"a": a, "b": b},
                tolerance=1e-5)
    family.case(f"two_{name}_constant_right",
                lambda a: raw.Einsum(inputs=[a, tf.constant(b)], equation=equation), {"a": a}, tolerance=1e-5)
for name in ("matmul", "dense_heads", "outer"):
    left, right = TWO[name].split("->")[0].split(",")
    a, b = operand(left), operand(right)
    family.case(f"two_{name}_constant_left",
                lambda b: raw.Einsum(inputs=[tf.constant(a), b], equation=TWO[name]), {"b": b})
for name, equation, da, db in (("ellipsis", "...ab,...bc->...ac", (2, 3), (2, 3)),
                               ("ellipsis_broadcast", "...ab,...bc->...ac", (2, 1), (3,)),
                               ("ellipsis_one_side", "...ab,bc->...ac", (2, 3), ()),
                               ("ellipsis_one", "...ab,...bc->...ac", (1,), (3,)),
                               ("ellipsis_last", "a...,ab->b...", (2, 3), ())):
    left, right = equation.split("->")[0].split(",")
    a, b = operand(left, da), operand(right, db)
    family.case(f"two_{name}", lambda a, b: raw.Einsum(inputs=[a, b], equation=equation), {"a": a, "b": b},
                tolerance=1e-5)
for name, equation in (("transpose", "abc->cab"), ("sum", "abc->b"), ("sum_all", "ab->"),
                       ("sum_transpose", "abcd->db"), ("same", "ab->ab"), ("ellipsis", "a...->...a")):
    x = operand(equation.split("->")[0], (2, 3))
    family.case(f"one_{name}", lambda x: raw.Identity(input=raw.Einsum(inputs=[x], equation=equation)), {"x": x})
for name, equation in (("diagonal", "aa->a"), ("trace", "aa->"), ("row_diagonals", "baa->ba"),
                       ("to_diagonal", "a->aa"), ("three", "aaa->a"), ("diagonal_ellipsis", "...aa->...a"),
                       ("one_to_other", "abb->aab")):
    x = operand(equation.split("->")[0], (2, 3))
    family.case(f"one_{name}", lambda x: raw.Einsum(inputs=[x], equation=equation), {"x": x})
for name, equation in (("diagonal", "aab,bc->ac"), ("both_diagonals", "aa,bb->ab"), ("to_diagonal", "ab,ab->aa"),
                       ("diagonal_product", "aab,aab->b"), ("onto_diagonal", "ab,bc->aac")):
    left, right = equation.split("->")[0].split(",")
    a, b = operand(left), operand(right)
    family.case(f"two_{name}", lambda a, b: raw.Einsum(inputs=[a, b], equation=equation), {"a": a, "b": b})
family.write()
