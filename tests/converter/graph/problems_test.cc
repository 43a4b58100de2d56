// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/problems.h"

#include <gtest/gtest.h>

#include "tests/converter/graph/test_ops.h"

namespace linnet::converter {
namespace {

TEST(Problems, OneReadsAsASentence) {
  Problems problems;
  EXPECT_TRUE(problems.ToStatus().ok());
  problems.Add({"a/b", "Conv2D", "strides has 3 values, want 4", "fix the exporter"});
  EXPECT_EQ(Message(problems.ToStatus()),
            "Conv2D 'a/b': strides has 3 values, want 4; fix the exporter");
}

TEST(Problems, ManyAreListedAndTheFirstGivesTheCode) {
  Problems problems;
  problems.Add(absl::OkStatus(), "x");
  problems.Add(absl::NotFoundError("no op"), "a");
  Graph graph(TestOps());
  problems.Add(**graph.AddNode(Def("n", "ABC")), "bad");
  EXPECT_EQ(problems.ToStatus().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Message(problems.ToStatus()), "2 problems:\n  'a': no op\n  ABC 'n': bad");
}

}  // namespace
}  // namespace linnet::converter
