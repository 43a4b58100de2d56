// SPDX-License-Identifier: Apache-2.0
// Portable kernels on one thread, in the shapes of MobileNetV2 (224 x 224) and of some matrix
// products.  "GFLOP/s" counts a multiply-accumulate as two.
#include <benchmark/benchmark.h>

#include <limits>
#include <vector>

#include "runtime/core/encoding.h"
#include "runtime/core/half.h"
#include "runtime/kernels/batch_matmul.h"
#include "runtime/kernels/conv2d.h"
#include "runtime/kernels/depthwise_conv2d.h"
#include "runtime/kernels/fully_connected.h"
#include "runtime/kernels/gemm.h"
#include "runtime/kernels/pool2d.h"
#include "runtime/kernels/transpose_conv2d.h"
#include "runtime/kernels/winograd_conv2d.h"
#include "tests/runtime/kernels/random_floats.h"

namespace linnet::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Scratch memory at a multiple of 64 bytes, as in a session.
class Scratch {
 public:
  explicit Scratch(int64_t bytes) : data_(::operator new (bytes + 1, std::align_val_t{64})) {}
  ~Scratch() { ::operator delete (data_, std::align_val_t{64}); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* data() const { return data_; }
  float* floats() const { return static_cast<float*>(data_); }

 private:
  void* data_;
};

// Values in such memory: the vectors of AVX-512 are as long as a cache line.
class Values : public Scratch {
 public:
  explicit Values(const std::vector<float>& values)
      : Scratch(static_cast<int64_t>(values.size()) * 4), count_(values.size()) {
    std::copy(values.begin(), values.end(), floats());
  }
  explicit Values(int64_t count) : Values(std::vector<float>(count)) {}
  const float* data() const { return floats(); }
  float* data() { return floats(); }
  size_t size() const { return count_; }

