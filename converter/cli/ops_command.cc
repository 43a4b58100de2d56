// SPDX-License-Identifier: Apache-2.0
// `linnet ops`: what becomes of TensorFlow's ops, all of them or those asked for.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/graph/tensorflow/dtypes.h"
#include "converter/graph/tensorflow/op_registry.h"
#include "converter/legalize/refusal.h"
#include "converter/legalize/tf_op_groups.h"
#include "converter/legalize/tf_op_table.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "nlohmann/json.hpp"

namespace linnet::cli {
namespace {

using converter::TfOp;
using converter::TfOpFate;
using converter::TfOpGroup;
using Json = nlohmann::ordered_json;

constexpr char kOpsFooter[] = R"(
Without names, all ops. With names, in any case, what becomes of each: what it turns into, which backends run that and
for which dtypes; or why it is refused, and the way out.

Examples:
  linnet ops | less                          all of TensorFlow's ops
  linnet ops Conv2D StringSplit              these two
  linnet ops --json MatMul                   as JSON

Exit codes: 0 good, 1 usage, or a name that is not one of TensorFlow's ops.)";

// Linnet ops and the names of their files: an op that XNNPACK may run has one of that name there.
constexpr std::pair<std::string_view, std::string_view> kLinnetOps[] = {
#define LINNET_OP(name, file) {#name, #file},
#include "runtime/ops/op_list.def"
#undef LINNET_OP
};
constexpr std::string_view kXnnpackFiles = LINNET_XNNPACK_OPS;  // ",conv2d,...,"

// Does `text` have `name` as a whole word?
bool HasWord(std::string_view text, std::string_view name) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  for (size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

// The backends that can have a part in a TensorFlow op, from the Linnet ops that its row names.
std::string_view BackendsOf(const converter::TfOp& op) {
  for (const auto& [name, file] : kLinnetOps) {
    if (HasWord(op.becomes, name) &&
        kXnnpackFiles.find(fmt::format(",{},", file)) != std::string_view::npos)
      return "portable, xnnpack";
  }
  return "portable";
}

// The element types that TensorFlow's definition allows for the op and that a plan can have.
// Half, bfloat16 and double compute in float.
std::vector<std::string> DTypesOf(const converter::TfOp& op) {
  std::vector<std::string> names;
  const tf::OpDef* def = converter::OpRegistry::Global()->LookUp(op.name);
  if (def == nullptr) return names;
  for (const auto& attr : def->attr()) {
    if (attr.type() != "type") continue;
    for (int i = 0; i < attr.allowed_values().list().type_size(); ++i) {
      const tf::DataType type = attr.allowed_values().list().type(i);
      const DType dtype = converter::ToDType(type);
      if (dtype == DType::kInvalid) continue;
      names.emplace_back(type == tf::DT_BFLOAT16 ? "bf16" : DTypeName(dtype));
    }
    if (names.empty()) names.emplace_back("any");
    break;
  }
  if (names.empty()) names.emplace_back("fixed");
  return names;
}

// What an op that takes other numbers, too, becomes where they are complex.
const TfOp* ComplexFormOf(const TfOp& op) {
  const auto forms = converter::ComplexForms();
  const auto form = std::ranges::find(forms, op.name, &TfOp::name);
  if (form != forms.end()) return &*form;
  return op.takes_complex() ? &op : nullptr;
}

const char* FateName(TfOpFate fate) {
  switch (fate) {
    case TfOpFate::kFolded:
      return "folded";
    case TfOpFate::kDropped:
      return "dropped";
    case TfOpFate::kRefused:
      return "refused";
  }
  return "";
}

// Names in lines of a terminal's width, each behind `indent`.
void PrintNames(const std::vector<std::string_view>& names, std::string_view indent) {
  constexpr size_t kWidth = 100;
  std::string line;
  for (const std::string_view name : names) {
    if (!line.empty() && line.size() + 1 + name.size() > kWidth) {
      fmt::print("{}\n", line);
      line.clear();
    }
    line += line.empty() ? indent : " ";
    line += name;
  }
  if (!line.empty()) fmt::print("{}\n", line);
}

void PrintGroup(const TfOpGroup& group, const std::vector<std::string_view>& ops) {
  fmt::print("\n  {} ({}): ", group.name, ops.size());
  if (group.fate == TfOpFate::kRefused)
    fmt::print("{}; {}\n", group.reason, group.way_out);
  else
    fmt::print("{}: {}\n", FateName(group.fate), group.becomes);
  PrintNames(ops, "    ");
}

// Those groups of TensorFlow's ops that are refused, or those that are not.
void PrintGroups(const char* title, bool refused) {
  std::vector<std::pair<const TfOpGroup*, std::vector<std::string_view>>> groups;
  size_t count = 0;
  for (const TfOpGroup& group : converter::TfOpGroups()) {
    if (group.is_foreign || (group.fate == TfOpFate::kRefused) != refused) continue;
    groups.emplace_back(&group, converter::OpsOf(group));
    count += groups.back().second.size();
  }
  fmt::print("\n{}: {}\n", title, count);
  for (const auto& [group, ops] : groups) PrintGroup(*group, ops);
}

void PrintAll() {
  fmt::print(
      "TensorFlow ops that convert: {}; backends, dtypes (f16 and f64 compute in f32), what they "
      "become\n",
      converter::TfOpTable().size());
  for (const TfOp& op : converter::TfOpTable())
    fmt::print("  {:<36} {:<18} {:<44} {}\n", op.name, BackendsOf(op),
               fmt::format("{}", fmt::join(DTypesOf(op), " ")), op.becomes);
  fmt::print("\nOps that take complex numbers, too, which are pairs inside the model\n");
  for (const TfOp& op : converter::TfOpTable())
    if (const TfOp* form = ComplexFormOf(op); form != nullptr)
      fmt::print("  {:<36} {}\n", form->name, form->becomes);
  PrintGroups("TensorFlow ops that are folded or dropped at conversion", false);
  PrintGroups("TensorFlow ops that are refused, by group: why, and the way out", true);
}

// The op as TensorFlow spells it; `name` where there is none.
std::string_view Spelled(std::string_view name) {
  const auto same = [&](std::string_view op) {
    return std::ranges::equal(op, name, [](unsigned char a, unsigned char b) {
      return std::tolower(a) == std::tolower(b);
    });
  };
  const auto ops = converter::TensorFlowOpNames();
  if (std::ranges::binary_search(ops, name)) return name;
  const auto found = std::ranges::find_if(ops, same);
  return found == ops.end() ? name : *found;
}

Json SupportedJson(const TfOp& op) {
  return {{"op", op.name},
          {"becomes", op.becomes},
          {"dtypes", DTypesOf(op)},
          {"backends", BackendsOf(op)}};
}

Json ComplexJson(const TfOp& op) { return {{"op", op.name}, {"becomes", op.becomes}}; }

Json SettledJson(std::string_view op, const TfOpGroup& group) {
  return {{"op", op},
          {"fate", FateName(group.fate)},
          {"group", group.name},
          {"becomes", group.becomes}};
}

Json RejectedJson(std::string_view op, const TfOpGroup& group) {
  return {{"op", op}, {"group", group.name}, {"reason", group.reason}, {"way_out", group.way_out}};
}

// What is said of ops, by list.
struct Answers {
  Json supported = Json::array(), complex = Json::array(), settled = Json::array(),
       rejected = Json::array(), unknown = Json::array();

  void Add(std::string_view op) {
    if (const TfOp* row = converter::FindTfOp(op); row != nullptr) {
      supported.push_back(SupportedJson(*row));
      if (const TfOp* form = ComplexFormOf(*row); form != nullptr)
        complex.push_back(ComplexJson(*form));
    } else if (const TfOpGroup* group = converter::FindTfOpGroup(op); group == nullptr) {
      unknown.push_back({{"op", op}, {"reason", converter::UnknownTfOp(op)}});
    } else if (group->fate == TfOpFate::kRefused) {
      rejected.push_back(RejectedJson(op, *group));
    } else {
      settled.push_back(SettledJson(op, *group));
    }
  }

  void Print() const {
    const Json root{{"supported", supported},
                    {"complex", complex},
                    {"settled", settled},
                    {"rejected", rejected},
                    {"unknown", unknown}};
    fmt::print("{}\n", root.dump(1));
  }
};

void PrintConverted(const TfOp& op) {
  fmt::print("{}: converts\n  becomes   {}\n  dtypes    {}\n  backends  {}\n", op.name, op.becomes,
             fmt::join(DTypesOf(op), " "), BackendsOf(op));
  if (op.may_vary()) fmt::print("  extents   may vary from run to run\n");
  if (const TfOp* form = ComplexFormOf(op); form != nullptr)
    fmt::print("  complex   {}\n", form->becomes);
}

void PrintOne(std::string_view op) {
  if (const TfOp* row = converter::FindTfOp(op); row != nullptr) return PrintConverted(*row);
  const TfOpGroup* group = converter::FindTfOpGroup(op);
  if (group == nullptr) return;
  fmt::print("{}: {}\n  group     {}\n", op, FateName(group->fate), group->name);
  if (group->fate != TfOpFate::kRefused)
    fmt::print("  becomes   {}\n  else      {}; {}\n", group->becomes, group->reason,
               group->way_out);
  else
    fmt::print("  reason    {}\n  way out   {}\n", group->reason, group->way_out);
}

int AnswerNames(const std::vector<std::string>& names, bool as_json) {
  Answers answers;
  std::vector<std::string> problems;
  for (const std::string& name : names) {
    const std::string_view op = Spelled(name);
    if (as_json)
      answers.Add(op);
    else
      PrintOne(op);
    if (converter::FindTfOp(op) == nullptr && converter::FindTfOpGroup(op) == nullptr)
      problems.push_back(fmt::format("{}: {}", op, converter::UnknownTfOp(op)));
  }
  if (as_json) answers.Print();
  return problems.empty() ? kGood : Fail(kUsage, fmt::format("{}", fmt::join(problems, "\n")));
}

int RunOps(const std::vector<std::string>& names, bool as_json) {
  if (!names.empty()) return AnswerNames(names, as_json);
  if (as_json) {
    Answers answers;
    for (const std::string_view op : converter::TensorFlowOpNames()) answers.Add(op);
    answers.Print();
  } else {
    PrintAll();
  }
  return kGood;
}

}  // namespace

void AddOpsCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("ops", "What becomes of TensorFlow's ops");
  command->footer(kOpsFooter);
  const auto json = std::make_shared<bool>(false);
  const auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("OP", *names, "names of ops; none: all of TensorFlow's");
  command->add_flag(
      "--json", *json,
      "one JSON object: supported [{op, becomes, dtypes, backends}], complex [{op, "
      "becomes}], settled [{op, fate, group, becomes}], rejected [{op, group, reason, "
      "way_out}], unknown [{op, reason}]");
  command->callback([names, json, exit_code] { *exit_code = RunOps(*names, *json); });
}

}  // namespace linnet::cli
