// SPDX-License-Identifier: Apache-2.0
// The inner loops for AVX-512 give the bits of those for AVX2, so that results do not change from
// CPU to CPU. Skipped where there are not both.
#if defined(__x86_64__)
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <random>
#include <vector>

#include "runtime/core/winograd.h"
#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

// The table of a set, or null where this machine cannot run it.
const IsaKernels* Table(InstructionSet wanted) {
  for (size_t i = 0; i <= ChosenLoops(); ++i)
    if (kLoopSets[i] == wanted) return kIsaTables[i];
  return nullptr;
}

class IsaBits : public testing::Test {
 protected:
  void SetUp() override {
    if (avx2 == nullptr || avx512 == nullptr) GTEST_SKIP() << "not both AVX2 and AVX-512";
  }

  // A NaN is equal to any NaN: which operand's bits it has depends on the order of operands.
  static void ExpectSame(const std::vector<float>& got, const std::vector<float>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (size_t i = 0; i < got.size(); ++i) {
      if (got[i] != got[i] && want[i] != want[i]) continue;
      ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(want[i]))
          << "element " << i << ": " << got[i] << ", want " << want[i];
    }
  }

  const IsaKernels* avx2 = Table(InstructionSet::kAvx2);
  const IsaKernels* avx512 = Table(InstructionSet::kAvx512);
};

// Floats with any bits, the special ones among them.
std::vector<float> AnyFloats(int64_t count, uint32_t seed) {
  constexpr float kSpecial[] = {0.0f, -0.0f, 1.0f, -88.5f, INFINITY, -INFINITY, NAN, 1e-40f};
  std::minstd_rand generator(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    const uint32_t bits = generator() * 2654435761u;
    // A third in the usual range.
    switch (generator() % 12) {
      case 0:
        value = kSpecial[generator() % std::size(kSpecial)];
        break;
      case 1:
      case 2:
      case 3:
      case 4:
        value = static_cast<float>(static_cast<int32_t>(bits)) * 0x1p-28f;
        break;
      default:
        value = std::bit_cast<float>(bits);
    }
  }
  return values;
}

TEST_F(IsaBits, Gemm) {
  for (int64_t rows = 1; rows <= 30; ++rows) {
    for (int64_t cols = 1; cols <= 81; ++cols) {
      SCOPED_TRACE(testing::Message() << rows << " x " << cols);
      const GemmCase test({rows, cols, 2, 7}, (rows + cols) % 5 == 0);
      ExpectSame(test.Run(*avx512), test.Run(*avx2));
    }
  }
}

// Rows that are a multiple of a page apart go through other tiles, and so do blocks of 96 rows.
TEST_F(IsaBits, GemmOfManyRows) {
  for (const int64_t depth : {1, 65, 1024}) {
    for (const int64_t rows : {8, 9, 49, 96}) {
      for (const int64_t cols : {15, 24, 48, 70, 144}) {
        SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", " << depth << " deep");
        const GemmCase test({rows, cols, 1, depth}, false);
        ExpectSame(test.Run(*avx512), test.Run(*avx2));
      }
    }
  }
}

std::vector<float> TransformIn(const IsaKernels& set, int outputs, int64_t channels) {
  const int matrices = WinogradMatrices(outputs);
  const auto in = Random(matrices * channels);
  std::vector<const float*> pixels;
  for (int i = 0; i < matrices; ++i) pixels.push_back(in.data() + i * channels);
  std::vector<float> values(matrices * (channels + 3), 7.0f);
  set.winograd_in({outputs, channels, pixels.data(), values.data(), channels + 3});
  return values;
}

std::vector<float> TransformOut(const IsaKernels& set, int outputs, int64_t channels) {
  const int matrices = WinogradMatrices(outputs);
  const auto products = Random(matrices * (channels + 3)), bias = Random(channels, 2);
  std::vector<float> out(outputs * outputs * (channels + 1), 7.0f);
  set.winograd_out({.outputs = outputs,
                    .channels = channels,
                    .products = products.data(),
                    .matrix_step = channels + 3,
                    .bias = channels % 2 == 0 ? nullptr : bias.data(),
                    .out = out.data(),
                    .row_step = outputs * (channels + 1),
                    .pixel_step = channels + 1,
                    .rows = channels % 3 == 0 ? 1 : outputs,
                    .columns = channels % 5 == 0 ? 1 : outputs,
                    .min = -0.5f,
                    .max = 0.75f});
  return out;
}

TEST_F(IsaBits, Winograd) {
  for (const int outputs : {2, 4}) {
    for (int64_t channels = 1; channels <= 67; ++channels) {
      SCOPED_TRACE(testing::Message() << channels << " channels, " << outputs << " outputs");
      ExpectSame(TransformIn(*avx512, outputs, channels), TransformIn(*avx2, outputs, channels));
      ExpectSame(TransformOut(*avx512, outputs, channels), TransformOut(*avx2, outputs, channels));
    }
  }
}

