// SPDX-License-Identifier: Apache-2.0
// Memory for the attributes of steps, and what is wrong with some.
#include "runtime/verify/attributes.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "runtime/ops/all_attrs.h"
#include "runtime/ops/op_codec.h"

namespace linnet {
namespace {

class Attributes : public testing::Test {
 protected:
  // Places the attributes of `count` steps that negate.
  void Place(size_t count) {
    UnaryAttrs negation;
    negation.kind = schema::UnaryKind::Neg;
    encoded_ = EncodeAttrs(OpKind::kUnary, &negation);
    steps_.assign(count, {.op = static_cast<uint16_t>(OpKind::kUnary), .attrs = encoded_});
    program_.steps = steps_;
    verified_.resize(count);
    ASSERT_TRUE(PlaceAttributes(program_, region_, verified_.data()));
  }
  const char* Decode(size_t step) {
    return DecodeAttributes(steps_[step], *FindOp(OpKind::kUnary), Extents(), &verified_[step]);
  }

  std::vector<uint8_t> encoded_;
  std::vector<PlanStep> steps_;
  PlanProgram program_;
  std::vector<VerifiedStep> verified_;
  Region region_;
};

TEST_F(Attributes, OfStepsDoNotOverlap) {
  Place(3);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(Decode(i), nullptr);
  for (size_t i = 1; i < 3; ++i) {
    const auto* before = static_cast<const std::byte*>(verified_[i - 1].attrs);
    const auto* next = static_cast<const std::byte*>(verified_[i].attrs);
    EXPECT_GE(next - before, static_cast<ptrdiff_t>(sizeof(UnaryAttrs)));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(next) % alignof(std::max_align_t), 0u);
    EXPECT_EQ(static_cast<const UnaryAttrs*>(verified_[i].attrs)->kind, schema::UnaryKind::Neg);
  }
}

TEST_F(Attributes, StepsThatHaveNoneTakeNoMemory) {
  Place(2);
  const int64_t used = region_.used();
  std::vector<PlanStep> more(100);
  more.insert(more.end(), steps_.begin(), steps_.end());
  program_.steps = more;
  verified_.resize(more.size());
  ASSERT_TRUE(PlaceAttributes(program_, region_, verified_.data()));
  EXPECT_EQ(region_.used(), 2 * used);
}

TEST_F(Attributes, AreMissingOrTooLarge) {
  Place(2);
  steps_[0].attrs = {};
  EXPECT_STREQ(Decode(0), "attributes are missing or too large");
  encoded_.resize(5000);
  steps_[1].attrs = encoded_;
  EXPECT_STREQ(Decode(1), "attributes are missing or too large");
}

}  // namespace
}  // namespace linnet
