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

TEST(Problems, NameTheNodeOnce) {
  Problems problems;
  problems.Add(absl::InvalidArgumentError("Binary 'a/b': shapes do not broadcast"), "a/b", "AddV2");
  EXPECT_EQ(Message(problems.ToStatus()), "AddV2 'a/b': shapes do not broadcast");
  Problems of_another;
  of_another.Add(absl::InvalidArgumentError("Binary 'a/b/sum': no"), "a/b", "AddV2");
  EXPECT_EQ(Message(of_another.ToStatus()), "AddV2 'a/b': Binary 'a/b/sum': no");
}

}  // namespace
}  // namespace linnet::converter
