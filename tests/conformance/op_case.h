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
  bool constant = false;       // known beforehand, as weights are
};

// One row of tests/conformance/golden/<op>.json.
struct OpCase {
  std::string name;
  std::string why;  // what the case is there to catch; may be empty
  OpKind kind = OpKind{};
  std::vector<uint8_t> attrs;  // FlatBuffer of the op's table in ops.fbs
  std::vector<CaseTensor> inputs;
  std::vector<CaseTensor> outputs;  // expected; empty when `error` is set
  double tolerance = 0;             // relative to the largest finite |expected|; 0: MarginOf knows
  // kOk, or kInvalidPlan (decode or the shape rule must refuse) or another code (run must fail).
  StatusCode error = StatusCode::kOk;
};

// Reads every case of `path`, a file of `op`. An empty result explains itself in *error.
std::vector<OpCase> LoadCases(const std::string& path, OpKind kind, std::string* error);

// All of a file; empty when it cannot be read.
std::string ReadFile(const std::string& path);

// {"dtype": "f32", "shape": [2], "data": base64, "constant": false}. Sets *error when they do not
// fit.
CaseTensor ParseCaseTensor(const nlohmann::json& row, std::string* error);

// How far a float may be from what is expected.
struct Margin {
  double of_largest = 0;  // times the largest finite |expected| of the tensor
  double of_element = 0;  // times |expected|
  double at_least = 0;
};
// Of a case with a tolerance: that, of the largest. Else by what the op does: nothing where it only
// moves or rounds once; a part of the element where each has its own arithmetic; a part of the
// largest of sums.
Margin MarginOf(const OpCase& test);
// The same of a whole graph.
Margin MarginOf(DType dtype, double tolerance);

// Empty when `got` (dense elements of expected.type) is `expected` within the margin, else the
// first difference and how many there are. Integers and bools must be equal; NaN equals NaN.
std::string Difference(const CaseTensor& expected, const uint8_t* got, const Margin& margin);

// "f32[1,4,4,3]"
std::string TypeText(const TensorType& type);

// A tensor's memory for one run: a heap block that ends with the last element, so that
// AddressSanitizer sees any access beyond. `shift` bytes in front make it as unaligned as wanted.
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
