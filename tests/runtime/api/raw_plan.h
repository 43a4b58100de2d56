// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/shape.h"
#include "runtime/ops/op_codec.h"
#include "schema/plan_generated.h"

namespace linnet {

// Writes plans without any checks, as an attacker would: one program, with tables in the order in
// which they are added.
class RawPlan {
 public:
  struct Tensor {
    DType dtype = DType::kFloat32;
    Shape shape;
    std::vector<int32_t> symbols;
    int32_t buffer = -1, weight = -1, state = -1;
    int64_t offset = 0;
  };
  struct StepSymbols {
    std::vector<schema::AttrExtent> extents;
    std::vector<schema::SetSymbol> sets;
    std::optional<int32_t> scratch;  // a buffer
  };

  flatbuffers::FlatBufferBuilder fbb;

  int32_t Symbol(int64_t min, int64_t max, int64_t constant = 0,
                 const std::vector<schema::Term>& terms = {});
  int32_t Buffer(int64_t bytes);  // placed behind the previous ones
  int32_t Weight(const std::vector<std::byte>& bytes,
                 schema::Encoding encoding = schema::Encoding::Plain);
  int32_t Weight(const std::vector<float>& values);
  int32_t Add(const Tensor& tensor);
  // In its own buffer.
  int32_t Arena(const Shape& shape, std::vector<int32_t> symbols = {},
                DType dtype = DType::kFloat32);
  int32_t Input(const Shape& shape, std::vector<int32_t> symbols = {},
                DType dtype = DType::kFloat32);
  int32_t Constant(const Shape& shape, float value = 1.0f);

  void Port(int32_t tensor, bool is_output);
  template <typename Attrs>
  void Step(const Attrs& attrs, const std::vector<int32_t>& inputs,
            const std::vector<int32_t>& outputs, const StepSymbols& symbols = {}) {
    AddStep(KindOf<Attrs>::value, EncodeAttrs(KindOf<Attrs>::value, &attrs), inputs, outputs,
            symbols);
  }
  void AddStep(OpKind kind, const std::vector<uint8_t>& attrs, const std::vector<int32_t>& inputs,
               const std::vector<int32_t>& outputs, const StepSymbols& symbols = {});
  // A table that the test has made itself.
  void AddStep(flatbuffers::Offset<schema::Step> step) { steps_.push_back(step); }

  // The next steps, so many, run together; the first one's scratch is the memory for their rows.
  void Strips(uint32_t count, uint32_t rows) {
    strips_.emplace_back(static_cast<uint32_t>(steps_.size()), count, rows);
  }

  // The program `times` times, each time with the same offsets.
  std::vector<std::byte> Finish(size_t times = 1);

 private:
  std::vector<flatbuffers::Offset<schema::Weight>> weights_;
  std::vector<flatbuffers::Offset<schema::Symbol>> symbols_;
  std::vector<flatbuffers::Offset<schema::Buffer>> buffers_;
  std::vector<flatbuffers::Offset<schema::Tensor>> tensors_;
  std::vector<flatbuffers::Offset<schema::Step>> steps_;
  std::vector<flatbuffers::Offset<schema::Port>> inputs_, outputs_;
  std::vector<schema::Strips> strips_;
  std::vector<std::byte> weight_bytes_;
  int64_t arena_ = 0;
};

// The complete file for a finished structure and weights.
std::vector<std::byte> PlanFileOf(const flatbuffers::FlatBufferBuilder& structure,
                                  const std::vector<std::byte>& weights);

// A plan without weights, with a changed structure.
std::vector<std::byte> ChangedPlan(const std::vector<std::byte>& file,
                                   const std::function<void(schema::PlanT&)>& change);

}  // namespace linnet
