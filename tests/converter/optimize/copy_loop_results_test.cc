// SPDX-License-Identifier: Apache-2.0
#include "converter/pass/passes.h"

#include <gtest/gtest.h>

#include "converter/graph/text/text.h"

namespace linnet::converter {
namespace {

std::string LoopWithBody(const std::string& body) {
  return "p = arg bool[]\n"
         "a = arg f32[]\n"
         "b = arg f32[]\n"
         "loop = While(a, b, p) [\n"
         "  p = arg 2 bool[]\n"
         "  goes_on = ret(p)\n"
         "] [\n" +
         body +
         "] : f32[], f32[]\n"
         "out = ret(loop)\n";
}

void ExpectCopies(const std::string& before, const std::string& after, int copies) {
  auto graph = ParseGraph(before);
  ASSERT_TRUE(graph.ok()) << graph.status();
  EXPECT_EQ(CopyLoopResults(**graph, {}).value(), copies);
  EXPECT_EQ(PrintGraph(**graph), after);
  EXPECT_EQ(CopyLoopResults(**graph, {}).value(), 0);
}

TEST(CopyLoopResults, VariablesThatTakeEachOthersValues) {
  ExpectCopies(LoopWithBody("  a = arg f32[]\n"
                            "  b = arg f32[]\n"
                            "  ret0 = ret(b)\n"
                            "  ret1 = ret(a)\n"),
               LoopWithBody("  a = arg f32[]\n"
                            "  b = arg f32[]\n"
                            "  ret0/copy = Reshape(b) {shape: []} : f32[]\n"
                            "  ret0 = ret(ret0/copy)\n"
                            "  ret1/copy = Reshape(a) {shape: []} : f32[]\n"
                            "  ret1 = ret(ret1/copy)\n"),
               2);
}

TEST(CopyLoopResults, LeavesWhatIsComputedOrStays) {
  const std::string text = LoopWithBody(
      "  a = arg f32[]\n"
      "  b = arg f32[]\n"
      "  sum = Binary(a, b) {kind: Add} : f32[]\n"
      "  ret0 = ret(a)\n"
      "  ret1 = ret(sum)\n");
  ExpectCopies(text, text, 0);
}

}  // namespace
}  // namespace linnet::converter
