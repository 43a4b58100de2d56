// SPDX-License-Identifier: Apache-2.0
#include "runtime/backends/vulkan/fusion.h"

#include <gtest/gtest.h>

#include <vector>

#include "runtime/backends/vulkan/abi/epilogue.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/clamp.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/prelu.h"
#include "runtime/ops/unary.h"

namespace linnet::vulkan {
namespace {

using schema::BinaryKind;
using schema::UnaryKind;

constexpr TensorType kImage = {DType::kFloat32, {1, 6, 6, 8}};
constexpr TensorType kRow = {DType::kFloat32, {8}};
constexpr TensorType kOne = {DType::kFloat32, {}};
constexpr int kArena = 0, kWeights = 1;

// A tensor and where it lies; below 0: it is constant, and lies among the weights.
struct Place {
  int64_t offset = 0;
  TensorType type = kImage;
};

// Steps of a segment, each as it is described for fusion.
class FusionTest : public testing::Test {
 protected:
  // Input 1 of a convolution is its filter.
  void Conv(int64_t from, int64_t to, int32_t reads, const TensorType& type = kImage) {
    static const Conv2DAttrs attrs = {.range = {}};
    const int64_t channels = type.shape.back();
    const InputInfo inputs[] = {{.type = type},
                                {.type = {DType::kFloat32, {channels, 1, 1, channels}},
                                 .value = nullptr,
                                 .is_constant = true}};
    Add(OpKind::kConv2D, &attrs, inputs, type, {{from, type}, {-1}}, to, reads);
  }
  void Unary(UnaryKind kind, int64_t from, int64_t to, int32_t reads,
             const TensorType& type = kImage) {
    const UnaryAttrs attrs = {.kind = kind, .alpha = 0.25f};
    const InputInfo inputs[] = {{.type = type}};
    Add(OpKind::kUnary, &attrs, inputs, type, {{from, type}}, to, reads);
  }
  void Clamp(int64_t from, int64_t to, int32_t reads) {
    const ClampAttrs attrs = {.range = {.min = -1, .max = 2}};
    const InputInfo inputs[] = {{.type = kImage}};
    Add(OpKind::kClamp, &attrs, inputs, kImage, {{from}}, to, reads);
  }
  void Binary(BinaryKind kind, const Place& a, const Place& b, int64_t to, int32_t reads,
              const TensorType& type = kImage) {
    const BinaryAttrs attrs = {.kind = kind, .range = {}};
    Combine(OpKind::kBinary, &attrs, a, b, to, reads, type);
  }
  void Prelu(const Place& a, const Place& b, int64_t to, int32_t reads) {
    const PreluAttrs attrs = {};
    Combine(OpKind::kPrelu, &attrs, a, b, to, reads, kImage);
  }

  // How many of the steps from `first` on become one dispatch.
  int Merged(size_t first = 0) {
    for (size_t i = first + 1; i < steps_.size(); ++i)
      if (!MayFollow(steps_[i - 1], steps_[i])) return Merge({&steps_[first], i - first}, &merged_);
    return Merge({&steps_[first], steps_.size() - first}, &merged_);
  }
  uint32_t Constant(int i) const {
    return merged_.dispatch.constants[LINNET_EPILOGUE_CONSTANT - 1 + i];
  }
  void ExpectOutputAt(int64_t offset) const {
    const Access& window = merged_.windows[2];
    EXPECT_EQ(window.begin, offset);
    EXPECT_TRUE(window.written);
    EXPECT_EQ(window.buffer, kArena);
  }

  std::vector<FusionStep> steps_;
  bool described_ = false;  // the last one can take part
  PlacedDispatch merged_;

