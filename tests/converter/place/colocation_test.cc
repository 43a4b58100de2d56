// SPDX-License-Identifier: Apache-2.0
#include "converter/place/colocation.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tests/converter/place/fake_devices.h"

namespace linnet::converter {
namespace {

DeviceName OnGpu(int id) { return {.type = "FakeGPU", .id = id}; }

class ColocationTest : public PlacerTest {
 protected:
  // A variable and its reader, which ask for different devices and can run on these.
  void Build(const std::vector<int>& of_variable, const std::vector<int>& of_reader) {
    Parse("v = tf.TestVariable() r = tf.ReadVariable(v)");
    variable_ = graph_->FindNode("v");
    reader_ = graph_->FindNode("r");
    colocation_.emplace(graph_->num_node_ids(), /*soft=*/true);
    colocation_->group(*variable_).devices = of_variable;
    colocation_->group(*variable_).requested = OnGpu(0);
    colocation_->group(*reader_).devices = of_reader;
    colocation_->group(*reader_).requested = OnGpu(1);
  }

  Node* variable_ = nullptr;
  Node* reader_ = nullptr;
  std::optional<Colocation> colocation_;
};

TEST_F(ColocationTest, TheDeviceOfTheVariableCounts) {
  Build({0, 1}, {1, 2});
  ASSERT_TRUE(colocation_->UniteAcross(*variable_, *reader_).ok());
  EXPECT_EQ(colocation_->group(*reader_).requested, OnGpu(0));
  EXPECT_EQ(colocation_->group(*reader_).devices, std::vector<int>{1});
}

TEST_F(ColocationTest, AFailureChangesNothing) {
  Build({0}, {1});
  EXPECT_FALSE(colocation_->UniteAcross(*variable_, *reader_).ok());
  EXPECT_EQ(colocation_->group(*variable_).requested, OnGpu(0));
  EXPECT_EQ(colocation_->group(*reader_).requested, OnGpu(1));
  EXPECT_EQ(colocation_->group(*reader_).devices, std::vector<int>{1});
}

}  // namespace
}  // namespace linnet::converter
