// SPDX-License-Identifier: Apache-2.0
#include "converter/graph/problems.h"

#include "absl/strings/cord.h"
#include "converter/graph/graph.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

// A status carries its problems as this payload: each of the five fields of a problem as
// "length:bytes".
constexpr char kPayload[] = "linnet.problems";

std::string Pack(const std::vector<Problem>& problems) {
  std::string packed;
  for (const Problem& problem : problems) {
    const std::string code = std::to_string(static_cast<int>(problem.code));
    for (const std::string* field :
         {&problem.node, &problem.op, &problem.reason, &problem.remedy, &code})
      packed += fmt::format("{}:{}", field->size(), *field);
  }
  return packed;
}

std::vector<Problem> Unpack(const std::string& packed) {
  size_t at = 0;
  const auto next_field = [&] {
    const size_t colon = packed.find(':', at);
    const size_t size = std::stoul(packed.substr(at, colon - at));
    at = colon + 1 + size;
    return packed.substr(colon + 1, size);
  };
  std::vector<Problem> problems;
  while (at < packed.size())
    problems.push_back({next_field(), next_field(), next_field(), next_field(),
                        static_cast<absl::StatusCode>(std::stoi(next_field()))});
  return problems;
}

// Takes "Op 'node': " away from the beginning of `reason`, since a problem names its node already.
void DropName(const std::string& node, std::string* reason) {
  if (node.empty()) return;
  const std::string name = fmt::format(" '{}': ", node);
  const size_t at = reason->find(' ');
  const bool is_op = !reason->empty() && reason->front() >= 'A' && reason->front() <= 'Z';
  if (is_op && at != std::string::npos && reason->compare(at, name.size(), name) == 0)
    reason->erase(0, at + name.size());
}

}  // namespace

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
  std::string reason(status.message());
  DropName(node, &reason);
  Add(Problem{std::move(node), std::move(op), std::move(reason), std::move(remedy), status.code()});
}

absl::Status Problems::ToStatus() const {
  if (all_.empty()) return absl::OkStatus();
  std::string text = ToString(all_[0]);
  if (all_.size() > 1) {
    text = fmt::format("{} problems:", all_.size());
    for (const Problem& problem : all_) text += "\n  " + ToString(problem);
  }
  absl::Status status(all_[0].code, text);
  status.SetPayload(kPayload, absl::Cord(Pack(all_)));
  return status;
}

std::vector<Problem> ProblemsOf(const absl::Status& status) {
  if (status.ok()) return {};
  if (const auto payload = status.GetPayload(kPayload); payload.has_value())
    return Unpack(std::string(*payload));
  return {{.reason = std::string(status.message()), .code = status.code()}};
}

}  // namespace linnet::converter
