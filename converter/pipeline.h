// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "converter/pass/pass.h"

namespace linnet::converter {

// Which of the graph's two vocabularies passes read.
enum class Vocabulary { kTensorFlow, kLinnet };

// Passes that run one after another, again and again while any of them finds something to do.
struct Stage {
  std::string_view name;
  Vocabulary vocabulary;
  std::vector<Pass> passes;
  int max_rounds = 1;
};

// What the converter runs, in order. pass/passes.def says why in this order.
std::span<const Stage> Pipeline();
// Its last stage, for graphs of which the host runs all steps. Devices are chosen before it.
std::span<const Stage> HostStage();
std::span<const Stage> StagesBeforeHost();

// nullptr when there is none of that name.
const Pass* FindPass(std::string_view name);

// One execution of one pass.
struct PassRun {
  std::string_view stage, pass;
  int round = 0;  // of the stage, from 0
  int rewrites = 0;
  int nodes = 0;  // op nodes afterwards
  double milliseconds = 0.0;
};

// Is called after each pass, also one that changed nothing: for the report's table, --dump-after.
using PassObserver = std::function<void(const PassRun& run, const Graph& graph)>;

// Runs one pass and, in LINNET_DCHECKS builds, the graph verifier after it. Errors name the pass
// only when they are Linnet's own bugs (Internal).
absl::StatusOr<int> RunPass(const Pass& pass, Graph& graph, const PassContext& context);

// Runs the whole pipeline, or `stages`, over `graph`. `observer` may be null. On failure the graph
// is as the failing pass left it. Stages of Linnet's vocabulary go on into the regions of
// structured nodes, each a graph of its own.
absl::Status RunPipeline(Graph& graph, const PassContext& context,
                         const PassObserver& observer = nullptr);
absl::Status RunStages(std::span<const Stage> stages, Graph& graph, const PassContext& context,
                       const PassObserver& observer = nullptr);

}  // namespace linnet::converter
