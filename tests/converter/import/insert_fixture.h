// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "converter/graph/graph.h"
#include "converter/graph/text/text.h"
#include "converter/graph/verifier.h"
#include "tests/converter/graph/test_ops.h"
#include "tests/converter/import/insert_graph.h"

namespace linnet::converter {

// Inserts several GraphDefs, one after another, into one graph.
class InsertTest : public testing::Test {
 protected:
  InsertTest() : graph_(Ops()) {}

  // The error message; "" on success.
  std::string Insert(const std::string& pbtxt, const InsertOptions& options = {}) {
    absl::StatusOr<RawGraph> raw = ReadPbtxt(pbtxt);
    if (!raw.ok()) return Message(raw.status());
    std::vector<std::string> notes;
    absl::StatusOr<Inserted> inserted = InsertGraph(*std::move(raw), options, &graph_, &notes);
    if (!inserted.ok()) return Message(inserted.status());
    inserted_ = *std::move(inserted);
    EXPECT_TRUE(VerifyGraph(graph_).ok()) << VerifyGraph(graph_);
    return "";
  }
  std::string Text() const { return PrintGraph(graph_); }
  // The tensors that the last insertion returned, as "A, B:1".
  std::string Tensors() const {
    std::string text;
    for (const Output& tensor : inserted_.tensors)
      text += (text.empty() ? "" : ", ") + TensorName(tensor);
    return text;
  }
  std::string Nodes() const {
    std::string text;
    for (const Node* node : inserted_.nodes) text += (text.empty() ? "" : ", ") + node->name();
    return text;
  }

  Graph graph_;
  Inserted inserted_;

 private:
  static const OpRegistry* Ops() {
    static const OpRegistry* const kOps = [] {
      auto* table = new OpTable(TestOps());
      const absl::Status s = table->AddText(R"(
        op { name: "TestVariadicOutput" output_arg { name: "o" type: DT_INT32 number_attr: "N" }
             attr { name: "N" type: "int" has_minimum: true } }
        op { name: "TestOneInputOneOutput" input_arg { name: "x" type_attr: "T" }
             output_arg { name: "y" type_attr: "T" } attr { name: "T" type: "type" } })");
      if (!s.ok()) __builtin_trap();
      return table;
    }();
    return kOps;
  }
};

}  // namespace linnet::converter
