// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/problems.h"

#include "converter/graph/graph.h"
#include "fmt/format.h"

namespace linnet::converter {

std::string ToString(const Problem& problem) {
  std::string text = problem.op;
  if (!problem.node.empty()) text += fmt::format("{}'{}'", text.empty() ? "" : " ", problem.node);
  if (!text.empty()) text += ": ";
  text += problem.reason;
  if (!problem.remedy.empty()) text += fmt::format("; {}", problem.remedy);
  return text;
}

void Problems::Add(const Node& node, std::string reason, std::string remedy) {
  Add(Problem{node.name(), node.op_name(), std::move(reason), std::move(remedy)});
}

void Problems::Add(const absl::Status& status, std::string node, std::string op,
                   std::string remedy) {
  if (status.ok()) return;
  Add(Problem{std::move(node), std::move(op),
              std::string(status.message().data(), status.message().size()), std::move(remedy),
              status.code()});
}

absl::Status Problems::ToStatus() const {
  if (all_.empty()) return absl::OkStatus();
  if (all_.size() == 1) return absl::Status(all_[0].code, ToString(all_[0]));
  std::string text = fmt::format("{} problems:", all_.size());
  for (const Problem& problem : all_) text += "\n  " + ToString(problem);
  return absl::Status(all_[0].code, text);
}

}  // namespace linnet::converter
