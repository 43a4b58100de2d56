// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "converter/graph/constant.h"
#include "converter/graph/text/text_lexer.h"

namespace linnet::converter {

// "f32[1,2]"; "?" for an unknown type.
std::string TypeText(const TensorType& type);

// What is printed behind the type of a constant: "{1, 2.5}", "7" (a scalar), or for more than
// max_values elements "fill=0" (all are equal) or "hash=1a2b3c4d". Encoded bytes have
// "encoding=AffineU8 scale=0.1 min=-1 " before their elements as stored.
std::string ValueText(const Constant& value, int max_values);

// How a parsed constant gets its elements.
struct ValueSpec {
  enum class Kind { kList, kFill, kSeed } kind = Kind::kList;
  std::vector<std::string> items;  // kList; one for kFill
  uint64_t seed = 0;         // kSeed: floats uniform in [min, max), integers 0..7, bool 0 or 1
  double min = -1, max = 1;  // of kSeed
  schema::Encoding encoding = schema::Encoding::Plain;
  schema::Affine affine;
};
// [encoding=E [scale=s min=m]] ({...} | 7 | fill=7 | seed=7 [min=a max=b])
absl::Status ParseValue(TextLexer& lexer, ValueSpec* spec);
// "f32[1,8]", or "?" for no type.
absl::Status ParseType(TextLexer& lexer, TensorType* type);

// The constant that `spec` describes, with the same bytes on every machine. InvalidArgument "got 3
// values, want 4", ...
absl::StatusOr<Constant> MakeConstant(const TensorType& type, const ValueSpec& spec);

}  // namespace linnet::converter
