// SPDX-License-Identifier: Apache-2.0
// Convolutions, products and poolings that are large enough to be split: any number of threads
// gives the bits of one thread. (The conformance cases are too small for most kernels to use a
// second thread.)
#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <new>
#include <thread>
#include <vector>

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

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

using Floats = std::vector<float>;

// A buffer of exactly `bytes` at a multiple of 64.
class Scratch {
 public:
  explicit Scratch(int64_t bytes) : data_(::operator new (bytes, std::align_val_t{64})) {}
  ~Scratch() { ::operator delete (data_, std::align_val_t{64}); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  void* data() const { return data_; }

 private:
  void* data_;
};

std::atomic<int64_t> most_tasks;

// One thread per task.
void RunThreads(void*, void (*task)(void* context, int64_t index), void* context, int64_t tasks) {
  most_tasks = std::max<int64_t>(most_tasks, tasks);
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < tasks; ++i) threads.emplace_back(task, context, i);
  for (std::thread& thread : threads) thread.join();
}

// `run(parallel)` returns the output.
template <typename Run>
void ExpectSameBits(const Run& run) {
  const Floats one = run(Parallel());
  for (int threads : {2, 3, 8}) {
    most_tasks = 0;
    EXPECT_EQ(run(Parallel{threads, nullptr, RunThreads}), one) << threads << " threads";
    EXPECT_GT(most_tasks, 1) << "the case is too small to say anything";
  }
}

void ExpectConv2D(const Conv2DShape& shape) {
  const Floats in = Random(shape.batch * shape.in_h * shape.in_w * shape.in_channels);
  const Floats filter = Random(shape.out_channels * shape.depth()),
               bias = Random(shape.out_channels);
  Floats packed(PackedConv2DFloats(shape));
  PackConv2D(shape, filter.data(), packed.data());
  for (const Filter& form : {Filter{packed.data()}, Filter{filter.data(), false}}) {
    ExpectSameBits([&](const Parallel& parallel) {
      const Scratch scratch(Conv2DScratchBytes(shape, parallel.threads));
      Floats out(shape.rows() * shape.out_channels);
      Conv2D(shape, in.data(), form, bias.data(), -1, kNoLimit, out.data(), scratch.data(),
             parallel);
      return out;
    });
  }
}

Conv2DShape Same3x3(int64_t size, int64_t in_channels, int64_t out_channels, int64_t groups) {
  return {.batch = 2,
          .in_h = size,
          .in_w = size,
          .in_channels = in_channels,
          .kernel_h = 3,
          .kernel_w = 3,
          .out_h = size,
          .out_w = size,
          .out_channels = out_channels,
          .stride_h = 1,
          .stride_w = 1,
          .dilation_h = 1,
          .dilation_w = 1,
          .pad_top = 1,
          .pad_left = 1,
          .groups = groups};
}

TEST(Split, Conv2DOfManyPixels) { ExpectConv2D(Same3x3(25, 16, 24, 1)); }
TEST(Split, Conv2DOfFewPixels) { ExpectConv2D(Same3x3(3, 64, 200, 1)); }
TEST(Split, Conv2DOfFewChannels) { ExpectConv2D(Same3x3(31, 3, 20, 1)); }
TEST(Split, Conv2DInGroups) { ExpectConv2D(Same3x3(9, 48, 60, 3)); }

void ExpectWinogradConv2D(const Conv2DShape& shape, int outputs) {
  const Floats in = Random(shape.batch * shape.in_h * shape.in_w * shape.in_channels);
  const Floats filter = Random(shape.out_channels * shape.depth());
  Floats packed(PackedWinogradFloats(shape, outputs));
  PackWinograd(shape, outputs, filter.data(), packed.data());
  ExpectSameBits([&](const Parallel& parallel) {
    const Scratch scratch(WinogradScratchBytes(shape, outputs, parallel.threads));
    Floats out(shape.rows() * shape.out_channels);
    WinogradConv2D(shape, outputs, in.data(), packed.data(), nullptr, -1, kNoLimit, out.data(),
                   scratch.data(), parallel);
    return out;
  });
}

TEST(Split, WinogradConv2DOfManyPixels) { ExpectWinogradConv2D(Same3x3(25, 16, 24, 1), 2); }
TEST(Split, WinogradConv2DOfFewPixels) { ExpectWinogradConv2D(Same3x3(3, 64, 200, 1), 4); }

