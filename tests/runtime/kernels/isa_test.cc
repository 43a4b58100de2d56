// SPDX-License-Identifier: Apache-2.0
// Inner loops of every instruction set of this machine, compared with the definition. The
// conformance cases test only the set that the machine prefers. isa_bits_test.cc compares the sets.
#include "runtime/kernels/isa.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/runtime/kernels/loop_cases.h"

namespace linnet::kernels {
namespace {

void ExpectNear(const std::vector<float>& got, const std::vector<float>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], 2e-5f) << "element " << i;
}

TEST(Gemm, EqualsTheDefinition) {
  for (const IsaSet& set : UsableSets()) {
    for (int64_t rows : {1, 2, 3, 4, 5, 6, 7, 13}) {
      for (int64_t cols : {1, 4, 7, 8, 9, 16, 17, 24, 25, 64, 70, 131}) {
        for (bool panels_per_tap : {false, true}) {
          SCOPED_TRACE(testing::Message() << set.name << " " << rows << " x " << cols);
          const GemmCase test({rows, cols, 3, 5}, panels_per_tap);
          ExpectNear(test.Run(*set.kernels), test.Expected());
        }
      }
    }
  }
}

// Loops take several rows of a panel at a time, and prefer high tiles for few columns.
TEST(Gemm, EqualsTheDefinitionForAnyDepth) {
  for (const IsaSet& set : UsableSets()) {
    for (int64_t depth : {0, 1, 2, 3, 4, 6, 9}) {
      for (int64_t rows : {1, 5, 8, 11}) {
        for (int64_t cols : {8, 16, 64}) {
          SCOPED_TRACE(testing::Message()
                       << set.name << " " << rows << " x " << cols << ", depth " << depth);
          const GemmCase test({rows, cols, 2, depth}, depth % 3 == 0);
          ExpectNear(test.Run(*set.kernels), test.Expected());
        }
      }
    }
  }
}

// Floats at the end of a page, behind which no memory is.
class BeforeTheEnd {
 public:
  explicit BeforeTheEnd(const std::vector<float>& values) {
    const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    const size_t size = values.size() * sizeof(float);
    bytes_ = (size + page - 1) / page * page;
    memory_ =
        mmap(nullptr, bytes_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char*>(memory_) + bytes_, page, PROT_NONE);
    data_ = reinterpret_cast<float*>(static_cast<char*>(memory_) + bytes_ - size);
    std::copy(values.begin(), values.end(), data_);
    bytes_ += page;
  }
  BeforeTheEnd(const BeforeTheEnd&) = delete;
  BeforeTheEnd& operator=(const BeforeTheEnd&) = delete;
  ~BeforeTheEnd() { munmap(memory_, bytes_); }
  float* data() const { return data_; }

 private:
  void* memory_;
  size_t bytes_;
  float* data_;
};

TEST(Gemm, ReadsNothingBehindItsOperands) {
  for (const IsaSet& set : UsableSets()) {
    for (int64_t depth : {1, 2, 3, 4, 5, 8}) {
      for (int64_t rows : {1, 2, 3, 4, 5, 8}) {
        for (int64_t cols : {3, 16, 24, 64}) {
          SCOPED_TRACE(testing::Message()
                       << set.name << " " << rows << " x " << cols << ", depth " << depth);
          const BeforeTheEnd row(Random(depth, 1)), panels(Random(PackedFloats(depth, cols), 2)),
              bias(Random(cols, 3)), out(Random(cols, 4));
          const std::vector<const float*> a(rows, row.data());
          const std::vector<float*> out_rows(rows, out.data());
          GemmBlock block;
          block.rows = rows;
          block.cols = cols;
          block.depth = depth;
          block.a = a.data();
          block.panels = panels.data();
          block.bias = bias.data();
          block.out = out_rows.data();
          block.min = -std::numeric_limits<float>::infinity();
          block.max = std::numeric_limits<float>::infinity();
          set.kernels->gemm(block);
          double sum = bias.data()[0];
          for (int64_t k = 0; k < depth; ++k)
            sum += double{row.data()[k]} * panels.data()[k * PanelWidth(cols)];
          EXPECT_NEAR(out.data()[0], sum, 2e-5f);
        }
      }
    }
  }
}

// Work can be split anywhere because each element has the same bits in any tile.
TEST(Gemm, DoesNotDependOnTheTile) {
  for (const IsaSet& set : UsableSets()) {
    const std::vector<float> row = GemmCase({1, 80, 1, 200}, false).Run(*set.kernels);
    const std::vector<float> rows = GemmCase({11, 80, 1, 200}, false).Run(*set.kernels);
    for (int64_t n = 0; n < 80; ++n) EXPECT_EQ(row[n], rows[n]) << set.name << " column " << n;
  }
}

TEST(Gemm, KeepsNan) {
  for (const IsaSet& set : UsableSets()) {
    const float a[] = {NAN}, *rows[] = {a};
    std::vector<float> panels(PackedFloats(1, 20), 1.0f), out(20);
    float* out_rows[] = {out.data()};
    GemmBlock block;
    block.rows = 1;
    block.cols = 20;
    block.depth = 1;
    block.a = rows;
    block.panels = panels.data();
    block.out = out_rows;
    block.max = 6;
    set.kernels->gemm(block);
    for (float value : out) EXPECT_TRUE(std::isnan(value)) << set.name;
  }
}

}  // namespace
}  // namespace linnet::kernels
