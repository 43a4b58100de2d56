// SPDX-License-Identifier: Apache-2.0
// What raise_control_flow refuses, and its error messages.
#include "converter/pass/passes.h"
#include "gmock/gmock.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {
namespace {

using ::testing::HasSubstr;

std::string Refusal(std::string_view text) {
  const std::unique_ptr<Graph> graph = Parse(text);
  const absl::StatusOr<int> raised = RaiseControlFlow(*graph, {});
  if (raised.ok()) return "ok";
  return std::string(raised.status().message().data(), raised.status().message().size());
}

// `text` in which each `from` is replaced.
std::string With(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

constexpr char kLoop[] = R"(
    x = arg f32[]
    y = tf.Enter(x) {frame_name: "w"}
    m = tf.Merge(y, n)
    go = tf.LoopCond(const bool[] 1)
    s = tf.Switch(m, go)
    a = tf.Mul(s:1, s:1)
    n = tf.NextIteration(a)
    e = tf.Exit(s)
    out = ret(e))";

// tensorflow/core/graph/control_flow_test.cc: ValidateControlFlowTest.TwoLoopCond
TEST(RaiseControlFlowRefuses, LoopsWithoutForm) {
  EXPECT_THAT(Refusal(With(kLoop, "frame_name: \"w\"", "frame_name: \"\"")),
              HasSubstr("Enter 'y': Enter node 'y' must have a frame name"));
  EXPECT_THAT(Refusal(With(kLoop, "tf.LoopCond(const bool[] 1)", "tf.Less(m, x)")),
              HasSubstr("the loop 'w' has no LoopCond"));
  EXPECT_THAT(
      Refusal(std::string(kLoop) + " go2 = tf.LoopCond(q) q = tf.Less(m, x) g = tf.Switch(m, go2)"
                                   " h = tf.Exit(g) out2 = ret(h)"),
      HasSubstr("LoopCond 'go': the loop 'w' has 2 LoopConds: go, go2"));
  EXPECT_THAT(
      Refusal(std::string(kLoop) + " s2 = tf.Switch(m, go) e2 = tf.Exit(s2) out2 = ret(e2)"),
      HasSubstr("Merge 'm': has two Switch successors: 's', 's2'"));
  EXPECT_THAT(Refusal(With(kLoop, "tf.Mul(s:1, s:1)", "tf.Mul(s:1, y)")),
              HasSubstr("Enter 'y': is not constant, but is read in the loop without a Merge"));
  EXPECT_THAT(
      Refusal(With(kLoop, "tf.Mul(s:1, s:1)", "tf.Mul(s:1, s)")),
      HasSubstr("Switch 's': its output 0, the value after the loop, is read inside the loop"));
  EXPECT_THAT(Refusal(With(kLoop, "frame_name: \"w\"", "frame_name: \"w\", is_constant: true")),
              HasSubstr("Enter 'y': is constant, but begins a loop variable"));
  EXPECT_THAT(Refusal(With(kLoop, "tf.Mul(s:1, s:1)", "tf.Mul(s:1, n)")), HasSubstr("cycle"));
  EXPECT_THAT(Refusal(std::string(kLoop) + " out2 = ret(a)"),
              HasSubstr("Mul 'a': is inside of the loop 'w', where it has a value per iteration"));
  EXPECT_THAT(Refusal(std::string(kLoop) + " out2 = ret(m:1)"),
              HasSubstr("is inside of the loop 'w'"));
  EXPECT_THAT(Refusal("x = arg f32[] y = tf.Exit(x) out = ret(y)"),
              HasSubstr("Exit 'y': is in no loop"));
}

// tensorflow/core/graph/control_flow_test.cc: ValidateControlFlowTest.InputsFromDifferentFrames
// tensorflow/core/graph/control_flow_test.cc: ValidateControlFlowTest.MismatchedParentFrames
TEST(RaiseControlFlowRefuses, InconsistentFrames) {
  const std::string text = R"(
    x = arg f32[]
    a = tf.Enter(x) {frame_name: "a"}
    b = tf.Enter(x) {frame_name: "b"}
    c = tf.AddV2(a, b)
    e = tf.Exit(c)
    out = ret(e))";
  EXPECT_THAT(Refusal(text),
              HasSubstr("AddV2 'c': has inputs from different frames: 'a' in 'a', 'b' in 'b'"));
  EXPECT_THAT(Refusal(With(text, "b = tf.Enter(x) {frame_name: \"b\"}",
                           "b = tf.Enter(a) {frame_name: \"a\"}")),
              HasSubstr("Enter 'b': enters the frame 'a' from inside of it"));
  // The body needs a value that only the loop's result gives.
  EXPECT_THAT(
      Refusal(With(With(kLoop, "tf.Mul(s:1, s:1)", "tf.Mul(s:1, z)"), "const bool[] 1", "c") +
              " c = tf.Less(m, x) z = tf.Neg(e)"),
      HasSubstr("a loop or conditional needs its own result"));
}

TEST(RaiseControlFlowRefuses, BranchesWithoutForm) {
  const std::string text = R"(
    x = arg f32[]
    y = arg f32[]
    p = arg bool[]
    q = arg bool[]
    xs = tf.Switch(x, p)
    ys = tf.Switch(y, q)
    m = tf.Merge(xs, ys:1)
    out = ret(m))";
  EXPECT_THAT(
      Refusal(text),
      HasSubstr("Merge 'm': its two inputs must come from the two branches of one Switch, but come "
                "from: the branch where 'p' is false; the branch where 'q' is true"));
  EXPECT_THAT(
      Refusal(With(text, "tf.Merge(xs, ys:1)", "tf.AddV2(xs, ys:1)")),
      HasSubstr("AddV2 'm': needs values that exist where 'p' is false and where 'q' is true"));
  EXPECT_THAT(Refusal(With(text, "tf.Merge(xs, ys:1)", "tf.Merge(xs, xs:1, ys)")),
              HasSubstr("Merge 'm': merges 3 values, want 2"));
  EXPECT_THAT(Refusal(With(text, "tf.Merge(xs, ys:1)", "tf.Merge(x, y)")),
              HasSubstr("but come from: outside of all branches; outside of all branches"));
  EXPECT_THAT(Refusal(With(text, "tf.Merge(xs, ys:1)", "tf.Neg(xs)")),
              HasSubstr("Neg 'm': has no value when the other branch of a conditional is taken"));
  EXPECT_THAT(Refusal(With(With(text, "tf.Merge(xs, ys:1)", "tf.Neg(xs)"), "p = arg bool[]",
                           "p = const bool[] 1")),
              HasSubstr("Neg 'm': is never computed: it is in the branch not taken"));
}

TEST(RaiseControlFlowRefuses, ANestWithoutEnd) {
  std::string text = "x = arg f32[] p = arg bool[] s0 = tf.Identity(x)\n";
  for (int i = 0; i < 70; ++i) {
    const std::string s = std::to_string(i), t = std::to_string(i + 1);
    text += "w" + s + " = tf.Switch(s" + s + ", p) s" + t + " = tf.Identity(w" + s + ":1)\n";
  }
  EXPECT_THAT(Refusal(text + "m = tf.Merge(s70, x) out = ret(m)"),
              HasSubstr("is more than 64 conditionals deep"));
}

}  // namespace
}  // namespace linnet::converter
