// SPDX-License-Identifier: Apache-2.0
// Steps that take long, one for each reason for taking long: each must ask often enough whether to
// stop. Times are processor time, so a busy machine does not matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <new>
#include <vector>

#include "runtime/backends/portable/portable_op.h"
#include "runtime/ops/all_attrs.h"

namespace linnet::portable {
namespace {

double NowMs() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(LINNET_EMULATED)
constexpr double kMostMs = 2000;
#else
constexpr double kMostMs = 100;
#endif
constexpr double kRunMs = 150;  // then the run is cancelled

struct Free {
  void operator()(void* memory) const { ::operator delete (memory, std::align_val_t{64}); }
};
using Memory = std::unique_ptr<void, Free>;
// Memory that is not touched, so that only what a kernel writes takes physical memory.
Memory NewMemory(int64_t bytes) {
  return Memory(::operator new (static_cast<size_t>(bytes) + 64, std::align_val_t{64}));
}

// Reads the clock at each question, and answers "stop" after kRunMs.
struct Watch {
  double start = NowMs(), last = start, longest = 0;
  void Look() {
    const double now = NowMs();
    longest = std::max(longest, now - last);
    last = now;
  }
  static bool Stop(void* raw) {
    Watch& watch = *static_cast<Watch*>(raw);
    watch.Look();
    return watch.last - watch.start > kRunMs;
  }
};

using Fill = std::function<void(int input, int64_t count, void* data)>;

struct Job {
  const char* name;
  OpKind kind;
  std::shared_ptr<const void> attrs;
  std::vector<TensorType> inputs;
  Fill fill;  // of inputs, which are zeros before; may be empty
};

template <typename Attrs>
std::shared_ptr<const void> Keep(const Attrs& attrs) {
  return std::make_shared<Attrs>(attrs);
}

void Expect(const Job& job) {
  SCOPED_TRACE(job.name);
  std::vector<InputInfo> infos;
  for (const TensorType& type : job.inputs) infos.push_back({type, nullptr});
  OpInstance op = {job.kind, job.attrs.get(), infos, {}};
  TensorType types[kMaxOpOutputs];
  const Status inferred = InferTypes(op, types);
  ASSERT_TRUE(inferred.ok()) << inferred.what();
  op.outputs = {types, static_cast<size_t>(FindOp(job.kind)->num_outputs)};
  std::vector<Memory> memory;
  std::vector<TensorView> inputs, outputs;
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    memory.push_back(NewMemory(job.inputs[i].bytes()));
    void* data = memory.back().get();
    std::memset(data, 0, static_cast<size_t>(job.inputs[i].bytes()));
    if (job.fill) job.fill(static_cast<int>(i), job.inputs[i].shape.num_elements(), data);
    inputs.push_back({job.inputs[i], data});
  }
  for (const TensorType& type : op.outputs) {
    memory.push_back(NewMemory(type.bytes()));
    outputs.push_back({type, memory.back().get()});
  }
  const PortableOp& kernel = *FindPortableOp(job.kind);
  ASSERT_EQ(kernel.why_unsupported(op), nullptr);
  KernelContext context;
  context.attrs = job.attrs.get();
  context.inputs = inputs;
  context.outputs = outputs;
  const auto allocate = [&](int64_t bytes) {
    memory.push_back(NewMemory(bytes));
    return memory.back().get();
  };
  if (kernel.scratch_bytes != nullptr) context.scratch = allocate(kernel.scratch_bytes(op, 1));
  if (kernel.prepared_bytes != nullptr && kernel.prepared_bytes(op) > 0) {
    void* prepared = allocate(kernel.prepared_bytes(op));
    kernel.prepare(op, prepared);
    context.prepared = prepared;
  }
  Watch watch;
  context.parallel.stop = Watch::Stop;
  context.parallel.stop_context = &watch;
  const Status status = RunKernel(kernel, context);
  watch.Look();
  EXPECT_LT(watch.longest, kMostMs) << "milliseconds without a question";
  // A job that finishes before it is cancelled would prove nothing.
  EXPECT_EQ(status.code(), StatusCode::kCancelled);
}

TensorType F32(const Shape& shape) { return {DType::kFloat32, shape}; }
TensorType I32(const Shape& shape) { return {DType::kInt32, shape}; }

// Boxes that do not overlap, and scores.
void FillBoxes(int input, int64_t count, void* data) {
  auto* x = static_cast<float*>(data);
  if (input == 0)
    for (int64_t i = 0; i < count; ++i)
      x[i] = static_cast<float>(i / 4) + (i % 4 >= 2 ? 0.5f : 0.0f);
  else
    for (int64_t i = 0; i < count; ++i) x[i] = 1.0f + static_cast<float>(i);
}

void FillAscending(int, int64_t count, void* data) {
  auto* x = static_cast<float*>(data);
  for (int64_t i = 0; i < count; ++i) x[i] = static_cast<float>(i);
}

TEST(Cancel, ChoosingBoxes) {
  constexpr int kMany = 100'000;
  NonMaxSuppressionAttrs attrs;
  attrs.max_outputs = kMany;
  attrs.iou_threshold = 0.5f;
  Expect({"NonMaxSuppression",
          OpKind::kNonMaxSuppression,
          Keep(attrs),
          {F32({kMany, 4}), F32({kMany})},
          FillBoxes});
  CombinedNonMaxSuppressionAttrs combined;
  combined.max_per_class = combined.max_total = kMany;
  combined.iou_threshold = 0.5f;
  Expect({"CombinedNonMaxSuppression",
          OpKind::kCombinedNonMaxSuppression,
          Keep(combined),
          {F32({1, kMany, 1, 4}), F32({1, kMany, 1})},
          FillBoxes});
}

TEST(Cancel, Transforms) {
  FourierAttrs attrs;
  attrs.kind = schema::FourierKind::Forward;
  for (int64_t length : {(1 << 22) + 15, 1 << 23, 3 * 5 * 7 * 11 * 13 * 256}) {
    attrs.length = length;
    Expect({"Fourier", OpKind::kFourier, Keep(attrs), {F32({2, length, 2})}, {}});
  }
}

TEST(Cancel, Sorting) {
  constexpr int kMany = 1 << 22;
  TopKAttrs attrs;
  attrs.k = kMany / 2;
  Expect({"TopK", OpKind::kTopK, Keep(attrs), {F32({kMany})}, FillAscending});
  Expect({"Unique", OpKind::kUnique, Keep(UniqueAttrs()), {F32({4 * kMany})}, FillAscending});
}

TEST(Cancel, OneLongRow) {
  constexpr int64_t kMany = 1 << 25;
  CumulativeAttrs cumulative;
  cumulative.kind = schema::CumulativeKind::LogSumExp;
  Expect({"Cumulative", OpKind::kCumulative, Keep(cumulative), {F32({kMany})}, {}});
  UnaryAttrs unary;
  unary.kind = schema::UnaryKind::Lgamma;
  Expect({"Unary", OpKind::kUnary, Keep(unary), {F32({kMany})}, FillAscending});
}

TEST(Cancel, RandomNumbers) {
  RandomAttrs attrs;
  const std::vector<TensorType> generator = {{DType::kInt64, {1}}, {DType::kInt64, {2}}};
  attrs.kind = schema::RandomKind::TruncatedNormal;
  attrs.dtype = DType::kFloat32;
  attrs.shape = {1 << 25};
  Expect({"TruncatedNormal", OpKind::kRandom, Keep(attrs), generator, {}});
  attrs.kind = schema::RandomKind::Permutation;
  attrs.dtype = DType::kInt32;
  Expect({"Permutation", OpKind::kRandom, Keep(attrs), generator, {}});
  attrs.kind = schema::RandomKind::Categorical;
  attrs.dtype = DType::kInt64;
  attrs.shape = {1, 1 << 24};
  std::vector<TensorType> inputs = generator;
  inputs.push_back(F32({1, 1 << 20}));
  Expect({"Categorical", OpKind::kRandom, Keep(attrs), inputs, {}});
}

TEST(Cancel, Products) {
  Expect({"BatchMatMul",
          OpKind::kBatchMatMul,
          Keep(BatchMatMulAttrs()),
          {F32({2048, 4096}), F32({4096, 4096})},
          {}});
  BatchMatMulAttrs transposed;
  transposed.transpose_b = true;
  Expect({"BatchMatMul of integers",
          OpKind::kBatchMatMul,
          Keep(BatchMatMulAttrs()),
          {I32({512, 4096}), I32({4096, 4096})},
          {}});
  Expect({"BatchMatMul of integers, transposed",
          OpKind::kBatchMatMul,
          Keep(transposed),
          {I32({512, 4096}), I32({4096, 4096})},
          {}});
  Expect({"FullyConnected",
          OpKind::kFullyConnected,
          Keep(FullyConnectedAttrs()),
          {F32({4096, 2048}), F32({4096, 2048})},
          {}});
}

TEST(Cancel, Windows) {
  Conv2DAttrs conv;
  conv.pad_top = conv.pad_bottom = conv.pad_left = conv.pad_right = 3;
  Expect(
      {"Conv2D", OpKind::kConv2D, Keep(conv), {F32({1, 512, 512, 64}), F32({64, 7, 7, 64})}, {}});
  DepthwiseConv2DAttrs depthwise;
  depthwise.pad_top = depthwise.pad_bottom = depthwise.pad_left = depthwise.pad_right = 255;
  Expect({"DepthwiseConv2D",
          OpKind::kDepthwiseConv2D,
          Keep(depthwise),
          {F32({1, 512, 512, 1}), F32({511, 511, 1})},
          {}});
  Expect({"DepthwiseConv2D, multiplied",
          OpKind::kDepthwiseConv2D,
          Keep(depthwise),
          {F32({1, 512, 512, 1}), F32({511, 511, 2})},
          {}});
  TransposeConv2DAttrs transpose;
  transpose.stride_h = transpose.stride_w = 2;
  transpose.output_h = transpose.output_w = 575;
  Expect({"TransposeConv2D",
          OpKind::kTransposeConv2D,
          Keep(transpose),
          {F32({1, 256, 256, 16}), F32({16, 65, 65, 16})},
          {}});
  Pool2DAttrs pool;
  pool.window_h = pool.window_w = 511;
  for (auto kind : {schema::PoolKind::Max, schema::PoolKind::Average}) {
    pool.kind = kind;
    Expect({"Pool2D", OpKind::kPool2D, Keep(pool), {F32({1, 1024, 1024, 1})}, {}});
  }
}

TEST(Cancel, Pictures) {
  ResizeAttrs attrs;
  attrs.mode = schema::ResizeMode::Bicubic;
  attrs.output_h = attrs.output_w = 1 << 13;
  Expect({"Resize", OpKind::kResize, Keep(attrs), {F32({1, 64, 64, 1})}, {}});
}

TEST(Cancel, Tables) {
  Expect({"Lookup",
          OpKind::kLookup,
          Keep(LookupAttrs()),
          {I32({1 << 25}), I32({1 << 20})},
          [](int input, int64_t count, void* data) {
            auto* x = static_cast<int32_t*>(data);
            for (int64_t i = 0; i < count; ++i)
              x[i] = static_cast<int32_t>(input == 0 ? i * 7919 % (1 << 21) : 2 * i);
          }});
}

}  // namespace
}  // namespace linnet::portable
