// SPDX-License-Identifier: Apache-2.0
#include "converter/legalize/ops/einsum_equation.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_split.h"
#include "converter/legalize/context/building_blocks.h"

namespace linnet::converter {
namespace {

// Labels of one operand; its "..." becomes labels -ellipsis_rank ... -1.
absl::StatusOr<std::vector<int>> ParseLabels(const std::string& text, int ellipsis_rank) {
  std::vector<int> labels;
  const size_t ellipsis = text.find("...");
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == ellipsis) {
      for (int k = ellipsis_rank; k > 0; --k) labels.push_back(-k);
      i += 2;
      continue;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    if (!std::isalpha(c)) return Invalid("attr 'equation': unexpected '{}' in '{}'", text[i], text);
    labels.push_back(c);
  }
  return labels;
}

// Joins the extents of `labels` with those in other operands.
absl::Status AddSizes(const std::vector<int>& labels, const Shape& shape,
                      std::map<int, int64_t>* sizes) {
  for (int i = 0; i < shape.rank(); ++i) {
    int64_t& size = sizes->try_emplace(labels[i], shape[i]).first->second;
    if (labels[i] < 0 && size == 1) size = shape[i];
    const bool broadcasts = labels[i] < 0 && shape[i] == 1;
    if (size != shape[i] && !broadcasts)
      return Invalid("attr 'equation': a label stands for {} and {} elements", size, shape[i]);
  }
  return absl::OkStatus();
}

absl::Status CheckOutput(const EinsumEquation& equation) {
  for (const int label : equation.output) {
    if (!equation.sizes.contains(label))
      return Invalid("attr 'equation': the output's '{}' is in no input", static_cast<char>(label));
  }
  for (const auto& [label, size] : equation.sizes) {
    if (label < 0 && !Contains(equation.output, label))
      return Unsupported("attr 'equation': '...' is summed over");
  }
  return absl::OkStatus();
}

}  // namespace

bool Contains(const std::vector<int>& labels, int label) {
  return std::ranges::find(labels, label) != labels.end();
}

absl::StatusOr<EinsumEquation> ParseEinsum(std::string_view text, std::span<const Shape> shapes) {
  std::string clean(text);
  std::erase(clean, ' ');
  const std::vector<std::string> sides = absl::StrSplit(clean, "->");
  if (sides.size() != 2) return Invalid("attr 'equation' is '{}', want one '->'", text);
  const std::vector<std::string> operands = absl::StrSplit(sides[0], ',');
  if (operands.size() != shapes.size())
    return Invalid("attr 'equation' is '{}', but there are {} inputs", text, shapes.size());
  EinsumEquation equation;
  int broadcast_rank = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    const bool has_ellipsis = operands[i].find("...") != std::string::npos;
    const int named = static_cast<int>(operands[i].size()) - (has_ellipsis ? 3 : 0);
    const int rest = shapes[i].rank() - named;
    if (has_ellipsis ? rest < 0 : rest != 0)
      return Invalid("attr 'equation': '{}' does not fit shape {}", operands[i],
                     ShapeText(shapes[i]));
    LINNET_ASSIGN_OR_RETURN(std::vector<int> labels, ParseLabels(operands[i], rest));
    if (has_ellipsis) broadcast_rank = std::max(broadcast_rank, rest);
    LINNET_RETURN_IF_ERROR(AddSizes(labels, shapes[i], &equation.sizes));
    equation.inputs.push_back(std::move(labels));
  }
  LINNET_ASSIGN_OR_RETURN(equation.output, ParseLabels(sides[1], broadcast_rank));
  LINNET_RETURN_IF_ERROR(CheckOutput(equation));
  return equation;
}

}  // namespace linnet::converter