// Of doubles one by one, which every set must give: a plan's filters are the same on each machine.
std::vector<float> TransformedOneByOne(const std::vector<float>& filter, int outputs,
                                       int64_t windows) {
  std::vector<float> values(WinogradMatrices(outputs) * windows);
  for (int64_t n = 0; n < windows; ++n) {
    double taps[kWinogradTaps];
    for (int t = 0; t < kWinogradTaps; ++t) taps[t] = filter[t * windows + n];
    TransformWinogradWindow(outputs, taps, [&](int matrix, const double& value) {
      values[matrix * windows + n] = static_cast<float>(value);
    });
  }
  return values;
}

class BitsOfEachSet : public IsaBits {
  void SetUp() override {}
};

TEST_F(BitsOfEachSet, WinogradFilters) {
  for (const int outputs : {2, 4}) {
    for (const int64_t windows : {8, 16, 40}) {
      const auto filter = Random(kWinogradTaps * windows, 3);
      const auto want = TransformedOneByOne(filter, outputs, windows);
      for (size_t i = 0; i <= ChosenLoops(); ++i) {
        std::vector<float> got(want.size(), 7.0f);
        kIsaTables[i]->winograd_filter({.outputs = outputs,
                                        .windows = windows,
                                        .taps = filter.data(),
                                        .tap_step = windows,
                                        .values = got.data(),
                                        .matrix_step = windows});
        ExpectSame(got, want);
      }
    }
  }
}

TEST_F(IsaBits, Unary) {
#define LINNET_MEMBER(name) {#name, &UnaryKernels::name},
  const struct {
    const char* name;
    void (*UnaryKernels::*kernel)(const float*, int64_t, float, float*);
  } kinds[] = {LINNET_UNARY_F32(LINNET_MEMBER)};
#undef LINNET_MEMBER
  for (const auto& kind : kinds) {
    for (int64_t count = 0; count <= 1000; count += count < 40 ? 1 : 97) {
      SCOPED_TRACE(testing::Message() << kind.name << " of " << count);
      const auto x = AnyFloats(count, 1 + static_cast<uint32_t>(count));
      std::vector<float> got(count + 1, 7.0f), want(count + 1, 7.0f);
      (avx512->unary.*kind.kernel)(x.data(), count, 0.25f, got.data());
      (avx2->unary.*kind.kernel)(x.data(), count, 0.25f, want.data());
      ExpectSame(got, want);
    }
  }
}

TEST_F(IsaBits, Binary) {
#define LINNET_MEMBER(name) {#name, &BinaryKernels::name},
  const struct {
    const char* name;
    void (*BinaryKernels::*kernel)(const float*, const float*, int64_t, float, float, float*);
  } kinds[] = {LINNET_BINARY_F32_VECTOR(LINNET_MEMBER)};
#undef LINNET_MEMBER
  for (const auto& kind : kinds) {
    for (int64_t count = 0; count <= 1000; count += count < 40 ? 1 : 97) {
      SCOPED_TRACE(testing::Message() << kind.name << " of " << count);
      const auto a = AnyFloats(count, 1), b = AnyFloats(count, 2);
      std::vector<float> got(count + 1, 7.0f), want(count + 1, 7.0f);
      (avx512->binary.*kind.kernel)(a.data(), b.data(), count, -1e9f, 1e9f, got.data());
      (avx2->binary.*kind.kernel)(a.data(), b.data(), count, -1e9f, 1e9f, want.data());
      ExpectSame(got, want);
    }
  }
}

TEST_F(IsaBits, ClampAndPrelu) {
  for (int64_t count = 0; count <= 40; ++count) {
    SCOPED_TRACE(count);
    const auto x = AnyFloats(count, 1), alpha = AnyFloats(count, 2);
    std::vector<float> got(count + 1, 7.0f), want(count + 1, 7.0f);
    avx512->clamp(x.data(), count, -3.0f, INFINITY, got.data());
    avx2->clamp(x.data(), count, -3.0f, INFINITY, want.data());
    ExpectSame(got, want);
    avx512->prelu(x.data(), alpha.data(), 1, count, got.data());
    avx2->prelu(x.data(), alpha.data(), 1, count, want.data());
    ExpectSame(got, want);
  }
}

// Sums too: each set adds the elements in the same order.
TEST_F(IsaBits, SoftmaxRow) {
  for (int64_t cols = 1; cols <= 1100; cols += cols < 70 ? 1 : 53) {
    SCOPED_TRACE(cols);
    for (const bool masked : {false, true}) {
      auto x = Random(cols, static_cast<uint32_t>(cols));
      for (float& value : x) value = masked && value < 0 ? -INFINITY : 20 * value;
      std::vector<float> got(cols + 1, 7.0f), want(cols + 1, 7.0f);
      avx512->softmax_rows(x.data(), 1, cols, /*log=*/false, got.data());
      avx2->softmax_rows(x.data(), 1, cols, /*log=*/false, want.data());
      ExpectSame(got, want);
      avx512->softmax_rows(x.data(), 1, cols, /*log=*/true, got.data());
      avx2->softmax_rows(x.data(), 1, cols, /*log=*/true, want.data());
      ExpectSame(got, want);
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
#endif  // x86
