// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/op_case.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "flatbuffers/idl.h"
#include "runtime/core/half.h"
#include "runtime/ops/op_codec.h"

namespace linnet::conformance {
namespace {

using nlohmann::json;

std::vector<uint8_t> DecodeBase64(const std::string& text) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<uint8_t> bytes;
  uint32_t bits = 0;
  int num_bits = 0;
  for (char c : text) {
    const char* digit = c == '\0' ? nullptr : std::strchr(kDigits, c);
    if (digit == nullptr) break;  // '='
    bits = bits << 6 | static_cast<uint32_t>(digit - kDigits);
    num_bits += 6;
    if (num_bits < 8) continue;
    num_bits -= 8;
    bytes.push_back(static_cast<uint8_t>(bits >> num_bits));
  }
  return bytes;
}

DType ParseDType(const std::string& name) {
  for (int i = 0; i < kNumDTypes; ++i) {
    if (name == DTypeName(static_cast<DType>(i))) return static_cast<DType>(i);
  }
  return DType::kInvalid;
}

// Replaces quoted "inf", "-inf" and "nan" by the bare words that FlatBuffers' parser knows.
std::string FlatBuffersJson(const json& attrs) {
  std::string text = attrs.dump();
  for (const char* quoted : {"\"inf\"", "\"-inf\"", "\"nan\""}) {
    const size_t length = std::strlen(quoted);
    for (size_t at; (at = text.find(quoted)) != std::string::npos;)
      text.replace(at, length, quoted + 1, length - 2);
  }
  return text;
}

std::vector<uint8_t> ParseAttrs(flatbuffers::Parser& parser, const json& attrs,
                                std::string* error) {
  if (!parser.ParseJson(FlatBuffersJson(attrs).c_str())) {
    *error = parser.error_;
    return {};
  }
  const uint8_t* data = parser.builder_.GetBufferPointer();
  return {data, data + parser.builder_.GetSize()};
}

StatusCode ParseError(const std::string& name) {
  if (name.empty()) return StatusCode::kOk;
  return name == "bad_index" ? StatusCode::kBadIndex : StatusCode::kInvalidPlan;
}

OpCase ParseCase(flatbuffers::Parser& parser, OpKind kind, const json& row, std::string* error) {
  OpCase result;
  result.kind = kind;
  result.name = row.at("name");
  result.why = row.value("why", "");
  result.tolerance = row.value("tolerance", 0.0);
  result.error = ParseError(row.value("error", ""));
  result.attrs = ParseAttrs(parser, row.at("attrs"), error);
  for (const json& tensor : row.at("inputs"))
    result.inputs.push_back(ParseCaseTensor(tensor, error));
  for (const json& tensor : row.at("outputs"))
    result.outputs.push_back(ParseCaseTensor(tensor, error));
  if (!error->empty()) *error = "case " + result.name + ": " + *error;
  return result;
}

template <typename T>
T Element(const uint8_t* data, int64_t i) {
  T value;
  std::memcpy(&value, data + i * sizeof(T), sizeof(T));
  return value;
}

double FloatElement(DType dtype, const uint8_t* data, int64_t i) {
  if (dtype == DType::kFloat16) return HalfToFloat(Element<uint16_t>(data, i));
  if (dtype == DType::kFloat64) return Element<double>(data, i);
  return Element<float>(data, i);
}

bool Close(double expected, double got, double margin) {
  if (std::isnan(expected) || std::isnan(got)) return std::isnan(expected) && std::isnan(got);
  if (std::isinf(expected) || std::isinf(got)) return expected == got;
  return std::abs(expected - got) <= margin;
}

double Largest(const CaseTensor& expected) {
  const DType dtype = expected.type.dtype;
  double largest = 0;
  for (int64_t i = 0; i < expected.type.shape.num_elements(); ++i) {
    const double value = std::abs(FloatElement(dtype, expected.bytes.data(), i));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

// How much rounding a few operations in this dtype may cause, relative to the value.
double Rounding(DType dtype) {
  if (dtype == DType::kFloat16) return 1e-3;
  return dtype == DType::kFloat64 ? 1e-12 : 1e-5;
}

// Ops whose output elements are input elements, or are rounded once.
bool IsExact(OpKind kind) {
  using enum OpKind;
  switch (kind) {
    case kCast:
    case kClamp:
    case kSelect:
    case kPad:
    case kReshape:
    case kTranspose:
    case kConcat:
    case kSlice:
    case kTile:
    case kBroadcastTo:
    case kGather:
    case kGatherNd:
    case kOneHot:
    case kDepthToSpace:
    case kSpaceToDepth:
    case kTopK:
    case kReverseSequence:
    case kLookup:
    case kUnique:
      return true;
    default:
      return false;
  }
}

std::string IntegerText(int64_t bytes, const uint8_t* data, int64_t i) {
  switch (bytes) {
    case 1:
      return std::to_string(Element<int8_t>(data, i));
    case 2:
      return std::to_string(Element<int16_t>(data, i));
    case 4:
      return std::to_string(Element<int32_t>(data, i));
    default:
      return std::to_string(Element<int64_t>(data, i));
  }
}

}  // namespace

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return file ? text.str() : "";
}

CaseTensor ParseCaseTensor(const json& row, std::string* error) {
  CaseTensor tensor;
  tensor.type.dtype = ParseDType(row.at("dtype"));
  for (int64_t dim : row.at("shape")) tensor.type.shape.Append(dim);
  tensor.bytes = DecodeBase64(row.at("data"));
  tensor.constant = row.value("constant", false);
  if (static_cast<int64_t>(tensor.bytes.size()) != tensor.type.bytes())
    *error = "data has " + std::to_string(tensor.bytes.size()) + " bytes, want " +
             std::to_string(tensor.type.bytes()) + " for " + TypeText(tensor.type);
  return tensor;
}

std::string TypeText(const TensorType& type) {
  std::string text = DTypeName(type.dtype);
  text += '[';
  for (int i = 0; i < type.shape.rank(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(type.shape[i]);
  }
  text += ']';
  return text;
}

Margin MarginOf(DType dtype, double tolerance) {
  // In graphs, doubles may be computed in float32.
  const double rounding = Rounding(dtype == DType::kFloat64 ? DType::kFloat32 : dtype);
  return {.of_largest = tolerance != 0 ? tolerance : rounding};
}

Margin MarginOf(const OpCase& test) {
  constexpr double kDenormal = 1.2e-38;  // kernels may flush denormals to zero
  if (test.tolerance != 0) return {.of_largest = test.tolerance};
  if (test.outputs.empty() || IsExact(test.kind)) return {.at_least = kDenormal};
  const double rounding = Rounding(test.outputs[0].type.dtype);
  if (test.kind == OpKind::kBinary || test.kind == OpKind::kPrelu)
    return {.of_element = rounding, .at_least = kDenormal};
  // Near a zero of the function the error is relative to the argument.
  if (test.kind == OpKind::kUnary) return {.of_element = rounding, .at_least = rounding / 10};
  return {.of_largest = rounding};
}

std::string Difference(const CaseTensor& expected, const uint8_t* got, const Margin& margin) {
  const DType dtype = expected.type.dtype;
  const int64_t element_bytes = DTypeBytes(dtype);
  const double least =
      IsFloat(dtype) ? std::max(margin.at_least, margin.of_largest * Largest(expected)) : 0;
  int64_t wrong = 0;
  std::string first;
  for (int64_t i = 0; i < expected.type.shape.num_elements(); ++i) {
    const uint8_t* want = expected.bytes.data();
    std::string want_text, got_text;
    if (IsFloat(dtype)) {
      const double a = FloatElement(dtype, want, i), b = FloatElement(dtype, got, i);
      if (Close(a, b, std::max(least, margin.of_element * std::abs(a)))) continue;
      want_text = std::to_string(a);
      got_text = std::to_string(b);
    } else {
      if (std::memcmp(want + i * element_bytes, got + i * element_bytes, element_bytes) == 0)
        continue;
      want_text = IntegerText(element_bytes, want, i);
      got_text = IntegerText(element_bytes, got, i);
    }
    if (wrong++ == 0)
      first = "element " + std::to_string(i) + ": want " + want_text + ", got " + got_text;
  }
  if (wrong == 0) return "";
  return std::to_string(wrong) + " of " + std::to_string(expected.type.shape.num_elements()) +
         " elements of " + TypeText(expected.type) + " differ by too much; " + first;
}

std::vector<OpCase> LoadCases(const std::string& path, OpKind kind, std::string* error) {
  const std::string text = ReadFile(path);
  if (text.empty()) {
    *error = path + ": cannot be read";
    return {};
  }
  flatbuffers::Parser parser;
  const std::string schema = ReadFile(LINNET_SCHEMA_DIR "/ops.fbs");
  if (!parser.Parse(schema.c_str()) || !parser.SetRootType(AttrsTableName(kind))) {
    *error = "ops.fbs: " + parser.error_;
    return {};
  }
  std::vector<OpCase> cases;
  try {
    const json file = json::parse(text);
    for (const json& row : file.at("cases")) {
      cases.push_back(ParseCase(parser, kind, row, error));
      if (!error->empty()) break;
    }
  } catch (const json::exception& exception) {
    *error = exception.what();
  }
  if (cases.empty() && error->empty()) *error = "no cases";
  if (error->empty()) return cases;
  *error = path + ": " + *error;
  return {};
}

}  // namespace linnet::conformance
