// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace linnet::converter {

// x[?,4,4,1] -> Conv2D 3x3x1x2 -> BiasAdd "biased" -> Relu -> Reshape [-1,32] -> Softmax "scores";
// biased -> Neg "negated".
inline std::string SmallModel() {
  std::string values;
  for (int i = 0; i < 18; ++i) values += " float_val: " + std::to_string(0.25 * (i % 5) - 0.4);
  return R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: -1 } dim { size: 4 } dim { size: 4 } dim { size: 1 } } } } }
node { name: "filter" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT
    tensor_shape { dim { size: 3 } dim { size: 3 } dim { size: 1 } dim { size: 2 } })" +
         values + R"( } } } }
node { name: "bias" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 2 } } float_val: 0.5 float_val: -1 } } } }
node { name: "shape" op: "Const" attr { key: "dtype" value { type: DT_INT32 } }
  attr { key: "value" value { tensor { dtype: DT_INT32 tensor_shape { dim { size: 2 } } int_val: -1 int_val: 32 } } } }
node { name: "conv" op: "Conv2D" input: "x" input: "filter" attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } attr { key: "padding" value { s: "SAME" } } }
node { name: "biased" op: "BiasAdd" input: "conv" input: "bias" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "relu" op: "Relu" input: "biased" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "flat" op: "Reshape" input: "relu" input: "shape" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "scores" op: "Softmax" input: "flat" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "negated" op: "Neg" input: "biased" attr { key: "T" value { type: DT_FLOAT } } }
)";
}

// Two ops that no plan can contain.
inline std::string RefusedModel() {
  return R"(
node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "shape" value { shape { dim { size: 4 } dim { size: 4 } } } } }
node { name: "root" op: "MatrixSquareRoot" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "power" op: "MatrixExponential" input: "x" attr { key: "T" value { type: DT_FLOAT } } }
node { name: "sum" op: "AddV2" input: "root" input: "power" attr { key: "T" value { type: DT_FLOAT } } }
)";
}

// A SavedModel with two graphs. { serve }: x[?,2], k[2] -> call of a function
//   product = x * k, sum = product + x, act = Relu(sum)
// -> y. { gpu train }: t -> Neg "u".
inline std::string SmallSavedModel() {
  return R"(
saved_model_schema_version: 1
meta_graphs {
  meta_info_def { tags: "serve" }
  graph_def {
    node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: -1 } dim { size: 2 } } } } }
    node { name: "k" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
      attr { key: "shape" value { shape { dim { size: 2 } } } } }
    node { name: "call" op: "PartitionedCall" input: "x" input: "k"
      attr { key: "Tin" value { list { type: DT_FLOAT type: DT_FLOAT } } }
      attr { key: "Tout" value { list { type: DT_FLOAT } } } attr { key: "f" value { func { name: "affine" } } } }
    node { name: "y" op: "Identity" input: "call" attr { key: "T" value { type: DT_FLOAT } } }
    node { name: "negated" op: "Neg" input: "k" attr { key: "T" value { type: DT_FLOAT } } }
    library { function {
      signature { name: "affine" input_arg { name: "a" type: DT_FLOAT } input_arg { name: "b" type: DT_FLOAT }
                  output_arg { name: "c" type: DT_FLOAT } }
      node_def { name: "product" op: "Mul" input: "a" input: "b" attr { key: "T" value { type: DT_FLOAT } } }
      node_def { name: "sum" op: "AddV2" input: "product:z:0" input: "a" attr { key: "T" value { type: DT_FLOAT } } }
      node_def { name: "act" op: "Relu" input: "sum:z:0" attr { key: "T" value { type: DT_FLOAT } } }
      ret { key: "c" value: "act:activations:0" } } }
  }
  signature_def { key: "serving_default" value {
    inputs { key: "image" value { name: "x:0" dtype: DT_FLOAT tensor_shape { dim { size: -1 } dim { size: 2 } } } }
    inputs { key: "k" value { name: "k:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } }
    outputs { key: "scores" value { name: "y:0" dtype: DT_FLOAT tensor_shape { dim { size: -1 } dim { size: 2 } } } } } }
  signature_def { key: "negate" value {
    inputs { key: "k" value { name: "k:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } }
    outputs { key: "negated" value { name: "negated:0" dtype: DT_FLOAT tensor_shape { dim { size: 2 } } } } } }
}
meta_graphs {
  meta_info_def { tags: "train" tags: "gpu" }
  graph_def {
    node { name: "t" op: "Placeholder" attr { key: "dtype" value { type: DT_INT32 } }
      attr { key: "shape" value { shape { dim { size: 3 } } } } }
    node { name: "u" op: "Neg" input: "t" attr { key: "T" value { type: DT_INT32 } } }
  }
  signature_def { key: "learn" value {
    inputs { key: "t" value { name: "t:0" dtype: DT_INT32 tensor_shape { dim { size: 3 } } } }
    outputs { key: "u" value { name: "u:0" dtype: DT_INT32 tensor_shape { dim { size: 3 } } } } } }
}
)";
}

}  // namespace linnet::converter
