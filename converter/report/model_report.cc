// SPDX-License-Identifier: Apache-2.0
#include "converter/report/model_report.h"

#include <algorithm>
#include <iterator>

#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/text/constant_text.h"
#include "converter/graph/text/text.h"
#include "converter/report/describe.h"
#include "converter/report/drawing.h"
#include "converter/report/html.h"
#include "converter/report/page.h"
#include "converter/report/units.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "nlohmann/json.hpp"
#include "runtime/core/printable.h"
#include "runtime/core/tensor_name.h"

namespace linnet::converter {
namespace {

using Json = nlohmann::ordered_json;

std::string RefText(const TensorRef& ref) {
  std::string text = ref.key;
  if (!SameTensor(ref.tensor, ref.key)) text += fmt::format(" = {}", ref.tensor);
  if (ref.dtype != tf::DT_INVALID) text += fmt::format(" {}", DataTypeString(ref.dtype));
  return text + ShapeString(ref.shape);
}

// "  converts  no: 2 problems", and a line for each.
std::string VerdictText(const std::vector<Problem>& problems) {
  if (problems.empty()) return "  converts  yes\n";
  std::string text = fmt::format("  converts  no: {} problem{}\n", problems.size(),
                                 problems.size() == 1 ? "" : "s");
  for (const Problem& problem : problems) text += fmt::format("    {}\n", ToString(problem));
  return text;
}

// Everything but the nodes.
std::string SummaryText(const ModelDescription& description) {
  const ImportedModel& model = description.model;
  std::string text = fmt::format("model       {} ({})\n", description.path, model.format);
  const auto out = std::back_inserter(text);
  for (const auto& tags : model.tag_sets)
    fmt::format_to(out, "tags        {}\n", fmt::join(tags, " "));
  for (size_t i = 0; i < model.signatures.size(); ++i) {
    const SignatureInfo& signature = model.signatures[i];
    fmt::format_to(out, "signature   {}{}\n", signature.key,
                   model.has_signatures
                       ? ""
                       : " (the file has no signatures; these inputs are the placeholders, these "
                         "outputs those of nodes that no other node reads)");
    for (const TensorRef& ref : signature.inputs)
      fmt::format_to(out, "  input     {}\n", RefText(ref));
    for (const TensorRef& ref : signature.outputs)
      fmt::format_to(out, "  output    {}\n", RefText(ref));
    text += VerdictText(description.problems[i]);
  }
  for (const std::string& note : model.notes) fmt::format_to(out, "note        {}\n", note);
  fmt::format_to(out, "nodes       {}\n", model.graph->num_op_nodes());
  for (const auto& [op, count] : CountOps(*model.graph))
    fmt::format_to(out, "{:>8}    {}\n", count, op);
  return text;
}

Json RefsJson(const std::vector<TensorRef>& refs) {
  Json rows = Json::array();
  for (const TensorRef& ref : refs) {
    Json shape = nullptr;
    if (!ref.shape.unknown_rank()) {
      shape = Json::array();
      for (const auto& dim : ref.shape.dim()) shape.push_back(dim.size());
    }
    rows.push_back({{"name", ref.key},
                    {"source", ref.tensor},
                    {"dtype", DataTypeString(ref.dtype)},
                    {"shape", std::move(shape)}});
  }
  return rows;
}

Json NodesJson(const Graph& graph) {
  Json nodes = Json::array();
  for (const Node* node : graph.op_nodes()) {
    Json inputs = Json::array(), types = Json::array();
    for (int i = 0; i < node->num_inputs(); ++i) {
      const Output input = node->input(i);
      inputs.push_back(input ? Json(TensorName(input)) : Json(nullptr));
    }
    for (const tf::DataType type : node->tf_output_types()) types.push_back(DataTypeString(type));
    Json row{{"name", node->name()}, {"op", node->op_name()}};
    row["inputs"] = std::move(inputs);
    row["outputs"] = std::move(types);
    if (node->IsConstant() && node->HasType(0)) row["type"] = TypeText(node->type());
    nodes.push_back(std::move(row));
  }
  return nodes;
}

}  // namespace

std::string ModelText(const ModelDescription& description) {
  return PrintableLines(SummaryText(description) + "\n" + PrintGraph(*description.model.graph));
}

std::string ModelJson(const ModelDescription& description) {
  const ImportedModel& model = description.model;
  Json signatures = Json::array();
  for (size_t i = 0; i < model.signatures.size(); ++i) {
    const SignatureInfo& signature = model.signatures[i];
    Json problems = Json::array();
    for (const Problem& problem : description.problems[i]) problems.push_back(ToString(problem));
    signatures.push_back({{"key", signature.key},
                          {"inputs", RefsJson(signature.inputs)},
                          {"outputs", RefsJson(signature.outputs)},
                          {"problems", std::move(problems)}});
  }
  const Json root{{"model", description.path},
                  {"format", model.format},
                  {"has_signatures", model.has_signatures},
                  {"signatures", std::move(signatures)},
                  {"tag_sets", model.tag_sets},
                  {"notes", model.notes},
                  {"ops", CountOps(*model.graph)},
                  {"nodes", NodesJson(*model.graph)}};
  return root.dump(1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
}

std::string ModelHtml(const ModelDescription& description) {
  std::vector<Problem> problems;
  for (const std::vector<Problem>& of_signature : description.problems)
    problems.insert(problems.end(), of_signature.begin(), of_signature.end());
  return HtmlPage(description.path,
                  fmt::format("{}<h2>Summary</h2>\n<pre>{}</pre>\n<h2>Graph</h2>\n{}",
                              SearchField(), EscapeHtmlLines(SummaryText(description)),
                              GraphWithProblems(DrawGraph(*description.model.graph), problems)));
}

}  // namespace linnet::converter
