// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

// TensorFlow graph row 74: dead nodes
TEST(DropDead, KeepsWhatOutputsNeedAndInputs) {
  ExpectRewritten(DropDead, R"(
    x = arg f32[2]
    y = arg f32[2]
    a = Unary(x) {kind: Exp}
    b = Unary(y) {kind: Exp}
    c = Binary(a, b) {kind: Add}
    out = ret(a))",
                  R"(
    x = arg f32[2]
    y = arg f32[2]
    a = Unary(x) {kind: Exp}
    out = ret(a))");
}

}  // namespace
}  // namespace linnet::converter
