// SPDX-License-Identifier: Apache-2.0
// Properties of the XNNPACK backend that the conformance cases do not test: where memory comes from
// and how often weights are packed.
#include "runtime/backends/xnnpack/backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "runtime/backends/xnnpack/edge_probe.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/backends/xnnpack/weights_cache.h"
#include "runtime/core/instruction_set.h"
#include "runtime/ops/binary.h"
#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/fully_connected.h"
#include "runtime/ops/pool2d.h"
#include "runtime/ops/reduce.h"
#include "runtime/ops/unary.h"

namespace linnet::xnnpack {
namespace {

// Floats at a multiple of 64, followed by the bytes that XNNPACK may read.
class Floats {
 public:
  Floats(int64_t count, float value)
      : data_(static_cast<float*>(region_.Allocate(count * 4 + 128))) {
    std::fill(data_, data_ + count + 32, value);
  }
  float* data() const { return data_; }

 private:
  Region region_;
  float* data_;
};

TensorType F32(Shape shape) { return {DType::kFloat32, shape}; }

// A 3x3 convolution from 8 to 16 channels; all weights are `weight`.
class Conv {
 public:
  explicit Conv(float weight) : filter_(16 * 9 * 8, weight), bias_(16, 1.0f) {
    attrs_.pad_top = attrs_.pad_bottom = attrs_.pad_left = attrs_.pad_right = 1;
    inputs_ = {
        {F32({1, 10, 12, 8})}, {F32({16, 3, 3, 8}), filter_.data()}, {F32({16}), bias_.data()}};
  }
  StepContext step() const {
    return {0, {.kind = OpKind::kConv2D, .attrs = &attrs_, .inputs = inputs_, .outputs = outputs_}};
  }
  // The first output pixel (a corner, so four taps) when all inputs are one.
  static float Corner(float weight) { return 1.0f + 4 * 8 * weight; }

