// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <xnnpack.h>

#include <cstddef>
#include <cstdint>

// XNNPACK's operators as Linnet uses them, the same for every package generation: xnn_2022.cc and
// xnn_2024.cc implement this header and the build compiles one of them. All data is f32, dense.
//
// Every operator goes through Create (packs constants), Reshape (fixes extents, allocates what
// lives with the operator), Setup (fixes addresses, allocates nothing) and Run. The parameters
// given to Create must be given again to the other calls: generations read them at different
// moments.
namespace linnet::xnnpack::xnn {

// An operator and, where XNNPACK cannot fuse an output range, a clamp that runs over the output
// afterwards.
struct Operator {
  xnn_operator_t op = nullptr;
  xnn_operator_t clamp = nullptr;
};

xnn_status Run(const Operator& op, pthreadpool_t pool);
void Delete(Operator* op);

// Where packed weights of an operator go; null: into the operator.
#ifdef LINNET_XNNPACK_2024
using WeightsCache = xnn_weights_cache_t;
#else
using WeightsCache = void*;
#endif

struct Range {
  float min, max;  // min < max; infinite where there is no bound
};

struct Addresses {
  const float* input = nullptr;
  const float* input2 = nullptr;  // Binary, BatchMatMul
  float* output = nullptr;
  void* workspace = nullptr;  // as many bytes as Reshape said
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
  size_t output_pixel_stride;  // floats; more than the channels where others write the rest
  bool depthwise;              // filter HWGo instead of GoHWI
  const float* filter;  // read by Create only, as is the bias; any address when the weights cache
  const float* bias;    // holds the packed form
  Range range;
};
xnn_status Create(const Convolution& conv, WeightsCache cache, Operator* op);
xnn_status Reshape(const Convolution& conv, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Convolution& conv, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct Deconvolution {
  Window window;
  Image input;
  uint32_t adjustment_h, adjustment_w;  // extra rows and columns of output, < stride
  size_t output_channels, output_pixel_stride;
  const float* filter;  // OHWI
  const float* bias;
  Range range;
};
xnn_status Create(const Deconvolution& conv, WeightsCache cache, Operator* op);
xnn_status Reshape(const Deconvolution& conv, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Deconvolution& conv, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct FullyConnected {
  size_t batch, input_channels, output_channels, output_pixel_stride;
  const float* filter;  // OI
  const float* bias;
  Range range;
};
xnn_status Create(const FullyConnected& fc, WeightsCache cache, Operator* op);
xnn_status Reshape(const FullyConnected& fc, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const FullyConnected& fc, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct Pool {
  bool average;
  Window window;
  Image input;
  Range range;
};
xnn_status Create(const Pool& pooling, WeightsCache cache, Operator* op);
xnn_status Reshape(const Pool& pooling, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Pool& pooling, const Operator& op, const Addresses& at, pthreadpool_t pool);

enum class UnaryKind {
  kNone,  // XNNPACK has no such operator: Create answers xnn_status_unsupported_parameter
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
  // 2024 only:
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
xnn_status Create(const Unary& unary, WeightsCache cache, Operator* op);
xnn_status Reshape(const Unary& unary, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Unary& unary, const Operator& op, const Addresses& at, pthreadpool_t pool);

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
  kPrelu,  // 2024 only
};
struct Binary {
  BinaryKind kind;
  Dims a, b;
  size_t output_elements;
  bool bounded;  // range means something
  Range range;
};
xnn_status Create(const Binary& binary, WeightsCache cache, Operator* op);
xnn_status Reshape(const Binary& binary, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Binary& binary, const Operator& op, const Addresses& at, pthreadpool_t pool);

// 2022 only; the other generation has BinaryKind::kPrelu.
struct ChannelPrelu {
  size_t rows, channels;
  const float* slope;  // [channels]
};
xnn_status Create(const ChannelPrelu& prelu, WeightsCache cache, Operator* op);
xnn_status Reshape(const ChannelPrelu& prelu, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const ChannelPrelu& prelu, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct Softmax {
  size_t rows, channels;
};
xnn_status Create(const Softmax& softmax, WeightsCache cache, Operator* op);
xnn_status Reshape(const Softmax& softmax, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Softmax& softmax, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct ResizeBilinear {
  Image input;
  size_t pixel_stride;  // of input and output
  size_t output_height, output_width;
  uint32_t flags;  // 0: half-pixel centres; XNN_FLAG_TENSORFLOW_LEGACY_MODE; XNN_FLAG_ALIGN_CORNERS
};
xnn_status Create(const ResizeBilinear& resize, WeightsCache cache, Operator* op);
xnn_status Reshape(const ResizeBilinear& resize, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const ResizeBilinear& resize, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct ConstantPad {
  Dims input;
  size_t before[XNN_MAX_TENSOR_DIMS], after[XNN_MAX_TENSOR_DIMS];
  float value;
};
xnn_status Create(const ConstantPad& pad, WeightsCache cache, Operator* op);
xnn_status Reshape(const ConstantPad& pad, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const ConstantPad& pad, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

struct DepthToSpace {
  Image input;
  uint32_t block;
};
xnn_status Create(const DepthToSpace& d2s, WeightsCache cache, Operator* op);
xnn_status Reshape(const DepthToSpace& d2s, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const DepthToSpace& d2s, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

// 2024 only.
struct SpaceToDepth {
  Image input;
  uint32_t block;
};
xnn_status Create(const SpaceToDepth& s2d, WeightsCache cache, Operator* op);
xnn_status Reshape(const SpaceToDepth& s2d, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const SpaceToDepth& s2d, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

// Over `reduced` of input seen as [batch, reduced, channels]; `mean` false means sum, 2024 only.
struct Reduce {
  bool mean;
  size_t batch, reduced, channels;
};
xnn_status Create(const Reduce& reduce, WeightsCache cache, Operator* op);
xnn_status Reshape(const Reduce& reduce, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Reduce& reduce, const Operator& op, const Addresses& at, pthreadpool_t pool);

// 2024 only.
struct Transpose {
  Dims input;
  size_t perm[XNN_MAX_TENSOR_DIMS];
};
xnn_status Create(const Transpose& transpose, WeightsCache cache, Operator* op);
xnn_status Reshape(const Transpose& transpose, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const Transpose& transpose, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

// 2024 only. a [.., m, k] x b [.., k, n], or b [.., n, k] with transpose_b.
struct BatchMatMul {
  Dims batch_a, batch_b;  // the same rank, padded with ones in front
  size_t m, k, n;
  bool transpose_b;
};
xnn_status Create(const BatchMatMul& matmul, WeightsCache cache, Operator* op);
xnn_status Reshape(const BatchMatMul& matmul, const Operator& op, pthreadpool_t pool,
                   size_t* workspace_bytes);
xnn_status Setup(const BatchMatMul& matmul, const Operator& op, const Addresses& at,
                 pthreadpool_t pool);

}  // namespace linnet::xnnpack::xnn
