// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converter/functions/function_body.h"
#include "converter/graph/tensorflow/function_library.h"
#include "converter/pass/passes.h"
#include "tests/converter/pass/pass_test.h"

namespace linnet::converter {

// The function as canonical text, one line per node, or the error.
inline std::string FunctionText(const Graph& graph, const std::string& name) {
  const auto function = graph.functions().Share(name);
  if (function == nullptr) return "no function " + name;
  int64_t constant_room = kMostExpandedBytes;
  const FunctionContext context{&graph.registry(), &graph.functions(), graph.versions(),
                                &constant_room, nullptr};
  absl::StatusOr<FunctionBody> body = InstantiateFunction(function, {}, context);
  if (!body.ok()) return std::string(body.status().message());
  std::string text = Canonical(*body->graph);
  for (size_t at = text.find("\n"); at != std::string::npos; at = text.find("\n", at))
    text.replace(at, 1, at + 1 == text.size() ? "" : "; ");
  return text;
}

using Functions = std::vector<std::pair<std::string, std::string>>;

// The pass must turn `before` into `after` and these functions.
inline void ExpectRaised(std::string_view before, std::string_view after,
                         const Functions& functions) {
  ExpectRewritten(RaiseControlFlow, before, after);
  const std::unique_ptr<Graph> graph = Parse(before);
  ASSERT_TRUE(RaiseControlFlow(*graph, {}).ok());
  EXPECT_EQ(graph->functions().num_functions(), static_cast<int>(functions.size()));
  for (const auto& [name, text] : functions) EXPECT_EQ(FunctionText(*graph, name), text) << name;
}

}  // namespace linnet::converter