 private:
  Conv2DAttrs attrs_;
  Floats filter_, bias_;
  std::vector<InputInfo> inputs_;
  std::vector<TensorType> outputs_ = {F32({1, 10, 12, 16})};
};

const Backend& Started() {
  EXPECT_TRUE(GetBackend().Initialize().ok());
  return GetBackend();
}

// Runs `step` in a session and returns the first output.
float RunOnce(const StepContext& step, PackedWeights* weights, void* packed, Region& region) {
  RunnableStep* runnable = nullptr;
  int64_t workspace = 0;
  const Status status =
      Started().Create(step, weights, packed, Threads(), region, &runnable, &workspace);
  EXPECT_TRUE(status.ok()) << status.what();
  if (!status.ok()) return 0;
  const Floats in(step.op.input(0).shape.num_elements(), 1.0f);
  const Floats out(step.op.output(0).shape.num_elements(), 0.0f);
  std::vector<void*> inputs = {in.data()};
  for (size_t i = 1; i < step.op.inputs.size(); ++i) inputs.push_back(nullptr);
  void* outputs[] = {out.data()};
  const Floats work(workspace / 4 + 1, 0.0f);
  EXPECT_TRUE(runnable->Setup({inputs, outputs, work.data()}).ok());
  EXPECT_TRUE(runnable->Run().ok());
  runnable->Destroy();
  return out.data()[0];
}

// This may be the last step: then nothing else asks, and the run would show unfinished output.
TEST(Xnnpack, AStepOfWhichPartsDidNotRunIsCancelled) {
  bool stop = false;
  Threads threads;
  threads.parallel.threads = 2;  // both parts run on the calling thread
  threads.parallel.stop = [](void* context) { return *static_cast<bool*>(context); };
  threads.parallel.stop_context = &stop;
  const UnaryAttrs attrs = {.kind = schema::UnaryKind::Neg};
  const int64_t count = 1 << 16;
  const InputInfo types[] = {{F32({count}), nullptr}};
  const TensorType results[] = {F32({count})};
  const OpInstance op = {
      .kind = OpKind::kUnary, .attrs = &attrs, .inputs = types, .outputs = results};
  Region region;
  RunnableStep* step = nullptr;
  int64_t workspace = 0;
  ASSERT_TRUE(Started().Create({0, op}, nullptr, nullptr, threads, region, &step, &workspace).ok());
  const Floats in(count, 1.0f), out(count, 0.0f);
  void* const inputs[] = {in.data()};
  void* const outputs[] = {out.data()};
  ASSERT_TRUE(step->Setup({inputs, outputs, nullptr}).ok());
  stop = true;
  EXPECT_EQ(step->Run().code(), StatusCode::kCancelled);
  stop = false;
  EXPECT_TRUE(step->Run().ok());
  EXPECT_EQ(out.data()[0], -1.0f);
  EXPECT_EQ(out.data()[count - 1], -1.0f);
  step->Destroy();
}

TEST(Xnnpack, AllocatesFromTheRegion) {
  Started();
  EXPECT_TRUE(AllocatesThroughUs());
  EXPECT_EQ(GetBackend().heap_bytes(), 0);
}

TEST(Xnnpack, BlockThatIsTooSmallIsAnErrorAndLeaksNothing) {
  const Conv conv(0.5f);
  Region measured;
  RunOnce(conv.step(), nullptr, nullptr, measured);
  const int64_t need = measured.peak();
  ASSERT_GT(need, 0);
  for (int64_t bytes = 0; bytes < need; bytes += 64) {
    const Floats block(bytes / 4 + 16, 0.0f);
    Region region(block.data(), bytes);
    RunnableStep* runnable = nullptr;
    int64_t workspace = 0;
    const Status status =
        Started().Create(conv.step(), nullptr, nullptr, Threads(), region, &runnable, &workspace);
    EXPECT_EQ(static_cast<int>(status.code()), static_cast<int>(StatusCode::kNoMemory)) << bytes;
    EXPECT_EQ(region.used(), 0) << bytes;
  }
}

TEST(Xnnpack, DestroyGivesBackAllButTheStep) {
  const Conv conv(0.5f);
  Region region;
  EXPECT_EQ(RunOnce(conv.step(), nullptr, nullptr, region), Conv::Corner(0.5f));
  EXPECT_LT(region.used(), 1024);
}

TEST(Xnnpack, WithoutAWeightsCachePlainWeightsStay) {
  const Conv conv(0.5f);
  EXPECT_FALSE(PacksInput(conv.step().op, 1, kXnnpack2022));
  EXPECT_TRUE(PacksInput(conv.step().op, 1, kXnnpack2024));
  EXPECT_TRUE(PacksInput(conv.step().op, 2, kXnnpack2024));
  EXPECT_FALSE(PacksInput(conv.step().op, 0, kXnnpack2024));
}

TEST(XnnpackSupport, ProductsGoWhereTheyAreFaster) {
  const Conv conv(0.5f);
  XnnpackFeatures features = kXnnpack2022;
  EXPECT_EQ(WhyUnable(conv.step().op, features), nullptr);
  EXPECT_EQ(WhySlower(conv.step().op, features), nullptr);
  features.slow_loops = true;
  EXPECT_EQ(WhyUnable(conv.step().op, features), nullptr);
  EXPECT_NE(WhySlower(conv.step().op, features), nullptr);
  EXPECT_STREQ(WhyUnable(conv.step().op, XnnpackFeatures()), "built without XNNPACK");
}

#if defined(__x86_64__)
// Whatever the CPU has beyond them, as binary16.
TEST(XnnpackSupport, LoopsForAvx512AreFasterThanXnnpack) {
  const InstructionSet set = ChosenInstructionSet().set;
  const InstructionSet ours = kLoopSets[std::size(kLoopSets) - 1];
  if (set < ours || ours != InstructionSet::kAvx512) GTEST_SKIP() << "no loops for AVX-512";
  EXPECT_TRUE(DeviceFeatures().slow_loops);
}
#endif

const char* WhySlowerByWinograd(int64_t channels, const XnnpackFeatures& features) {
  const Conv2DAttrs attrs = {.winograd = 4};
  const std::vector<InputInfo> inputs = {
      {F32({1, 8, 8, channels})}, {F32({channels, 3, 3, channels}), nullptr, /*is_constant=*/true}};
  const std::vector<TensorType> outputs = {F32({1, 6, 6, channels})};
  return WhySlower({.kind = OpKind::kConv2D, .attrs = &attrs, .inputs = inputs, .outputs = outputs},
                   features);
}

TEST(XnnpackSupport, WinogradGoesToOurKernelWhereItSavesEnough) {
  XnnpackFeatures features = kXnnpack2022;
  EXPECT_EQ(WhySlowerByWinograd(16, features), nullptr);
  EXPECT_NE(WhySlowerByWinograd(32, features), nullptr);
  features.slow_loops = true;
  EXPECT_STREQ(WhySlowerByWinograd(16, features), WhySlowerByWinograd(32, features));
}

const char* WhyUnaryIsSlower(schema::UnaryKind kind, const XnnpackFeatures& features) {
  UnaryAttrs attrs;
  attrs.kind = kind;
  const std::vector<InputInfo> inputs = {{F32({64})}};
  const std::vector<TensorType> outputs = {F32({64})};
  return WhySlower({.kind = OpKind::kUnary, .attrs = &attrs, .inputs = inputs, .outputs = outputs},
                   features);
}

// So that a process whose steps all run on our kernels never starts XNNPACK.
TEST(XnnpackSupport, WhereProductsAreOursSoIsWhatIsAsFast) {
  using schema::UnaryKind;
  XnnpackFeatures features = kXnnpack2024;
  EXPECT_EQ(WhyUnaryIsSlower(UnaryKind::HardSwish, features), nullptr);
  features.slow_loops = true;
  EXPECT_NE(WhyUnaryIsSlower(UnaryKind::HardSwish, features), nullptr);
  EXPECT_NE(WhyUnaryIsSlower(UnaryKind::Sigmoid, features), nullptr);
  EXPECT_EQ(WhyUnaryIsSlower(UnaryKind::Tanh, features), nullptr) << "XNNPACK's is faster";
}

// Calls `ask` with a step of each kind that XNNPACK can run.
template <typename Ask>
void ForEachUnary(const Ask& ask) {
  for (const schema::UnaryKind kind : schema::EnumValuesUnaryKind()) {
    UnaryAttrs attrs;
    attrs.kind = kind;
    const std::vector<InputInfo> inputs = {{F32({64})}};
    const std::vector<TensorType> outputs = {F32({64})};
    const OpInstance op = {OpKind::kUnary, &attrs, inputs, outputs};
    if (WhyUnable(op, DeviceFeatures()) == nullptr) ask(kind, op);
  }
}

TEST(XnnpackEdges, AKernelThatIsFoundWrongIsNotUsed) {
  const Backend& xnnpack = Started();
  ForEachUnary([&](schema::UnaryKind kind, const OpInstance& op) {
    if (!IsWrongAtEdges(op)) return;
    EXPECT_NE(xnnpack.WhyUnsupported(op), nullptr) << schema::EnumNameUnaryKind(kind);
  });
}

// Kernels that are right with every instruction set must not be found wrong: the check itself is
// right.
TEST(XnnpackEdges, SimpleKernelsAreFoundRight) {
  Started();
  using schema::UnaryKind;
  constexpr UnaryKind kSimple[] = {UnaryKind::Abs,       UnaryKind::Neg,  UnaryKind::Square,
                                   UnaryKind::Floor,     UnaryKind::Ceil, UnaryKind::Round,
                                   UnaryKind::LeakyRelu, UnaryKind::Elu};
  ForEachUnary([&](UnaryKind kind, const OpInstance& op) {
    if (std::count(std::begin(kSimple), std::end(kSimple), kind) == 0) return;
    EXPECT_FALSE(IsWrongAtEdges(op)) << schema::EnumNameUnaryKind(kind);
  });
}

const char* WhyUnableToPool(int window, int64_t output_extent) {
  Pool2DAttrs attrs;
  attrs.kind = schema::PoolKind::Average;
  attrs.window_h = attrs.window_w = window;
  attrs.pad_top = attrs.pad_left = window - 1;
  const std::vector<InputInfo> inputs = {{F32({1, output_extent, output_extent, 1})}};
  const std::vector<TensorType> outputs = {F32({1, output_extent, output_extent, 1})};
  return WhyUnable({.kind = OpKind::kPool2D, .attrs = &attrs, .inputs = inputs, .outputs = outputs},
                   kXnnpack2022);
}

TEST(XnnpackSupport, WindowsWhoseSizesItWouldOverflowStayWithUs) {
  EXPECT_EQ(WhyUnableToPool(7, 112), nullptr);
  EXPECT_EQ(WhyUnableToPool(4096, 16), nullptr);
  EXPECT_STREQ(WhyUnableToPool(65536, 1), "window too large");  // 2^32 taps
  EXPECT_STREQ(WhyUnableToPool(INT32_MAX, 1), "window too large");
  EXPECT_STREQ(WhyUnableToPool(4096, 1 << 20), "window too large");  // 2^64 pointers
}

const char* WhyAddIsSlower(Shape a, Shape b, Shape out) {
  BinaryAttrs attrs;
  attrs.kind = schema::BinaryKind::Add;
  const std::vector<InputInfo> inputs = {{F32(a)}, {F32(b)}};
  const std::vector<TensorType> outputs = {F32(out)};
  return WhySlower({.kind = OpKind::kBinary, .attrs = &attrs, .inputs = inputs, .outputs = outputs},
                   kXnnpack2024);
}

TEST(XnnpackSupport, ShortRowsOfABroadcastStayWithUs) {
  EXPECT_EQ(WhyAddIsSlower({1, 8, 8, 24}, {1, 8, 8, 24}, {1, 8, 8, 24}), nullptr);
  EXPECT_EQ(WhyAddIsSlower({1, 8, 8, 24}, {}, {1, 8, 8, 24}), nullptr);
  EXPECT_EQ(WhyAddIsSlower({1, 8, 8, 24}, {1, 1, 1}, {1, 8, 8, 24}), nullptr);
  EXPECT_EQ(WhyAddIsSlower({3}, {3}, {3}), nullptr);
  EXPECT_EQ(WhyAddIsSlower({1, 8, 8, 128}, {128}, {1, 8, 8, 128}), nullptr);
  EXPECT_EQ(WhyAddIsSlower({4, 8, 24}, {8, 24}, {4, 8, 24}), nullptr);  // rows of 192
  EXPECT_NE(WhyAddIsSlower({1, 8, 8, 24}, {24}, {1, 8, 8, 24}), nullptr);
  EXPECT_NE(WhyAddIsSlower({1, 8, 8, 24}, {1, 8, 8, 1}, {1, 8, 8, 24}), nullptr);
}

#ifdef LINNET_XNNPACK_2024
WeightsCache* NewCache(Region& region) {
  PackedWeights* weights = nullptr;
  EXPECT_TRUE(Started().NewPackedWeights(0, region, &weights).ok());
  return static_cast<WeightsCache*>(weights);
}

void* Pack(const StepContext& step, WeightsCache* cache, Region& region) {
  void* packed = nullptr;
  EXPECT_TRUE(Started().Pack(step, cache, region, &packed).ok());
  return packed;
}

TEST(XnnpackWeights, SessionsShareOnePack) {
  Region prepared;
  WeightsCache* cache = NewCache(prepared);
  const Conv conv(0.5f);
  void* packed = Pack(conv.step(), cache, prepared);
  ASSERT_TRUE(cache->Finalize().ok());
  const int64_t prepared_bytes = prepared.used();
  Region alone;  // a session without prepared weights
  RunOnce(conv.step(), nullptr, nullptr, alone);
  for (int session = 0; session < 3; ++session) {
    Region region;
    EXPECT_EQ(RunOnce(conv.step(), cache, packed, region), Conv::Corner(0.5f));
    EXPECT_LE(region.peak() + 16 * 9 * 8 * 4, alone.peak());
  }
  EXPECT_EQ(cache->times_packed(), 1);
  EXPECT_EQ(prepared.used(), prepared_bytes);
}

TEST(XnnpackWeights, PlainFormsMayLieAtTheSameAddress) {
  Region prepared;
  WeightsCache* cache = NewCache(prepared);
  const Conv conv(0.5f);
  void* half = Pack(conv.step(), cache, prepared);
  float* filter = const_cast<float*>(static_cast<const float*>(conv.step().op.inputs[1].value));
  std::fill(filter, filter + 16 * 9 * 8, 2.0f);
  void* two = Pack(conv.step(), cache, prepared);
  ASSERT_TRUE(cache->Finalize().ok());
  Region region;
  EXPECT_EQ(RunOnce(conv.step(), cache, half, region), Conv::Corner(0.5f));
  EXPECT_EQ(RunOnce(conv.step(), cache, two, region), Conv::Corner(2.0f));
}

TEST(XnnpackWeights, EqualPacksAreKeptOnce) {
  Region prepared;
  WeightsCache* cache = NewCache(prepared);
  const Conv first(0.5f), second(0.5f), other(0.25f);
  Pack(first.step(), cache, prepared);
  const int64_t one = prepared.used();
  void* packed = Pack(second.step(), cache, prepared);
  EXPECT_GT(cache->shared_bytes(), 16 * 9 * 8 * 4);
  EXPECT_LT(prepared.used() - one, 1024);
  void* different = Pack(other.step(), cache, prepared);
  ASSERT_TRUE(cache->Finalize().ok());
  Region region;
  EXPECT_EQ(RunOnce(second.step(), cache, packed, region), Conv::Corner(0.5f));
  EXPECT_EQ(RunOnce(other.step(), cache, different, region), Conv::Corner(0.25f));
}

TEST(XnnpackWeights, DepthwiseGivesItsScratchBack) {
  const DepthwiseConv2DAttrs attrs;
  const Floats filter(9 * 8, 0.5f);
  const std::vector<InputInfo> inputs = {{F32({1, 5, 5, 8})}, {F32({3, 3, 8}), filter.data()}};
  const std::vector<TensorType> outputs = {F32({1, 3, 3, 8})};
  const StepContext step = {
      0, {.kind = OpKind::kDepthwiseConv2D, .attrs = &attrs, .inputs = inputs, .outputs = outputs}};
  EXPECT_FALSE(PacksInput(step.op, 1, kXnnpack2024));
  Region prepared;
  WeightsCache* cache = NewCache(prepared);
  void* packed = Pack(step, cache, prepared);
  ASSERT_TRUE(cache->Finalize().ok());
  const int64_t bytes = prepared.used();
  Region with_cache, without_cache;
  EXPECT_EQ(RunOnce(step, cache, packed, with_cache), 4.5f);
  EXPECT_EQ(RunOnce(step, nullptr, nullptr, without_cache), 4.5f);
  EXPECT_EQ(prepared.used(), bytes);
  EXPECT_LE(with_cache.peak(), without_cache.peak());
}
#endif  // LINNET_XNNPACK_2024

// The packages have depthwise kernels for 25 taps at most, and products for channels with several
// results.
TEST(XnnpackSupport, LeavesLargeDepthwiseWindowsToOurKernel) {
  struct Case {
    int64_t size, results;
    bool slower;
  };
  const DepthwiseConv2DAttrs attrs;
  for (const auto& [size, results, slower] :
       {Case{5, 8, false}, {6, 8, true}, {7, 8, true}, {7, 16, false}}) {
    const Floats filter(size * size * results, 0.5f);
    const std::vector<TensorType> outputs = {F32({1, 4, 4, results})};
    const std::vector<InputInfo> inputs = {{F32({1, size + 3, size + 3, 8})},
                                           {F32({size, size, results}), filter.data()}};
    const OpInstance op = {
        .kind = OpKind::kDepthwiseConv2D, .attrs = &attrs, .inputs = inputs, .outputs = outputs};
    for (const XnnpackFeatures& features : {kXnnpack2022, kXnnpack2024}) {
      EXPECT_EQ(WhyUnable(op, features), nullptr);
      EXPECT_EQ(WhySlower(op, features) != nullptr, slower) << size;
    }
  }
}

}  // namespace
}  // namespace linnet::xnnpack
