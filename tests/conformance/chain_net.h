// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "runtime/backends/vulkan/segment.h"
#include "runtime/ops/op_codec.h"
#include "tests/conformance/op_case.h"

namespace linnet::conformance {

// Convolutions and products, numbered from 0.
inline constexpr int kProducers = 4;

// All functions that are merged with other steps and some that are not; those behind the flat ones
// make large or undefined numbers of small ones.
inline constexpr schema::UnaryKind kFunctions[] = {
    schema::UnaryKind::Abs,      schema::UnaryKind::Neg,       schema::UnaryKind::Tanh,
    schema::UnaryKind::Sigmoid,  schema::UnaryKind::GeluErf,   schema::UnaryKind::GeluTanh,
    schema::UnaryKind::Swish,    schema::UnaryKind::HardSwish, schema::UnaryKind::HardSigmoid,
    schema::UnaryKind::Softplus, schema::UnaryKind::LeakyRelu, schema::UnaryKind::Square,
    schema::UnaryKind::Sqrt,     schema::UnaryKind::Rsqrt,     schema::UnaryKind::Exp};
inline constexpr int kFlatFunctions = 11;

// A random chain of elementwise steps for a GPU, most likely behind a convolution or product.
class ChainNet {
 public:
  // Functions and operations of all kinds, or only flat ones.
  ChainNet(uint32_t seed, bool flat) : random_(seed), flat_(flat) { Make(); }
  // One function behind one of kProducers.
  ChainNet(int producer, schema::UnaryKind function);

  // What a segment makes of it, over NaNs: outputs, or *error. With a guard behind each tensor;
  // half of the steps that may overwrite an input do. Adds to *dispatches.
  std::vector<std::vector<uint8_t>> Run(Layout layout, bool fuses, uint32_t* dispatches,
                                        std::string* error);
  // The same of the portable kernels.
  std::vector<std::vector<uint8_t>> Expected() const;
  std::string Text() const;

 private:
  struct Value {
    CaseTensor tensor;  // of what a step computes, what the portable kernel makes
    int writer = -1;    // step; -1: an input or constant
    int reads = 0;      // by steps
    int last_reader = -1;
    bool fetched = false;
    int64_t offset = -1;
    int64_t bytes = 0;
  };

  struct Step {
    OpKind kind = OpKind();
    alignas(8) std::byte attrs[kMaxAttrsBytes] = {};
    std::vector<int> inputs;
    int output = -1;
  };

  int Pick(int count) { return static_cast<int>(random_() % static_cast<uint32_t>(count)); }
  int AddValue(const Shape& shape, bool constant);
  template <typename Attrs>
  int AddStep(const Attrs& attrs, std::vector<int> inputs) {
    Step step{.kind = KindOf<Attrs>::value, .inputs = std::move(inputs)};
    std::memcpy(step.attrs, &attrs, sizeof(attrs));
    Compute(&step);
    return step.output;
  }
  void Make();
  int Producer(int x, int which);
  int Elementwise(int value);
  int Other(int value);
  void Compute(Step* step);
  void PlaceAll(Layout layout);
  OpInstance Instance(const Step& step, std::vector<InputInfo>* inputs) const;
  Status Build(Layout layout, vulkan::Segment& segment, PackedWeights* weights, Region& region);
  std::string WhyWrong(DeviceMemory* memory, Layout layout) const;

  std::mt19937 random_;
  const bool flat_;
  std::vector<Value> values_;
  std::vector<Step> steps_;
  int64_t arena_bytes_ = 0;
};

}  // namespace linnet::conformance
