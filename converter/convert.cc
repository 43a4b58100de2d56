// SPDX-License-Identifier: Apache-2.0
#include "converter/convert.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "converter/graph/problems.h"
#include "converter/import/import.h"
#include "converter/plan/for_release.h"
#include "converter/plan/plan_writer.h"
#include "converter/report/describe.h"
#include "converter/report/describe_placement.h"
#include "converter/report/drawing.h"
#include "converter/resources/resources.h"
#include "converter/signature_conversion.h"
#include "fmt/format.h"
#include "fmt/ranges.h"
#include "runtime/core/instruction_set.h"

namespace linnet::converter {
namespace {

const std::string kDefaultKey = "serving_default";
using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// One conversion: all signatures share the model, the report and the plan's file.
class Conversion {
 public:
  Conversion(const ConvertOptions& options, ConversionReport* report)
      : options_(options), report_(*report) {}

  absl::Status Run() {
    using Stage = std::pair<const char*, absl::Status (Conversion::*)()>;
    for (const auto& [name, run] :
         {Stage("import", &Conversion::Import), Stage("passes", &Conversion::RunPasses),
          Stage("place", &Conversion::Place), Stage("plan", &Conversion::Plan),
          Stage("write", &Conversion::Write)}) {
      if (options_.progress) options_.progress(name);
      const Clock::time_point start = Clock::now();
      absl::Status status = (this->*run)();
      report_.stages.push_back({name, MillisecondsSince(start)});
      if (!status.ok()) return status;
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Import() {
    ImportOptions import;
    import.allow_internal_ops = false;
    if (!options_.tags.empty()) import.tags = options_.tags;
    import.checkpoint = options_.checkpoint;
    absl::StatusOr<ImportedModel> model = ImportModel(options_.model, import);
    if (!model.ok()) return model.status();
    absl::StatusOr<Resources> resources = LoadResources(&*model);
    if (!resources.ok()) return resources.status();
    model_ = *std::move(model);
    resources_ = *std::move(resources);
    report_.format = model_.format;
    report_.notes.insert(report_.notes.end(), model_.notes.begin(), model_.notes.end());
    report_.ops_before = CountOps(*model_.graph);
    return ChooseSignatures();
  }

  // The signature with the key `asked`. When that is empty: serving_default if there is one, else
  // the first; null for a graph without nodes.
  absl::StatusOr<const SignatureInfo*> FindSignature(const std::string& asked) const {
    const auto& signatures = model_.signatures;
    const auto found =
        std::ranges::find(signatures, asked.empty() ? kDefaultKey : asked, &SignatureInfo::key);
    if (found != signatures.end()) return &*found;
    if (asked.empty()) return signatures.empty() ? nullptr : &signatures[0];
    if (!model_.has_signatures)
      return absl::NotFoundError(
          fmt::format("--signature {}: the model has no signatures; leave the option out", asked));
    std::vector<std::string> keys;
    keys.reserve(signatures.size());
    for (const SignatureInfo& signature : signatures) keys.push_back(signature.key);
    return absl::NotFoundError(
        fmt::format("--signature {}: the model has {}", asked, fmt::join(keys, ", ")));
  }

  absl::Status ChooseSignatures() {
    std::vector<std::string> keys = options_.signatures;
    if (keys.empty()) keys.emplace_back();
    if (keys.size() > 1 && !(options_.inputs.empty() && options_.outputs.empty() &&
                             options_.fixed.empty() && options_.place.nodes.empty()))
      return absl::InvalidArgumentError(
          "--input, --output, --set and --place-node say nothing where there are several "
          "signatures: convert one");
    for (size_t i = 0; i < keys.size(); ++i) {
      if (std::ranges::count(keys, keys[i]) > 1)
        return absl::InvalidArgumentError(fmt::format("--signature {} is given twice", keys[i]));
      const absl::StatusOr<const SignatureInfo*> signature = FindSignature(keys[i]);
      if (!signature.ok()) return signature.status();
      std::unique_ptr<Graph> graph;
      if (i + 1 == keys.size()) {
        graph = std::move(model_.graph);
      } else {
        graph = std::make_unique<Graph>(&model_.graph->registry());
        graph->CopyFrom(*model_.graph);
      }
      signatures_.push_back(std::make_unique<SignatureConversion>(
          options_, model_, resources_, *signature, std::move(graph), &report_));
      if (absl::Status s = signatures_.back()->ChooseEndpoints(); !s.ok())
        return FailedWith(std::move(s), *signatures_.back());
    }
    report_.signature = signatures_[0]->key();
    return absl::OkStatus();
  }

  absl::Status FailedWith(absl::Status status, const SignatureConversion& signature) {
    report_.failed_graph = DrawGraph(signature.graph());
    return status;
  }

  absl::Status RunPasses() {
    for (const auto& signature : signatures_)
      if (absl::Status s = signature->RunPasses(&recorder_); !s.ok())
        return FailedWith(std::move(s), *signature);
    report_.ops_after = CountOps(signatures_[0]->graph());
    return absl::OkStatus();
  }

  absl::Status Place() {
    for (const auto& signature : signatures_) {
      absl::StatusOr<PlacedGraph> placed = signature->Place(devices_, &recorder_);
      if (!placed.ok()) return placed.status();
      placed_.push_back(*std::move(placed));
    }
    report_.ops_after = CountOps(signatures_[0]->graph());
    return absl::OkStatus();
  }

  // Programs for the host come before those for devices, so that readers that know nothing of
  // variants see the signatures in their order, and of each the host's program.
  absl::Status Plan() {
    for (const auto& signature : signatures_)
      if (absl::Status s = AddProgram(*signature, {}, kHostVariant); !s.ok()) return s;
    std::vector<int> placed_programs(signatures_.size(), -1);
    for (size_t i = 0; i < signatures_.size(); ++i) {
      if (!WantsDeviceProgram(options_.place, devices_, placed_[i])) continue;
      placed_programs[i] = static_cast<int>(programs_.size());
      if (absl::Status s = AddProgram(*signatures_[i], placed_[i].partition, kVulkanVariant);
          !s.ok())
        return s;
    }
    plan_ = BuildPlan(programs_, options_.weight_order);
    DescribePlan(plan_.structure, &report_);
    if (absl::Status s = CheckRelease(); !s.ok()) return s;
    for (size_t i = 0; i < signatures_.size(); ++i) {
      const Program& program = programs_[i];
      if (i > 0)
        report_.notes.push_back(
            fmt::format("the plan also has a program for signature '{}': {} steps, arena {} bytes",
                        program.key, program.steps.size(), program.memory.arena_bytes));
      DescribePlacement(placed_[i], devices_, program, placed_programs[i] >= 0, &report_);
    }
    return absl::OkStatus();
  }

  // Whether the runtime that is asked for opens the plan.
  absl::Status CheckRelease() const {
    if (options_.release.empty()) return absl::OkStatus();
    const Release* release = FindRelease(options_.release);
    if (release == nullptr)
      return absl::InvalidArgumentError(fmt::format("--for {}: the releases known here are {}",
                                                    options_.release, KnownReleases()));
    Problems problems;
    for (std::string& sentence : TooNewFor(plan_.structure, *release))
      problems.Add(
          Problem{.reason = std::move(sentence), .code = absl::StatusCode::kUnimplemented});
    return problems.ToStatus();
  }

  absl::Status AddProgram(const SignatureConversion& signature, const Partition& partition,
                          const char* variant) {
    absl::StatusOr<Program> program = signature.Plan(partition, devices_);
    if (!program.ok()) return program.status();
    program->variant = variant;
    programs_.push_back(*std::move(program));
    return absl::OkStatus();
  }

  absl::Status Write() {
    if (options_.output.empty()) return absl::OkStatus();
    absl::StatusOr<int64_t> written = WritePlan(plan_, options_.output);
    if (!written.ok()) return written.status();
    report_.plan_bytes = *written;
    return absl::OkStatus();
  }

  const ConvertOptions& options_;
  ConversionReport& report_;
  PassRecorder recorder_{options_, &report_};
  ImportedModel model_;
  Resources resources_;
  std::vector<std::unique_ptr<SignatureConversion>> signatures_;
  const DeviceSet devices_ = DevicesOfThisBuild(options_.place.gpu_precision);
  std::vector<PlacedGraph> placed_;  // by signature
  std::vector<Program> programs_;    // the hosts', by signature; then those for devices
  BuiltPlan plan_;                   // of the programs
};

}  // namespace

absl::Status Convert(const ConvertOptions& options, ConversionReport* report) {
  // Constants are folded by the runtime's kernels.
  if (const Status& status = ChosenInstructionSet().status; !status.ok())
    return absl::UnavailableError(status.what());
  const Clock::time_point start = Clock::now();
  report->model = options.model;
  report->plan = options.output;
  absl::Status status = Conversion(options, report).Run();
  report->succeeded = status.ok();
  if (!status.ok()) report->problems = ProblemsOf(status);
  report->total_ms = MillisecondsSince(start);
  rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) == 0) report->peak_rss_bytes = usage.ru_maxrss * 1024;
  return status;
}

}  // namespace linnet::converter