 private:
  void Combine(OpKind kind, const void* attrs, const Place& a, const Place& b, int64_t to,
               int32_t reads, const TensorType& type) {
    const InputInfo inputs[] = {{.type = a.type, .value = nullptr, .is_constant = a.offset < 0},
                                {.type = b.type, .value = nullptr, .is_constant = b.offset < 0}};
    Add(kind, attrs, inputs, type, {a, b}, to, reads);
  }
  void Add(OpKind kind, const void* attrs, std::span<const InputInfo> inputs,
           const TensorType& output, const std::vector<Place>& from, int64_t to, int32_t reads) {
    const OpInstance op = {.kind = kind, .attrs = attrs, .inputs = inputs, .outputs = {&output, 1}};
    Dispatches dispatches{Tiles()};
    LowerStep(op, Layout::kRows4, /*scratch_bytes=*/0, dispatches);
    ASSERT_EQ(dispatches.size(), 1);
    FusionStep step;
    described_ = Describe(op, dispatches[0], reads, &step);
    for (int i = 0; i < dispatches[0].num_operands; ++i) {
      const Operand& operand = dispatches[0].operands[i];
      Access& window = step.placed.windows[i];
      if (operand.kind == Operand::Kind::kOutput) {
        window = {kArena, to, to + BytesIn(Layout::kRows4, output), true};
      } else if (operand.kind == Operand::Kind::kPacked || from[operand.index].offset < 0) {
        window = {kWeights, 0, 1024, false};
      } else {
        const int64_t offset = from[operand.index].offset;
        window = {kArena, offset, offset + BytesIn(Layout::kRows4, inputs[operand.index].type),
                  false};
      }
    }
    steps_.push_back(step);
  }
};

// Offsets of images in the arena, which do not overlap.
constexpr int64_t kA = 0, kB = 0x2000, kC = 0x4000, kD = 0x6000, kE = 0x8000;

TEST_F(FusionTest, FunctionBehindAConvolution) {
  Conv(kA, kB, 1);
  Unary(UnaryKind::Swish, kB, kC, 3);
  EXPECT_EQ(Merged(), 2);
  EXPECT_EQ(merged_.dispatch.shader, Shader::k_gemm);
  EXPECT_EQ(Constant(9), kUnarySwish);
  EXPECT_EQ(Constant(0), 0u);
  ExpectOutputAt(kC);
  EXPECT_EQ(merged_.windows[0].begin, kA);
}

TEST_F(FusionTest, ResidualAndReluBehindAConvolution) {
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kC}, {kB}, kB, 1);
  Clamp(kB, kB, 1);
  Unary(UnaryKind::Swish, kB, kB, 1);  // the place of functions is passed by then
  EXPECT_EQ(Merged(), 3);
  EXPECT_EQ(Constant(3), kEpilogueClamp | kEpilogueRanged);
  EXPECT_EQ(Constant(0), kBinaryAdd | kEpilogueFirst << kEpilogueSourceShift | kEpilogueSwapped);
  EXPECT_EQ(Constant(11), kEpilogueSame);
  EXPECT_EQ(merged_.windows[3].begin, kC);
  ExpectOutputAt(kB);
}

TEST_F(FusionTest, OperandsOfFewerElements) {
  for (const auto& [type, form] : {std::pair(kRow, kEpilogueRow), {kOne, kEpilogueScalar}}) {
    steps_.clear();
    Conv(kA, kB, 1);
    Binary(BinaryKind::Mul, {kB}, {-1, type}, kB, 1);
    EXPECT_EQ(Merged(), 2);
    EXPECT_EQ(Constant(0), kBinaryMul);
    EXPECT_EQ(Constant(11), form);
    EXPECT_EQ(merged_.windows[3].buffer, kWeights);
  }
  steps_.clear();
  Conv(kA, kB, 1);
  Prelu({kB}, {-1, kRow}, kC, 1);
  EXPECT_EQ(Merged(), 2);
  EXPECT_EQ(Constant(0), kBinaryPrelu);
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Mul, {kB}, {kC, {DType::kFloat32, {1, 6, 6, 1}}}, kB, 1);
  EXPECT_EQ(Merged(), 1) << "one element for each row";
}

TEST_F(FusionTest, ValuesOfTheChainAreNoOperands) {
  Conv(kA, kB, 2);
  Unary(UnaryKind::Sigmoid, kB, kC, 1);
  Binary(BinaryKind::Mul, {kB}, {kC}, kB, 1);
  EXPECT_EQ(Merged(), 3);
  EXPECT_EQ(Constant(3), kBinaryMul | kEpilogueValue << kEpilogueSourceShift | kEpilogueSwapped);
  EXPECT_EQ(Constant(11), kEpilogueUnbound);
  ExpectOutputAt(kB);
}

TEST_F(FusionTest, ChainOfMemory) {
  Binary(BinaryKind::Sub, {kA}, {-1, kRow}, kB, 1);
  Binary(BinaryKind::Mul, {kB}, {kC}, kB, 2);
  Binary(BinaryKind::Mul, {kB}, {kB}, kA, 1);
  EXPECT_EQ(Merged(), 3);
  EXPECT_EQ(merged_.dispatch.shader, Shader::k_elementwise_chain);
  EXPECT_EQ(merged_.windows[0].begin, kA);
  EXPECT_EQ(merged_.windows[3].buffer, kWeights);
  EXPECT_EQ(merged_.windows[1].begin, kC);
  ExpectOutputAt(kA);
  EXPECT_EQ(Constant(11), kEpilogueRow);
  EXPECT_EQ(Constant(12), kEpilogueSame);
  EXPECT_EQ(merged_.dispatch.num_operands, 4);
}

