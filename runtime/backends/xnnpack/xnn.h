// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <variant>

// XNNPACK's operators as Linnet uses them, with one interface for both package generations:
// xnn_2022.cc and xnn_2024.cc implement it, and the build compiles one of them (FindXNNPACK.cmake
// tells which). All data is f32 and dense unless a field says otherwise; images are NHWC.
//
// A struct describes one operator with its attributes and extents; `Params` is any of them. An
// operator is called in this order: Create, Reshape, Setup, then Run any number of times. Create,
// Reshape and Setup must get the same parameters, because the generations read them at different
// stages.
namespace linnet::xnnpack::xnn {

// ---- The operators

struct Range {
  float min, max;  // min < max; infinite where there is no bound
};

struct Image {
  size_t batch, height, width, channels;
};

struct Window {
  uint32_t height, width;
  uint32_t stride_h = 1, stride_w = 1;
  uint32_t dilation_h = 1, dilation_w = 1;
  uint32_t pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
};

struct Convolution {
  Window window;
  Image input;
  uint32_t groups;
  size_t group_input_channels, group_output_channels;
  size_t output_pixel_stride;  // in floats; larger than the number of output channels when the
                               // operator writes only some of the channels
  bool depthwise;              // filter layout [H, W, groups * O] instead of [groups * O, H, W, I]
  // Only Create reads filter and bias (null: no bias), and not even Create does when the weights
  // cache already holds the packed form.
  const float* filter;
  const float* bias;
  Range range;
};

struct Deconvolution {
  Window window;
  Image input;
  uint32_t adjustment_h, adjustment_w;  // extra rows and columns of output; less than the stride
  size_t output_channels, output_pixel_stride;
  const float* filter;  // [O, H, W, I]
  const float* bias;
  Range range;
};

struct FullyConnected {
  size_t batch, input_channels, output_channels, output_pixel_stride;
  const float* filter;  // [O, I]
  const float* bias;
  Range range;
};

struct Pool {
  bool average;
  Window window;
  Image input;
  Range range;
};

enum class UnaryKind {
  kNone,  // XNNPACK has no such operator; Create returns xnn_status_unsupported_parameter
  kClamp,
  kAbs,
  kNegate,
  kSquare,
  kFloor,
  kCeiling,
  kRoundToEven,
  kSigmoid,
  kHardSwish,
  kElu,
  kLeakyRelu,
  // Only in 2024:
  kExp,
  kTanh,
  kGelu,
};
struct Unary {
  UnaryKind kind;
  size_t elements;
  float alpha = 1.0f;  // Elu, LeakyRelu
  Range range = {};    // Clamp
};

struct Dims {
  size_t rank;
  size_t extents[XNN_MAX_TENSOR_DIMS];
};

enum class BinaryKind {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kMaximum,
  kMinimum,
  kSquaredDifference,
  kPrelu,  // only in 2024
};
struct Binary {
  BinaryKind kind;
  Dims a, b;
  size_t output_elements;
  bool bounded;  // false: `range` is ignored
  Range range;
};

// Only in 2022; 2024 has BinaryKind::kPrelu.
struct ChannelPrelu {
  size_t rows, channels;
  const float* slope;  // [channels]
};

struct Softmax {
  size_t rows, channels;
};

struct ResizeBilinear {
  Image input;
  size_t pixel_stride;  // of input and output, in floats
  size_t output_height, output_width;
  uint32_t flags;  // 0: half-pixel centres; XNN_FLAG_TENSORFLOW_LEGACY_MODE; XNN_FLAG_ALIGN_CORNERS
};

struct ConstantPad {
  Dims input;
  size_t before[XNN_MAX_TENSOR_DIMS], after[XNN_MAX_TENSOR_DIMS];
  float value;
};

struct DepthToSpace {
  Image input;
  uint32_t block;
};

// Only in 2024.
struct SpaceToDepth {
  Image input;
  uint32_t block;
};

// Reduces the middle dimension of an input seen as [batch, reduced, channels].
struct Reduce {
  bool mean;  // false: the sum, only in 2024
  size_t batch, reduced, channels;
};

// Only in 2024.
struct Transpose {
  Dims input;
  size_t perm[XNN_MAX_TENSOR_DIMS];
};

// Only in 2024. a [..., m, k] times b [..., k, n], or b [..., n, k] with transpose_b.
struct BatchMatMul {
  Dims batch_a, batch_b;  // of equal rank: the shorter one has ones in front
  size_t m, k, n;
  bool transpose_b;
};

using Params = std::variant<Convolution, Deconvolution, FullyConnected, Pool, Unary, Binary,
                            ChannelPrelu, Softmax, ResizeBilinear, ConstantPad, DepthToSpace,
                            SpaceToDepth, Reduce, Transpose, BatchMatMul>;

// ---- The calls

// An operator and, where XNNPACK cannot fuse an output range, a clamp that runs over the output
// afterwards.
struct Operator {
  xnn_operator_t op = nullptr;
  xnn_operator_t clamp = nullptr;
};

// Where the packed weights of an operator are kept; null: in the operator.
#ifdef LINNET_XNNPACK_2024
using WeightsCache = xnn_weights_cache_t;
#else
using WeightsCache = void*;
#endif

struct Addresses {
  const float* input = nullptr;
  const float* input2 = nullptr;  // Binary, BatchMatMul
  float* output = nullptr;
  void* workspace = nullptr;  // of the size that Reshape returned
};

// Makes the operator and packs constant weights. xnn_status_unsupported_parameter for an operator
// that this generation does not have. After a failure, `op` may hold a part that Delete has to
// free.
xnn_status Create(const Params& params, WeightsCache cache, Operator* op);
// Fixes the extents and allocates everything that the operator needs to run, except the workspace,
// whose size it returns.
xnn_status Reshape(const Params& params, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
// Fixes the addresses; allocates nothing.
xnn_status Setup(const Params& params, const Operator& op, const Addresses& at, pthreadpool_t pool);
xnn_status Run(const Operator& op, pthreadpool_t pool);
void Delete(Operator* op);

}  // namespace linnet::xnnpack::xnn
