// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/step_bounds.h"

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <string_view>

#include "runtime/tools/current_shape.h"
#include "runtime/tools/kernel_times.h"
#include "runtime/tools/step_info.h"

namespace linnet::tools {
namespace {

bool RunsOnCpu(const linnet_step_info& step) {
  return std::find(std::begin(kKernelBackends), std::end(kKernelBackends),
                   std::string_view(step.backend)) != std::end(kKernelBackends);
}

bool IsOneOf(const linnet_step_info& step, std::initializer_list<std::string_view> ops) {
  return std::find(ops.begin(), ops.end(), step.op) != ops.end();
}

// Takes rows of a table, so that the table's size says nothing about what is read.
bool LooksUp(const linnet_step_info& step) {
  return IsOneOf(step, {"Gather", "GatherNd", "Lookup"});
}

// Takes part of what was computed, or knows its outputs without reading that or finds them in it.
bool ReadsLess(const linnet_step_info& step) {
  return IsOneOf(step, {"Slice", "CropAndResize", "Reshape", "ShapeOf"});
}

// Runs other steps, none to many times.
bool IsControlFlow(const linnet_step_info& step) { return IsOneOf(step, {"While", "If"}); }

std::vector<linnet_step_info> StepsOf(const linnet_session* session) {
  std::vector<linnet_step_info> steps(static_cast<size_t>(linnet_session_num_steps(session)));
  for (size_t i = 0; i < steps.size(); ++i) steps[i] = InfoOf(session, static_cast<int>(i));
  return steps;
}

// Steps and ports tell the largest sizes that they may have.
bool HasLargestInputs(const linnet_session* session) {
  for (int32_t i = 0; i < linnet_session_num_inputs(session); ++i)
    if (InputNow(session, i).bytes != linnet_session_input_info(session, i)->bytes) return false;
  return true;
}

RunData DataOf(const linnet_plan* plan, const linnet_session* session) {
  linnet_plan_stats stats{};
  stats.struct_size = sizeof(stats);
  linnet_plan_get_stats(plan, &stats);
  RunData data = {.weights = stats.weights_bytes};
  for (int32_t i = 0; i < linnet_session_num_inputs(session); ++i)
    data.ports += InputNow(session, i).bytes;
  for (int32_t i = 0; i < linnet_session_num_outputs(session); ++i)
    data.ports += OutputNow(session, i).bytes;
  return data;
}

}  // namespace

std::optional<double> Bound::ShareOf(double measured_ms) const {
  if (measured_ms <= 0.0) return std::nullopt;
  return ms() / measured_ms;
}

Bound BoundOf(const MachineBounds& machine, int64_t macs, int64_t bytes) {
  Bound bound;
  if (machine.fma_gflops > 0.0)
    bound.fma_ms = 2.0 * static_cast<double>(macs) / machine.fma_gflops * 1e-6;
  if (machine.memory_gb_per_s() > 0.0)
    bound.memory_ms = static_cast<double>(bytes) / machine.memory_gb_per_s() * 1e-6;
  return bound;
}

std::optional<Bound> BoundOfStep(const MachineBounds& machine, const linnet_step_info& step) {
  if (!RunsOnCpu(step) || LooksUp(step) || ReadsLess(step)) return std::nullopt;
  return BoundOf(machine, step.macs, step.bytes);
}

std::optional<Bound> BoundOfRun(const MachineBounds& machine,
                                std::span<const linnet_step_info> steps, const RunData& data) {
  int64_t macs = 0, weights = data.weights;
  for (const linnet_step_info& step : steps) {
    if (!RunsOnCpu(step)) return std::nullopt;
    macs += step.macs;
    if (LooksUp(step)) weights -= step.bytes;
  }
  return BoundOf(machine, macs, std::max<int64_t>(weights, 0) + data.ports);
}

SessionBounds::SessionBounds(const MachineBounds& machine, const linnet_plan* plan,
                             const linnet_session* session)
    : machine_(machine), steps_(StepsOf(session)) {
  known_ = HasLargestInputs(session) && std::none_of(steps_.begin(), steps_.end(), IsControlFlow);
  if (known_) run_ = BoundOfRun(machine, steps_, DataOf(plan, session));
}

std::optional<Bound> SessionBounds::OfStep(int step) const {
  if (!known_) return std::nullopt;
  return BoundOfStep(machine_, steps_[static_cast<size_t>(step)]);
}

void SessionBounds::AddTo(JsonWriter& json) const {
  json.Key("fma_gflops").Value(machine_.fma_gflops);
  json.Key("memory_gb_per_s").Value(machine_.memory_gb_per_s());
  if (!run_.has_value()) return;
  json.Key("fma_bound_ms").Value(run_->fma_ms).Key("memory_bound_ms").Value(run_->memory_ms);
}

std::string SessionBounds::Text(double median_ms) const {
  char line[160];
  std::snprintf(
      line, sizeof(line),
      "machine   %10.1f GFLOP/s of multiply-adds, memory reads %.1f and copies %.1f GB/s\n",
      machine_.fma_gflops, machine_.read_gb_per_s, machine_.copy_gb_per_s);
  std::string text = line;
  if (!run_.has_value()) return text;
  std::snprintf(line, sizeof(line), "bounds    %10.3f ms of multiply-adds, %.3f ms of memory",
                run_->fma_ms, run_->memory_ms);
  text += line;
  if (const auto share = run_->ShareOf(median_ms)) {
    std::snprintf(line, sizeof(line), "; the median is at %.0f %% of the larger one", *share * 100);
    text += line;
  }
  return text + '\n';
}

}  // namespace linnet::tools
