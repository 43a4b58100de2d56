// SPDX-License-Identifier: Apache-2.0
// Included once per instruction set, by isa.h: declares the loops of LINNET_ISA, and their table.

namespace linnet::LINNET_ISA {

void Gemm(const kernels::GemmBlock& g);
#if defined(__aarch64__)
void GemmInOrder(const kernels::GemmBlock& g);  // what Gemm is where CoresIssueInOrder()
#endif
void ProductInHalves(const kernels::GemmBlock& g);  // kProductInHalves, of one set
void HalfProduct(const kernels::GemmBlock& g);
void AffineProduct(const kernels::GemmBlock& g);
void PointToRows(const float* first, int64_t step, int64_t count, const float** rows);
void DepthwiseOutputRow(const kernels::DepthwiseRow& r);
void Interpolate(const float* low, const float* high, float weight, int64_t count, float* out);
void MaxOfWindows(const kernels::PoolWindows<float>& w);
void MeanOfWindows(const kernels::PoolWindows<float>& w);
void WinogradInTile(const kernels::WinogradIn& w);
void WinogradOutTile(const kernels::WinogradOut& w);
void WinogradFilterWindows(const kernels::WinogradFilter& w);
#define LINNET_UNARY(name) \
  void Unary##name(const float* in, int64_t count, float alpha, float* out);
LINNET_UNARY_F32(LINNET_UNARY)
#undef LINNET_UNARY
#define LINNET_BINARY(name)                                                              \
  void Binary##name(const float* a, const float* b, int64_t count, float min, float max, \
                    float* out);
LINNET_BINARY_F32_VECTOR(LINNET_BINARY)
#undef LINNET_BINARY
void Clamp(const float* in, int64_t count, float low, float high, float* out);
void Prelu(const float* x, const float* alpha, int64_t rows, int64_t channels, float* out);
void SoftmaxRows(const float* in, int64_t rows, int64_t cols, bool log, float* out);

#define LINNET_UNARY(name) .name = Unary##name,
#define LINNET_BINARY(name) .name = Binary##name,
inline constexpr kernels::IsaKernels kKernels = {
    .gemm = Gemm,
#if LINNET_ISA_DECODES
    .half_product = HalfProduct,
    .affine_product = AffineProduct,
#else
    .half_product = nullptr,
    .affine_product = nullptr,
#endif
    .point_to_rows = PointToRows,
    .depthwise_row = DepthwiseOutputRow,
    .interpolate = Interpolate,
    .max_of_windows = MaxOfWindows,
    .mean_of_windows = MeanOfWindows,
    .winograd_in = WinogradInTile,
    .winograd_out = WinogradOutTile,
    .winograd_filter = WinogradFilterWindows,
    .unary = {LINNET_UNARY_F32(LINNET_UNARY)},
    .binary = {LINNET_BINARY_F32_VECTOR(LINNET_BINARY)},
    .clamp = Clamp,
    .prelu = Prelu,
    .softmax_rows = SoftmaxRows,
};
#undef LINNET_UNARY
#undef LINNET_BINARY

}  // namespace linnet::LINNET_ISA
