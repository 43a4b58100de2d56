// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "runtime/tools/arguments.h"
#include "runtime/tools/benchmark.h"
#include "runtime/tools/json_writer.h"
#include "runtime/tools/kernel_times.h"
#include "runtime/tools/step_times.h"

namespace linnet::tools {

// Times the kernels between which the steps of a plan have a choice, and finds the faster ones.
// Each candidate runs the whole plan in a session of its own, because what a step finds in caches
// depends on the step before it; the sessions take turns, so that whatever slows the machine down
// slows down all of them.
class KernelMeasurement {
 public:
  // `session`: one of the plan with `options`, on the CPU by the library's own rules. `feed` writes
  // the inputs of any session of the plan. All must outlive this object.
  KernelMeasurement(linnet_plan* plan, const linnet_session_options& options,
                    linnet_session* session, std::function<void(linnet_session*)> feed)
      : plan_(plan), options_(options), by_rules_(session), feed_(std::move(feed)) {}
  ~KernelMeasurement();
  KernelMeasurement(const KernelMeasurement&) = delete;
  KernelMeasurement& operator=(const KernelMeasurement&) = delete;

  // As many rounds as `arguments` say, by default until kMaxBenchRuns or kMaxMeasuringNs. Returns
  // "", or one sentence about what failed.
  std::string Run(const Arguments& arguments);

  // After Run: the profile, and what it brings, as an object and for people.
  std::string ProfileText() const { return KernelProfileText(kinds_, options_.threads); }
  void AddTo(JsonWriter& json) const;
  std::string Text() const;

 private:
  static constexpr int64_t kMaxMeasuringNs = 3 * kMaxBenchNs;
  static constexpr int kMinRounds = 5;

  void FindKinds();
  std::string OpenWith(const std::string& profile, linnet_session** session) const;
  std::string OpenCandidates();
  std::string RunAll(std::span<linnet_session* const> sessions, const Arguments& arguments,
                     const std::function<void(size_t, int64_t)>& record) const;
  void TakeTimes();
  int64_t num_changed() const;  // kinds for which the rules choose the slower one

  linnet_plan* const plan_;
  const linnet_session_options options_;
  linnet_session* const by_rules_;
  const std::function<void(linnet_session*)> feed_;
  std::vector<KindTimes> kinds_;
  std::vector<int> kind_of_;  // by step: index into kinds_, or -1
  std::vector<linnet_session*> candidates_;
  std::vector<StepTimes> step_times_;  // by candidate
  linnet_session* by_profile_ = nullptr;
  Times by_rules_times_, by_profile_times_;  // of whole runs, taking turns
};

}  // namespace linnet::tools
