// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "CLI/CLI.hpp"
#include "converter/cli/commands.h"
#include "converter/cli/options.h"
#include "converter/cli/plan_file.h"
#include "converter/cli/session_sizes.h"
#include "converter/embed/linked_source.h"
#include "converter/embed/plan_sources.h"
#include "converter/embed/plan_use.h"
#include "converter/import/mapped_file.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "linnet/linnet.h"
#include "runtime/core/printable.h"
#include "runtime/tools/file_writer.h"

namespace linnet::cli {
namespace {

using converter::SessionSizes;

constexpr char kEmbedFooter[] = R"(
Writes FOLDER/NAME.h and FOLDER/NAME.cc for each plan NAME.linnet, and FOLDER/linked_ops.cc, which makes the linker take only
the ops of these plans from Linnet's static archive. All of them are to be compiled into the program. With CMake,
linnet_add_model(app movenet.linnet) does this.

Examples:
  linnet embed movenet.linnet -o generated          the plan, its sizes, and its ops on the portable kernels
  linnet embed movenet.linnet -o generated --backend xnnpack
                                                    the same, and its ops on XNNPACK
  linnet embed a.linnet b.linnet -o generated --write ops
                                                    plans that stay files: only linked_ops.cc)";

enum class Parts { kAll, kOps, kPlans };

struct EmbedArguments {
  std::vector<std::string> plans, backends;
  std::string folder;
  Parts parts = Parts::kAll;
  bool single_threaded = false;
  bool plain_weights = false;
};

// A plan of the command line.
struct OpenedPlan {
  std::string path, symbol;
  converter::OwnedBytes file;
  Region region;
  VerifiedPlan verified;
};

// Prints a line per problem to stderr, and then the sentence.
int FailAll(int code, const std::vector<std::string>& problems) {
  if (problems.size() == 1) return Fail(code, problems[0]);
  for (const std::string& problem : problems)
    std::fprintf(stderr, "%s\n", PrintableLines(problem).c_str());
  return Fail(code, fmt::format("{} problems, nothing written", problems.size()));
}

int OpenPlans(const EmbedArguments& arguments, std::vector<std::unique_ptr<OpenedPlan>>* plans) {
  std::vector<std::string> problems;
  std::map<std::string, std::string> by_symbol;
  for (const std::string& path : arguments.plans) {
    auto plan = std::make_unique<OpenedPlan>();
    plan->path = path;
    plan->symbol = converter::PlanSymbol(path);
    auto file = converter::MapFile(path);
    if (!file.ok()) {
      problems.emplace_back(fmt::format("{}: {}", path, std::string(file.status().message())));
      continue;
    }
    plan->file = *std::move(file);
    if (!IsPlanFile(plan->file.bytes))
      problems.push_back(
          fmt::format("{}: not a plan; `linnet convert` makes one of a model", path));
    else if (const absl::Status status =
                 OpenPlanFile(plan->file.bytes, &plan->region, &plan->verified);
             !status.ok())
      problems.emplace_back(fmt::format("{}: {}", path, std::string(status.message())));
    const auto [other, is_new] = by_symbol.emplace(plan->symbol, path);
    if (!is_new && arguments.parts != Parts::kOps)
      problems.push_back(fmt::format("{} and {} would both be called {}: rename one", other->second,
                                     path, plan->symbol));
    plans->push_back(std::move(plan));
  }
  return problems.empty() ? kGood : FailAll(kBadModel, problems);
}

// Writes the header and the source of one plan.
int WritePlan(const EmbedArguments& arguments, const OpenedPlan& plan, KernelChoice kernels) {
  SessionSizes sizes;
  if (const std::string problem = MeasureSizes(plan.file.bytes, kernels, &sizes); !problem.empty())
    return Fail(kBadModel, fmt::format("{}: {}", plan.path, problem));
  const std::string stem = arguments.folder + "/" + plan.symbol;
  const std::string header =
      converter::PlanHeader(plan.symbol, plan.path, static_cast<int64_t>(plan.file.bytes.size()),
                            plan.verified.view, sizes);
  const std::string source =
      converter::PlanSource(plan.symbol, std::filesystem::absolute(plan.path).string());
  for (const auto& [path, text] : {std::pair(stem + ".h", header), {stem + ".cc", source}})
    if (const std::string problem = tools::WriteFile(path, {text}); !problem.empty())
      return Fail(kFailed, problem);
  return kGood;
}

int RunEmbed(const EmbedArguments& arguments) {
  std::vector<std::unique_ptr<OpenedPlan>> plans;
  if (const int code = OpenPlans(arguments, &plans); code != kGood) return code;
  converter::PlanUse use;
  use.threads = !arguments.single_threaded;
  use.packing = !arguments.plain_weights;
  for (const auto& plan : plans)
    converter::AddUse(std::filesystem::path(plan->path).filename().string(), plan->verified.view,
                      &use);
  const std::vector<std::string> backends =
      converter::BackendsToLink(use, {arguments.backends.begin(), arguments.backends.end()});
  if (arguments.plain_weights && backends.size() > 1)
    return Fail(
        kUsage,
        fmt::format("--plain-weights is for programs whose only backend is the portable one, "
                    "without --backend {}",
                    backends[0]));
  const KernelChoice kernels = arguments.plain_weights ? KernelChoice::kPlain
                               : std::ranges::count(backends, "xnnpack") > 0
                                   ? KernelChoice::kXnnpack
                                   : KernelChoice::kPortable;
  std::error_code error;
  std::filesystem::create_directories(arguments.folder, error);
  if (error)
    return Fail(kFailed, fmt::format("cannot make {}: {}", arguments.folder, error.message()));
  if (arguments.parts != Parts::kOps)
    for (const auto& plan : plans)
      if (const int code = WritePlan(arguments, *plan, kernels); code != kGood) return code;
  if (arguments.parts == Parts::kPlans) return kGood;
  const std::string problem = tools::WriteFile(
      arguments.folder + "/linked_ops.cc",
      {converter::LinkedSource(
          use, backends, {LINNET_VERSION_MAJOR, LINNET_VERSION_MINOR, LINNET_VERSION_PATCH})});
  return problem.empty() ? kGood : Fail(kFailed, problem);
}

}  // namespace

void AddEmbedCommand(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand(
      "embed", "Write sources for a program that contains plans or only their ops");
  command->footer(kEmbedFooter);
  const auto arguments = std::make_shared<EmbedArguments>();
  command->add_option("PLAN", arguments->plans, "what `linnet convert` wrote")->required();
  command->add_option("-o", arguments->folder, "where the sources go; is created")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("--backend", arguments->backends,
                   "a backend of the library that the program is linked with, beside the portable "
                   "one; one for GPUs counts only when a plan was converted for it")
      ->allow_extra_args(false)
      ->type_name("NAME")
      ->check(CLI::IsMember(converter::BackendNames()));
  command->add_flag("--single-threaded", arguments->single_threaded,
                    "the program's sessions run on the thread that calls, so that it needs no code "
                    "for others");
  command->add_flag(
      "--plain-weights", arguments->plain_weights,
      "the program packs no weights: portable kernels read them where they lie in the "
      "plan, which is slower and saves memory");
  AddChoice(command, "--write", "all, ops (only linked_ops.cc) or plans (all but that)",
            &arguments->parts,
            {{"all", Parts::kAll}, {"ops", Parts::kOps}, {"plans", Parts::kPlans}});
  command->callback([arguments, exit_code] { *exit_code = RunEmbed(*arguments); });
}

}  // namespace linnet::cli
