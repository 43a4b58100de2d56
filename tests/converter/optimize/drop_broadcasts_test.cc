// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

TEST(DropBroadcasts, LeavesBroadcastingToTheOp) {
  ExpectRewritten(DropBroadcasts, R"(
    x = arg f32[2,3,4]
    y = arg f32[4]
    z = arg f32[2,1,4]
    b = BroadcastTo(y) {shape: [2, 3, 4]}
    s = Binary(b, x) {kind: Add}
    t = Tile(z) {multiples: [1, 3, 1]}
    m = Binary(s, t) {kind: Mul}
    out = ret(m))",
                  R"(
    x = arg f32[2,3,4]
    y = arg f32[4]
    z = arg f32[2,1,4]
    s = Binary(y, x) {kind: Add}
    m = Binary(s, z) {kind: Mul}
    out = ret(m))",
                  {.tolerance = 0});
}

TEST(DropBroadcasts, KeepsBroadcastsThatGiveTheShape) {
  ExpectUnchanged(DropBroadcasts, R"(
    y = arg f32[4]
    z = arg f32[1,2]
    b = BroadcastTo(y) {shape: [2, 3, 4]}
    s = Binary(b, y) {kind: Add}
    t = Tile(z) {multiples: [1, 2]}
    m = Binary(t, y) {kind: Mul}
    o1 = ret(s)
    o2 = ret(m))");
}

}  // namespace
}  // namespace linnet::converter
