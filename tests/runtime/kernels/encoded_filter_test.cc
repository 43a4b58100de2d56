// SPDX-License-Identifier: Apache-2.0
// Products that decode weights in registers give the bits of the same products with decoded
// weights, in every instruction set that this machine can run.
#include "runtime/kernels/encoded_filter.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "runtime/core/denormals.h"
#include "runtime/core/encoding.h"
#include "runtime/core/half.h"
#include "runtime/kernels/fully_connected.h"
#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

using schema::Encoding;

struct Sizes {
  int64_t rows, cols, taps, depth;
};

// Bytes at the end of a page, behind which no memory is.
class GuardedBytes {
 public:
  explicit GuardedBytes(const std::vector<std::byte>& bytes) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    mapped_ = (bytes.size() + page - 1) / page * page + page;
    memory_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    auto* end = static_cast<std::byte*>(memory_) + mapped_ - page;
    mprotect(end, page, PROT_NONE);
    data_ = end - bytes.size();
    if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
  }
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;
  ~GuardedBytes() { munmap(memory_, mapped_); }
  const std::byte* data() const { return data_; }

 private:
  void* memory_;
  size_t mapped_;
  std::byte* data_;
};

// Any bits for bytes. For halves those of small numbers: large ones would hide what is added later.
std::vector<std::byte> RandomPanels(Encoding encoding, int64_t elements, uint32_t seed) {
  std::minstd_rand generator(seed);
  std::vector<std::byte> bytes;
  for (int64_t i = 0; i < elements; ++i) {
    const auto any = static_cast<uint16_t>(generator() >> 8);
    bytes.push_back(static_cast<std::byte>(any & 0xff));
    if (encoding == Encoding::Panels16Float16)
      bytes.push_back(static_cast<std::byte>(any >> 8 & 0xbb));
  }
  return bytes;
}

// A product by an encoded filter, and by the same filter decoded.
class Product {
 public:
  Product(const Sizes& sizes, const EncodedPanels& panels)
      : s_(sizes),
        a_(Random(s_.taps * s_.rows * s_.depth, 1)),
        bias_(Random(s_.cols, 2)),
        decoded_(PackedFloats(s_.taps * s_.depth, s_.cols)),
        filter_(MakeEncodedFilter(panels, /*in_halves=*/false)) {
    DecodeElements(panels.encoding, {panels.scale, panels.minimum}, panels.data,
                   static_cast<int64_t>(decoded_.size()), decoded_.data());
    for (int64_t i = 0; i < s_.taps * s_.rows; ++i) a_rows_.push_back(a_.data() + i * s_.depth);
  }

  EncodedFilter& filter() { return filter_; }
  float* a() { return a_.data(); }
  bool has_bias = true;
  float min = -std::numeric_limits<float>::infinity();
  float max = std::numeric_limits<float>::infinity();

  std::vector<float> OfDecoded(const IsaKernels& set) const {
    GemmBlock block;
    block.panels = decoded_.data();
    return Run(set.gemm, block);
  }
  std::vector<float> OfEncoded(const IsaKernels& set) const {
    GemmBlock block;
    block.encoded = &filter_;
    return Run(filter_.is_affine ? set.affine_product : set.half_product, block);
  }

 private:
  std::vector<float> Run(void (*product)(const GemmBlock&), GemmBlock block) const {
    std::vector<float> out(static_cast<size_t>(s_.rows * (s_.cols + 1)), 7.0f);
    std::vector<float*> rows;
    for (int64_t m = 0; m < s_.rows; ++m) rows.push_back(out.data() + m * (s_.cols + 1));
    block.rows = s_.rows;
    block.cols = s_.cols;
    block.taps = s_.taps;
    block.depth = s_.depth;
    block.a = a_rows_.data();
    block.bias = has_bias ? bias_.data() : nullptr;
    block.out = rows.data();
    block.min = min;
    block.max = max;
    product(block);
    return out;
  }

  Sizes s_;
  std::vector<float> a_, bias_, decoded_;
  EncodedFilter filter_;
  std::vector<const float*> a_rows_;
};

// A NaN is equal to any NaN.
void ExpectSame(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] != got[i] && want[i] != want[i]) continue;
    ASSERT_EQ(std::bit_cast<uint32_t>(got[i]), std::bit_cast<uint32_t>(want[i]))
        << "element " << i << ": " << got[i] << ", want " << want[i];
  }
}

class EncodedFilters : public testing::Test {
 protected:
  // Sets with such loops.
  static std::vector<IsaSet> Sets() {
    std::vector<IsaSet> sets;
    for (const IsaSet& set : UsableSets())
      if (set.kernels->half_product != nullptr) sets.push_back(set);
    return sets;
  }
  void SetUp() override {
    if (Sets().empty()) GTEST_SKIP() << "no instructions that decode";
  }
  static void ExpectSameInAllSets(const Product& product) {
    for (const IsaSet& set : Sets()) {
      SCOPED_TRACE(set.name);
      ExpectSame(product.OfEncoded(*set.kernels), product.OfDecoded(*set.kernels));
    }
  }
};

constexpr EncodedPanels kHalves = {nullptr, Encoding::Panels16Float16, 0, 0};
constexpr EncodedPanels kBytes = {nullptr, Encoding::Panels16AffineU8, 0.0123456789, -1.6049382570};