TEST_F(FusionTest, NotWhatOthersRead) {
  for (const int32_t reads : {-1, 0, 2}) {
    steps_.clear();
    Conv(kA, kB, reads);
    Clamp(kB, kC, 1);
    EXPECT_EQ(Merged(), 1) << reads;
  }
  // Others read the second value, so that only the first two steps become one.
  steps_.clear();
  Conv(kA, kB, 1);
  Unary(UnaryKind::Tanh, kB, kC, 2);
  Binary(BinaryKind::Add, {kC}, {kD}, kE, 1);
  EXPECT_EQ(Merged(), 2);
  ExpectOutputAt(kC);
  EXPECT_EQ(Merged(2), 1);
}

TEST_F(FusionTest, NotWhatCannotFollow) {
  Conv(kA, kB, 1);
  Unary(UnaryKind::Sin, kB, kC, 1);
  EXPECT_FALSE(described_) << "no epilogue has a sine";
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Pow, {kB}, {kC}, kD, 1);
  EXPECT_FALSE(described_);
  steps_.clear();
  Conv(kA, kB, 1);
  Clamp(kC, kD, 1);
  EXPECT_EQ(Merged(), 1) << "reads something else";
  steps_.clear();
  Conv(kA, kB, 1);
  Unary(UnaryKind::Abs, kB, kC, 1, {DType::kFloat32, {288}});
  EXPECT_EQ(Merged(), 1) << "of other rows";
  steps_.clear();
  const TensorType integers = {DType::kInt32, {1, 6, 6, 8}};
  Unary(UnaryKind::Abs, kA, kB, 1, integers);
  EXPECT_FALSE(described_);
  Binary(BinaryKind::Add, {kB, integers}, {kB, integers}, kC, 1, integers);
  EXPECT_FALSE(described_);
}

TEST_F(FusionTest, NotMoreOperandsThanBindings) {
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kC}, kB, 1);
  Binary(BinaryKind::Mul, {kB}, {kD}, kB, 1);
  EXPECT_EQ(Merged(), 2);
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kC}, kB, 1);
  Binary(BinaryKind::Mul, {kB}, {kC}, kB, 1);
  EXPECT_EQ(Merged(), 3) << "twice the same";
  steps_.clear();
  Unary(UnaryKind::Abs, kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kC}, kB, 1);
  Binary(BinaryKind::Mul, {kB}, {kD}, kB, 1);
  EXPECT_EQ(Merged(), 3);
  steps_.clear();
  Binary(BinaryKind::Add, {kA}, {kB}, kA, 1);
  Binary(BinaryKind::Add, {kA}, {kC}, kA, 1);
  Binary(BinaryKind::Mul, {kA}, {kD}, kA, 1);
  EXPECT_EQ(Merged(), 2);
  steps_.clear();
  Unary(UnaryKind::Abs, kA, kB, 1);
  Unary(UnaryKind::Abs, kB, kC, 1);
  EXPECT_EQ(Merged(), 1) << "one function";
}

TEST_F(FusionTest, WritesNothingThatOtherThreadsRead) {
  Conv(kA, kB, 1);
  Clamp(kB, kA, 1);
  EXPECT_EQ(Merged(), 1) << "over the image that the convolution reads";
  steps_.clear();
  Conv(kA, kB, 1);
  Clamp(kB, kA + 256, 1);
  EXPECT_EQ(Merged(), 1);
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kC}, kC, 1);
  EXPECT_EQ(Merged(), 2) << "each thread reads the quads that it writes";
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kC}, kC + 256, 1);
  EXPECT_EQ(Merged(), 1);
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kC, kRow}, kC, 1);
  EXPECT_EQ(Merged(), 1) << "over a row that all threads read";
  steps_.clear();
  Unary(UnaryKind::Abs, kA, kB, 1);
  Clamp(kB, kA + 256, 1);
  EXPECT_EQ(Merged(), 1);
}

TEST_F(FusionTest, ReadsNothingThatIsNotStored) {
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kB + 256}, kD, 1);
  EXPECT_EQ(Merged(), 1);
  steps_.clear();
  Conv(kA, kB, 1);
  Binary(BinaryKind::Add, {kB}, {kB, kRow}, kD, 1);
  EXPECT_EQ(Merged(), 1);
}

TEST_F(FusionTest, AtMostFive) {
  Conv(kA, kB, 1);
  Clamp(kB, kB, 1);
  Unary(UnaryKind::Exp, kB, kB, 1);
  Clamp(kB, kB, 1);
  Clamp(kB, kB, 1);
  EXPECT_EQ(Merged(), kMostFused);
  for (const int first : {0, 3, 6})
    EXPECT_EQ(Constant(first), kEpilogueClamp | kEpilogueRanged) << first;
}

}  // namespace
}  // namespace linnet::vulkan
