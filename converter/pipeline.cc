// SPDX-License-Identifier: Apache-2.0
#include "converter/pipeline.h"

#include <chrono>
#include <string>

#include "converter/graph/structured_node.h"
#include "converter/graph/verifier.h"
#include "converter/pass/passes.h"
#include "fmt/format.h"

namespace linnet::converter {
namespace {

std::vector<Stage> MakeStages() {
  std::vector<Stage> stages;
#define STAGE(name, vocabulary, rounds) \
  stages.push_back({#name, Vocabulary::vocabulary, {}, rounds});
#define PASS(folder, name, Function, summary) \
  stages.back().passes.push_back({#name, Function, summary});
#include "converter/pass/passes.def"
#undef PASS
#undef STAGE
  return stages;
}

}  // namespace

std::span<const Stage> Pipeline() {
  static const auto* const kStages = new std::vector<Stage>(MakeStages());
  return *kStages;
}

std::span<const Stage> HostStage() { return Pipeline().last(1); }

std::span<const Stage> StagesBeforeHost() { return Pipeline().first(Pipeline().size() - 1); }

const Pass* FindPass(std::string_view name) {
  for (const Stage& stage : Pipeline())
    for (const Pass& pass : stage.passes)
      if (pass.name == name) return &pass;
  return nullptr;
}

absl::StatusOr<int> RunPass(const Pass& pass, Graph& graph, const PassContext& context) {
  absl::StatusOr<int> rewrites = pass.run(graph, context);
  if (absl::IsInternal(rewrites.status()))
    return absl::InternalError(
        fmt::format("pass {}: {}", pass.name, std::string(rewrites.status().message())));
#if defined(LINNET_DCHECKS) && LINNET_DCHECKS
  if (rewrites.ok())
    if (absl::Status status = VerifyGraph(graph); !status.ok())
      return absl::InternalError(
          fmt::format("after pass {}: {}", pass.name, std::string(status.message())));
#endif
  return rewrites;
}

absl::Status RunStages(std::span<const Stage> stages, Graph& graph, const PassContext& context,
                       const PassObserver& observer) {
  using Clock = std::chrono::steady_clock;
  for (const Stage& stage : stages) {
    for (int round = 0; round < stage.max_rounds; ++round) {
      int changes = 0;
      for (const Pass& pass : stage.passes) {
        const Clock::time_point start = Clock::now();
        absl::StatusOr<int> rewrites = RunPass(pass, graph, context);
        if (!rewrites.ok()) return rewrites.status();
        changes += *rewrites;
        if (!observer) continue;
        const std::chrono::duration<double, std::milli> elapsed = Clock::now() - start;
        observer({stage.name, pass.name, round, *rewrites, graph.num_op_nodes(), elapsed.count()},
                 graph);
      }
      if (changes == 0) break;
    }
    // Not so for TensorFlow's: legalize has put the regions into Linnet's vocabulary already.
    if (stage.vocabulary != Vocabulary::kLinnet) continue;
    for (const Node* node : StructuredNodes(graph))
      for (const auto& region : node->regions())
        if (absl::Status s = RunStages({&stage, 1}, *region, context, observer); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status RunPipeline(Graph& graph, const PassContext& context, const PassObserver& observer) {
  return RunStages(Pipeline(), graph, context, observer);
}

}  // namespace linnet::converter