TEST_F(EncodedFilters, GiveTheBitsOfDecodedOnes) {
  for (EncodedPanels panels : {kHalves, kBytes}) {
    for (int64_t rows = 1; rows <= kMostEncodedRows + 1; ++rows) {
      for (const int64_t cols : {1, 7, 8, 9, 15, 16, 17, 24, 25, 32, 40, 48, 57, 63, 64, 71, 144}) {
        for (const int64_t depth : {0, 1, 2, 3, 5, 37}) {
          const Sizes sizes = {rows, cols, depth % 2 == 0 ? 1 : 3, depth};
          SCOPED_TRACE(testing::Message() << rows << " x " << cols << ", depth " << depth);
          const GuardedBytes bytes(
              RandomPanels(panels.encoding, PackedFloats(sizes.taps * depth, cols), 5));
          panels.data = bytes.data();
          Product product(sizes, panels);
          product.has_bias = cols % 2 == 0;
          if (depth % 3 == 0) product.min = -0.5f, product.max = 0.75f;
          ExpectSameInAllSets(product);
          if (!product.filter().has_floats) continue;
          product.filter().has_floats = false;
          ExpectSameInAllSets(product);
        }
      }
    }
  }
}

// One at a time, in each lane: an infinity would hide the others in a sum.
TEST_F(EncodedFilters, AnyHalf) {
  std::vector<uint16_t> halves(64 * 1024);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
  EncodedPanels panels = kHalves;
  panels.data = reinterpret_cast<const std::byte*>(halves.data());
  // Each row of the panels for itself: a product of depth 1 with as many columns.
  Product product({1, 64 * 1024, 1, 1}, panels);
  product.has_bias = false;
  for (const float factor : {1.0f, -3.0f, 0.0f}) {
    product.a()[0] = factor;
    ExpectSameInAllSets(product);
    const FlushDenormals flush;
    ExpectSameInAllSets(product);
  }
}

TEST_F(EncodedFilters, AnyFactor) {
  const GuardedBytes bytes(RandomPanels(Encoding::Panels16AffineU8, 6 * 64, 3));
  EncodedPanels panels = kBytes;
  panels.data = bytes.data();
  for (const float factor : {INFINITY, -INFINITY, NAN, 1e-40f, 3e38f, -0.0f}) {
    Product product({2, 64, 1, 6}, panels);
    product.a()[3] = factor;
    ExpectSameInAllSets(product);
    product.filter().has_floats = false;
    ExpectSameInAllSets(product);
  }
}

// Scales and minima as converters make them, and others.
TEST_F(EncodedFilters, AnyAffine) {
  std::vector<uint8_t> all(256);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint8_t>(i);
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<EncodedPanels> cases;
  for (const double scale : {0.0, -0.25, 1e-3, 1e-45, 1e-310, 1e-22, 1e38, 1e300, inf, double{NAN}})
    for (const double minimum : {0.0, -1e-40, -0.1, 5.0, 1e38, -inf})
      cases.push_back({nullptr, Encoding::Panels16AffineU8, scale, minimum});
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(1e-3, 2.0);
  for (int i = 0; i < 1000; ++i) {
    const double high = uniform(generator), low = -uniform(generator), scale = (high - low) / 255;
    cases.push_back({nullptr, Encoding::Panels16AffineU8, scale, std::round(low / scale) * scale});
  }
  int with_floats = 0;
  for (EncodedPanels panels : cases) {
    SCOPED_TRACE(testing::Message() << panels.scale << " * q + " << panels.minimum);
    panels.data = reinterpret_cast<const std::byte*>(all.data());
    Product product({1, 256, 1, 1}, panels);
    product.has_bias = false;
    product.a()[0] = 1;
    with_floats += product.filter().has_floats ? 1 : 0;
    {
      const FlushDenormals flush;  // as in a session
      ExpectSameInAllSets(product);
    }
    ExpectSameInAllSets(product);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(with_floats, 1000);
}

TEST_F(EncodedFilters, AnyNumberOfThreadsAndRuns) {
  const FullyConnectedShape shape = {3, 1999, 700};
  for (EncodedPanels panels : {kHalves, kBytes}) {
    const auto elements = PackedFloats(shape.depth, shape.cols);
    const auto bytes = RandomPanels(panels.encoding, elements, 9);
    panels.data = bytes.data();
    if (!ReadsEncoded(panels.encoding)) GTEST_SKIP() << "not in this set";
    const auto in = Random(shape.rows * shape.depth, 1), bias = Random(shape.cols, 2);
    std::vector<float> decoded(elements), want(shape.rows * shape.cols);
    DecodeElements(panels.encoding, {panels.scale, panels.minimum}, bytes.data(), elements,
                   decoded.data());
    FullyConnected(shape, in.data(), {decoded.data()}, bias.data(), -1e9f, 1e9f, want.data(), {});
    const EncodedFilter filter = MakeEncodedFilter(panels, /*in_halves=*/false);
    for (const int threads : {1, 2, 3, 16}) {
      Parallel parallel;
      parallel.threads = threads;  // all of them are this one
      std::vector<float> got(want.size());
      FullyConnected(shape, in.data(), {nullptr, true, &filter}, bias.data(), -1e9f, 1e9f,
                     got.data(), parallel);
      ExpectSame(got, want);
    }
  }
}

}  // namespace
}  // namespace linnet::kernels
