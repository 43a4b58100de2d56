// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"
#include "runtime/ops/conv2d.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(InferShapes, FollowsAttributes) {
  const auto graph = Parse(R"(
    x = arg f32[1,4,4,2]
    c = Conv2D(x, const f32[3,1,1,2] seed=1)
    r = Clamp(c)
    out = ret(r))");
  graph->FindNode("c")->mutable_attrs<Conv2DAttrs>().stride_h = 2;
  const auto changed = InferShapes(*graph, {});
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(*changed, 2);
  EXPECT_EQ(graph->FindNode("r")->type().shape, (Shape{1, 2, 4, 3}));
  EXPECT_EQ(*InferShapes(*graph, {}), 0);
}

}  // namespace
}  // namespace linnet::converter
