// SPDX-License-Identifier: Apache-2.0
#include "runtime/core/tensor_name.h"

#include <gtest/gtest.h>

namespace linnet {
namespace {

TEST(TensorName, TheFirstOutputNeedsNoSlot) {
  for (const auto& [a, b] :
       {std::pair("x", "x"), std::pair("x", "x:0"), std::pair("x:1", "x:1"), std::pair("", ":0"),
        std::pair("a:b", "a:b:0"), std::pair("x:", "x::0")}) {
    EXPECT_TRUE(SameTensor(a, b)) << a << " " << b;
    EXPECT_TRUE(SameTensor(b, a)) << a << " " << b;
  }
}

TEST(TensorName, OtherTensors) {
  for (const auto& [a, b] : {std::pair("x", "x:1"), std::pair("x", "y"), std::pair("x", "x:00"),
                             std::pair("x:0", "x:0:0"), std::pair("x:1", "x:1:0"),
                             std::pair("x", "xy:0"), std::pair("x", "y:0"), std::pair("", "x")}) {
    EXPECT_FALSE(SameTensor(a, b)) << a << " " << b;
    EXPECT_FALSE(SameTensor(b, a)) << a << " " << b;
  }
}

TEST(TensorName, Slots) {
  EXPECT_EQ(SlotOf("x:12"), ":12");
  for (const char* name : {"", "x", "x:", ":", "x:1a", "x:-1"}) EXPECT_EQ(SlotOf(name), "") << name;
}

}  // namespace
}  // namespace linnet
