// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nlohmann/json_fwd.hpp"
#include "runtime/ops/op_def.h"

namespace linnet::conformance {

struct CaseTensor {
  TensorType type;
  std::vector<uint8_t> bytes;  // dense, host byte order
  bool constant = false;       // constant, as weights are
};

// One row of tests/conformance/golden/<op>.json.
struct OpCase {
  std::string name;
  std::string why;  // what the case is meant to catch; may be empty
  OpKind kind = OpKind{};
  std::vector<uint8_t> attrs;  // a FlatBuffer with the op's table of ops.fbs
  std::vector<CaseTensor> inputs;
  std::vector<CaseTensor> outputs;  // expected; empty when `error` is set
  double tolerance = 0;  // relative to the largest finite |expected|; 0: MarginOf decides
  // kOk, kInvalidPlan (decoding or the shape rule must refuse), or another code (the run must fail)
  StatusCode error = StatusCode::kOk;
};

// A row of op_list.def: its cases are in tests/conformance/golden/<file>.json.
struct OpFile {
  OpKind kind;
  const char* op;
  const char* file;
};
inline constexpr OpFile kOpFiles[] = {
#define LINNET_OP(name, file) {OpKind::k##name, #name, #file},
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};

// Reads every case of `path`, the file of `op`. When the result is empty, *error says why.
std::vector<OpCase> LoadCases(const std::string& path, OpKind kind, std::string* error);

// The contents of a file; empty when it cannot be read.
std::string ReadFile(const std::string& path);

// Reads {"dtype": "f32", "shape": [2], "data": base64, "constant": false}. Sets *error when dtype,
// shape and data do not fit together.
CaseTensor ParseCaseTensor(const nlohmann::json& row, std::string* error);

// How far a float may be from the expected value.
struct Margin {
  double of_largest = 0;  // times the largest finite |expected| of the tensor
  double of_element = 0;  // times |expected|
  double at_least = 0;
};
// The margin of a case: its own tolerance, relative to the largest element, if it has one.
// Otherwise the op decides: zero where it only moves or rounds once; relative to the element where
// each element is computed by itself; relative to the largest element for sums.
Margin MarginOf(const OpCase& test);
// The margin of a whole graph.
Margin MarginOf(DType dtype, double tolerance);

// Empty when `got` (dense elements of expected.type) equals `expected` within the margin, else the
// first difference and the number of differences. Integers and bools must be equal; NaN equals NaN.
std::string Difference(const CaseTensor& expected, const uint8_t* got, const Margin& margin);

// "f32[1,4,4,3]"
std::string TypeText(const TensorType& type);

// Memory of one tensor for one run: a heap block that ends with the last element, so that
// AddressSanitizer detects any access beyond it. `shift` bytes in front make it unaligned.
class ExactBuffer {
 public:
  explicit ExactBuffer(size_t bytes, size_t shift = 0)
      : block_(new uint8_t[bytes + shift]), data_(block_.get() + shift) {}
  uint8_t* data() const { return data_; }

 private:
  std::unique_ptr<uint8_t[]> block_;
  uint8_t* data_;
};

}  // namespace linnet::conformance