TEST(Split, TransposeConv2D) {
  const TransposeConv2DShape shape = {.batch = 2,
                                      .in_h = 9,
                                      .in_w = 10,
                                      .in_channels = 40,
                                      .kernel_h = 4,
                                      .kernel_w = 4,
                                      .out_h = 18,
                                      .out_w = 20,
                                      .out_channels = 70,
                                      .stride_h = 2,
                                      .stride_w = 2,
                                      .dilation_h = 1,
                                      .dilation_w = 1,
                                      .pad_top = 1,
                                      .pad_left = 1};
  const Floats in = Random(2 * 9 * 10 * 40), filter = Random(70 * shape.taps() * 40);
  Floats packed(PackedTransposeConv2DFloats(shape));
  PackTransposeConv2D(shape, filter.data(), packed.data());
  for (const Filter& form : {Filter{packed.data()}, Filter{filter.data(), false}}) {
    ExpectSameBits([&](const Parallel& parallel) {
      const Scratch scratch(TransposeConv2DScratchBytes(shape, parallel.threads));
      Floats out(2 * 18 * 20 * 70);
      TransposeConv2D(shape, in.data(), form, nullptr, -kNoLimit, kNoLimit, out.data(),
                      scratch.data(), parallel);
      return out;
    });
  }
}

TEST(Split, DepthwiseConv2D) {
  for (int64_t multiplier : {1, 2}) {
    const DepthwiseConv2DShape shape = {.batch = 2,
                                        .in_h = 30,
                                        .in_w = 31,
                                        .channels = 37,
                                        .multiplier = multiplier,
                                        .kernel_h = 3,
                                        .kernel_w = 3,
                                        .out_h = 30,
                                        .out_w = 31,
                                        .stride_h = 1,
                                        .stride_w = 1,
                                        .dilation_h = 1,
                                        .dilation_w = 1,
                                        .pad_top = 1,
                                        .pad_left = 1};
    const Floats in = Random(2 * 30 * 31 * 37), filter = Random(9 * 37 * multiplier);
    ExpectSameBits([&](const Parallel& parallel) {
      Floats out(in.size() * multiplier);
      DepthwiseConv2D(shape, in.data(), filter.data(), nullptr, -kNoLimit, kNoLimit, out.data(),
                      parallel);
      return out;
    });
  }
}

TEST(Split, FullyConnected) {
  for (int64_t rows : {1, 2, 300}) {
    const FullyConnectedShape shape = {rows, 300, 700};
    const Floats in = Random(rows * 300), filter = Random(700 * 300);
    ExpectSameBits([&](const Parallel& parallel) {
      Floats packed(PackedFloats(300, 700)), out(rows * 700);
      PackFullyConnected(shape, filter.data(), packed.data(), parallel);
      FullyConnected(shape, in.data(), {packed.data()}, nullptr, -kNoLimit, kNoLimit, out.data(),
                     parallel);
      return out;
    });
    ExpectSameBits([&](const Parallel& parallel) {
      Floats out(rows * 700);
      FullyConnected(shape, in.data(), {filter.data(), false}, nullptr, -kNoLimit, kNoLimit,
                     out.data(), parallel);
      return out;
    });
  }
}

void ExpectBatchMatMul(BatchMatMulShape shape) {
  const int64_t matrices = shape.num_matrices();
  for (int i = 0; i < shape.batch.rank(); ++i) shape.a_stride[i] = shape.b_stride[i] = 1;
  shape.b_matrices = matrices;
  const Floats a = Random(matrices * shape.rows * shape.depth);
  const Floats b = Random(matrices * shape.depth * shape.cols);
  Floats packed(PackedBatchMatMulFloats(shape));
  PackBatchMatMul(shape, b.data(), packed.data());
  for (const OperandB form : {OperandB::kPacked, OperandB::kPackedInRun, OperandB::kPlain}) {
    const Floats& operand = form == OperandB::kPacked ? packed : b;
    ExpectSameBits([&](const Parallel& parallel) {
      const Scratch scratch(BatchMatMulScratchBytes(shape, form, parallel.threads));
      Floats out(matrices * shape.rows * shape.cols);
      BatchMatMul(shape, a.data(), operand.data(), form, out.data(), scratch.data(), parallel);
      return out;
    });
  }
}

TEST(Split, BatchMatMulOfManyMatrices) { ExpectBatchMatMul({20, 30, 40, false, true, {9}}); }
TEST(Split, BatchMatMulOfOneTallMatrix) { ExpectBatchMatMul({1000, 50, 40, false, false, {1}}); }
TEST(Split, BatchMatMulOfOneWideMatrix) { ExpectBatchMatMul({30, 500, 40, true, false, {1}}); }

TEST(Split, Pool2D) {
  for (int64_t window : {3, 20}) {  // 20: global, one row of output per picture
    const int64_t out_size = 20 - window + 1;
    const Pool2DShape shape = {.batch = 2,
                               .in_h = 20,
                               .in_w = 20,
                               .channels = 300,
                               .out_h = out_size,
                               .out_w = out_size,
                               .window_h = window,
                               .window_w = window,
                               .stride_h = 1,
                               .stride_w = 1,
                               .pad_top = 0,
                               .pad_left = 0};
    const Floats in = Random(2 * 20 * 20 * 300);
    for (const auto pool : {AveragePool2D, MaxPool2D<float>}) {
      ExpectSameBits([&](const Parallel& parallel) {
        Floats out(2 * out_size * out_size * 300);
        pool(shape, in.data(), -kNoLimit, kNoLimit, out.data(), parallel);
        return out;
      });
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