 private:
  size_t count_;
};

void CountMacs(benchmark::State& state, int64_t macs) {
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(macs),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

// Input extent, input channels, output channels, window, stride; padded to SAME.
void BM_Conv2D(benchmark::State& state) {
  const int64_t size = state.range(0), in_c = state.range(1), out_c = state.range(2);
  const int64_t kernel = state.range(3), stride = state.range(4), out = CeilDiv(size, stride);
  const int64_t pad = std::max<int64_t>((out - 1) * stride + kernel - size, 0) / 2;
  const Conv2DShape shape = {1,     size,   size,   in_c, kernel, kernel, out, out,
                             out_c, stride, stride, 1,    1,      pad,    pad, 1};
  const Values in(Random(size * size * in_c)), filter(Random(out_c * shape.depth()));
  const Values bias(Random(out_c));
  Values result(out * out * out_c);
  const Scratch packed(PackedConv2DFloats(shape) * 4), scratch(Conv2DScratchBytes(shape, 1));
  PackConv2D(shape, filter.data(), packed.floats());
  for (auto _ : state) {
    Conv2D(shape, in.data(), {packed.floats()}, bias.data(), 0, 6, result.data(), scratch.data(),
           {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, out * out * out_c * shape.depth());
}
BENCHMARK(BM_Conv2D)
    ->ArgNames({"size", "in", "out", "kernel", "stride"})
    ->Args({224, 3, 32, 3, 2})
    ->Args({112, 32, 16, 1, 1})
    ->Args({112, 16, 96, 1, 1})
    ->Args({56, 96, 24, 1, 1})
    ->Args({56, 24, 144, 1, 1})
    ->Args({28, 144, 32, 1, 1})
    ->Args({28, 32, 192, 1, 1})
    ->Args({14, 192, 64, 1, 1})
    ->Args({14, 64, 384, 1, 1})
    ->Args({14, 576, 96, 1, 1})
    ->Args({7, 160, 960, 1, 1})
    ->Args({7, 960, 320, 1, 1})
    ->Args({7, 320, 1280, 1, 1})
    // BlazeFace
    ->Args({256, 3, 24, 5, 2})
    ->Args({128, 24, 24, 1, 1})
    ->Args({16, 96, 96, 1, 1})
    // ResNet-50
    ->Args({56, 64, 64, 3, 1})
    ->Args({14, 256, 256, 3, 1})
    ->Args({7, 512, 512, 3, 1});

// Extent, input channels, output channels, outputs on a side of a tile. "GFLOP/s" counts the
// operations of the sums of all windows.
void BM_WinogradConv2D(benchmark::State& state) {
  const int64_t size = state.range(0), in_c = state.range(1), out_c = state.range(2);
  const int outputs = static_cast<int>(state.range(3));
  const Conv2DShape shape = {1, size, size, in_c, 3, 3, size, size, out_c, 1, 1, 1, 1, 1, 1, 1};
  const Values in(Random(size * size * in_c)), filter(Random(out_c * shape.depth()));
  const Values bias(Random(out_c));
  Values result(size * size * out_c);
  const Scratch packed(PackedWinogradFloats(shape, outputs) * 4);
  const Scratch scratch(WinogradScratchBytes(shape, outputs, 1));
  PackWinograd(shape, outputs, filter.data(), packed.floats());
  for (auto _ : state) {
    WinogradConv2D(shape, outputs, in.data(), packed.floats(), bias.data(), 0, 6, result.data(),
                   scratch.data(), {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, size * size * out_c * shape.depth());
}
BENCHMARK(BM_WinogradConv2D)
    ->ArgNames({"size", "in", "out", "tile"})
    ->Args({112, 16, 16, 4})
    ->Args({56, 32, 32, 4})
    ->Args({14, 64, 64, 4})
    ->Args({7, 64, 64, 2})
    ->Args({7, 64, 64, 4})
    ->Args({7, 128, 128, 2})
    ->Args({7, 128, 128, 4})
    ->Args({7, 160, 160, 4})
    ->Args({7, 256, 256, 4})
    // ResNet-50
    ->Args({56, 64, 64, 4})
    ->Args({28, 128, 128, 4})
    ->Args({14, 256, 256, 4})
    ->Args({14, 256, 256, 2})
    ->Args({7, 512, 512, 2})
    ->Args({7, 512, 512, 4});

// Extent, channels, window, stride; padded to SAME.
void BM_DepthwiseConv2D(benchmark::State& state) {
  const int64_t size = state.range(0), channels = state.range(1), kernel = state.range(2);
  const int64_t stride = state.range(3), out = CeilDiv(size, stride);
  const int64_t pad = std::max<int64_t>((out - 1) * stride + kernel - size, 0) / 2;
  const DepthwiseConv2DShape shape = {1,   size,   size,   channels, 1, kernel, kernel, out,
                                      out, stride, stride, 1,        1, pad,    pad};
  const Values in(Random(size * size * channels)), filter(Random(kernel * kernel * channels));
  const Values bias(Random(channels));
  Values result(out * out * channels);
  for (auto _ : state) {
    DepthwiseConv2D(shape, in.data(), filter.data(), bias.data(), 0, 6, result.data(), {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, out * out * channels * kernel * kernel);
}
BENCHMARK(BM_DepthwiseConv2D)
    ->ArgNames({"size", "channels", "kernel", "stride"})
    ->Args({112, 32, 3, 1})
    ->Args({112, 96, 3, 2})
    ->Args({56, 144, 3, 1})
    ->Args({28, 192, 3, 1})
    ->Args({14, 384, 3, 1})
    ->Args({14, 576, 3, 2})
    ->Args({7, 960, 3, 1})
    ->Args({28, 240, 5, 1})
    ->Args({14, 672, 5, 2})
    // BlazeFace
    ->Args({56, 24, 3, 1})
    ->Args({128, 24, 3, 1});

void BM_FullyConnected(benchmark::State& state) {
  const FullyConnectedShape shape = {state.range(0), state.range(1), state.range(2)};
  const Values in(Random(shape.rows * shape.depth)), filter(Random(shape.depth * shape.cols));
  Values result(shape.rows * shape.cols);
  const Scratch packed(PackedFloats(shape.depth, shape.cols) * 4);
  PackFullyConnected(shape, filter.data(), packed.floats(), {});
  for (auto _ : state) {
    FullyConnected(shape, in.data(), {packed.floats()}, nullptr, -kInfinity, kInfinity,
                   result.data(), {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, shape.rows * shape.depth * shape.cols);
}
BENCHMARK(BM_FullyConnected)
    ->ArgNames({"rows", "depth", "cols"})
    ->Args({1, 1280, 1000})
    ->Args({2, 1280, 1000})
    ->Args({8, 768, 768})
    ->Args({128, 768, 3072})
    ->Args({512, 512, 512});

// The same where a plan allows to multiply in halves.
void BM_FullyConnectedInHalves(benchmark::State& state) {
  const FullyConnectedShape shape = {state.range(0), state.range(1), state.range(2)};
  if (!MultipliesInHalves(schema::Encoding::Panels16Float16, shape.depth, shape.cols))
    return state.SkipWithError("computed in f32 on this CPU");
  const Values in(Random(shape.rows * shape.depth));
  Values result(shape.rows * shape.cols);
  const std::vector<uint16_t> halves(static_cast<size_t>(PackedFloats(shape.depth, shape.cols)),
                                     FloatToHalf(0.01f));
  const EncodedFilter filter =
      MakeEncodedFilter({.data = reinterpret_cast<const std::byte*>(halves.data()),
                         .encoding = schema::Encoding::Panels16Float16},
                        /*in_halves=*/true);
  for (auto _ : state) {
    FullyConnected(shape, in.data(), {nullptr, true, &filter}, nullptr, -kInfinity, kInfinity,
                   result.data(), {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, shape.rows * shape.depth * shape.cols);
}
BENCHMARK(BM_FullyConnectedInHalves)
    ->ArgNames({"rows", "depth", "cols"})
    ->Args({49, 2048, 512})
    ->Args({128, 768, 3072})
    ->Args({196, 1024, 256})
    ->Args({512, 512, 512})
    ->Args({3136, 64, 64});

// What loading a plan does with each filter.
void BM_PackFullyConnected(benchmark::State& state) {
  const FullyConnectedShape shape = {1, state.range(0), state.range(1)};
  const Values filter(Random(shape.depth * shape.cols));
  const Scratch packed(PackedFloats(shape.depth, shape.cols) * 4);
  for (auto _ : state) {
    PackFullyConnected(shape, filter.data(), packed.floats(), {});
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * shape.depth * shape.cols * 4);
}
BENCHMARK(BM_PackFullyConnected)
    ->ArgNames({"depth", "cols"})
    ->Args({384, 1536})
    ->Args({1024, 2048});

void BM_BatchMatMul(benchmark::State& state) {
  BatchMatMulShape shape = {state.range(1), state.range(3),      state.range(2),
                            false,          state.range(4) != 0, {state.range(0)}};
  shape.a_stride[0] = shape.b_stride[0] = 1;
  shape.b_matrices = state.range(0);
  const Values a(Random(state.range(0) * shape.rows * shape.depth));
  const Values b(Random(state.range(0) * shape.cols * shape.depth));
  Values result(state.range(0) * shape.rows * shape.cols);
  const Scratch scratch(BatchMatMulScratchBytes(shape, OperandB::kPackedInRun, 1));
  for (auto _ : state) {
    BatchMatMul(shape, a.data(), b.data(), OperandB::kPackedInRun, result.data(), scratch.data(),
                {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, state.range(0) * shape.rows * shape.cols * shape.depth);
}
BENCHMARK(BM_BatchMatMul)
    ->ArgNames({"batch", "rows", "depth", "cols", "transpose_b"})
    ->Args({12, 128, 64, 128, 1})
    ->Args({12, 128, 128, 64, 0})
    ->Args({12, 1, 64, 128, 1})
    ->Args({12, 1, 128, 64, 0});

void BM_TransposeConv2D(benchmark::State& state) {
  const int64_t size = state.range(0), in_c = state.range(1), out_c = state.range(2);
  const int64_t kernel = state.range(3), stride = state.range(4), out = size * stride;
  const int64_t pad = (kernel - stride) / 2;
  const TransposeConv2DShape shape = {1,     size,   size,   in_c, kernel, kernel, out, out,
                                      out_c, stride, stride, 1,    1,      pad,    pad};
  const Values in(Random(size * size * in_c)), filter(Random(out_c * shape.taps() * in_c));
  Values result(out * out * out_c);
  const Scratch packed(PackedTransposeConv2DFloats(shape) * 4);
  const Scratch scratch(TransposeConv2DScratchBytes(shape, 1));
  PackTransposeConv2D(shape, filter.data(), packed.floats());
  for (auto _ : state) {
    TransposeConv2D(shape, in.data(), {packed.floats()}, nullptr, 0, 6, result.data(),
                    scratch.data(), {});
    benchmark::ClobberMemory();
  }
  CountMacs(state, size * size * in_c * shape.taps() * out_c);
}
BENCHMARK(BM_TransposeConv2D)
    ->ArgNames({"size", "in", "out", "kernel", "stride"})
    ->Args({28, 64, 32, 4, 2})
    ->Args({28, 64, 32, 2, 2});

// Extent, channels, window, stride, 0 = maximum 1 = average; no padding.
void BM_Pool2D(benchmark::State& state) {
  const int64_t size = state.range(0), channels = state.range(1), window = state.range(2);
  const int64_t stride = state.range(3), out = (size - window) / stride + 1;
  const Pool2DShape shape = {1,      size,   size,   channels, out, out,
                             window, window, stride, stride,   0,   0};
  const Values in(Random(size * size * channels));
  Values result(out * out * channels);
  for (auto _ : state) {
    if (state.range(4) == 0) {
      MaxPool2D<float>(shape, in.data(), -kInfinity, kInfinity, result.data(), {});
    } else {
      AveragePool2D(shape, in.data(), -kInfinity, kInfinity, result.data(), {});
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(in.size() * sizeof(float)));
}
BENCHMARK(BM_Pool2D)
    ->ArgNames({"size", "channels", "window", "stride", "average"})
    ->Args({112, 64, 3, 2, 0})
    // CenterNet
    ->Args({128, 80, 3, 1, 0})
    ->Args({7, 1280, 7, 1, 1});

}  // namespace
}  // namespace linnet::kernels

BENCHMARK_MAIN();
