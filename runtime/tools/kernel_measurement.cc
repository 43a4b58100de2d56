// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/kernel_measurement.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "runtime/tools/step_info.h"

namespace linnet::tools {
namespace {

std::string KindOf(const linnet_session* session, int step) {
  const int32_t length = linnet_session_step_kind(session, step, nullptr, 0);
  if (length <= 0) return "";
  std::string kind(static_cast<size_t>(length) + 1, '\0');
  linnet_session_step_kind(session, step, kind.data(), kind.size());
  kind.pop_back();  // NUL
  return kind;
}

// Inputs of `to` get the shapes that those of `from` have.
void CopyShapes(const linnet_session* from, linnet_session* to) {
  for (int32_t i = 0; i < linnet_session_num_inputs(from); ++i) {
    int64_t dims[LINNET_MAX_RANK];
    const int32_t rank = linnet_session_input_shape(from, i, dims);
    linnet_session_set_input_shape(to, i, dims, rank);
  }
}

}  // namespace

KernelMeasurement::~KernelMeasurement() {
  for (linnet_session* session : candidates_) linnet_session_destroy(session);
  linnet_session_destroy(by_profile_);
}

std::string KernelMeasurement::Run(const Arguments& arguments) {
  FindKinds();
  std::string problem = OpenCandidates();
  if (problem.empty())
    problem = RunAll(candidates_, arguments, [this](size_t candidate, int64_t) {
      step_times_[candidate].Record(candidates_[candidate]);
    });
  if (!problem.empty()) return problem;
  TakeTimes();
  problem = OpenWith(ProfileText(), &by_profile_);
  if (!problem.empty()) return problem;
  linnet_session_enable_profile(by_rules_, 0);
  linnet_session* const sessions[] = {by_rules_, by_profile_};
  return RunAll(sessions, arguments, [this](size_t session, int64_t ns) {
    (session == 0 ? by_rules_times_ : by_profile_times_).ns.push_back(ns);
  });
}

void KernelMeasurement::AddTo(JsonWriter& json) const {
  json.BeginObject();
  json.Key("measured").Value(static_cast<int64_t>(kinds_.size()));
  json.Key("changed").Value(num_changed());
  json.Key("rules_ms").Value(by_rules_times_.MedianMs());
  json.Key("profile_ms").Value(by_profile_times_.MedianMs());
  json.EndObject();
}

std::string KernelMeasurement::Text() const {
  char text[256];
  std::snprintf(text, sizeof(text),
                "of %zu kinds of steps with a choice, %lld run faster than by the built-in choice\n"
                "a run takes %.3f ms by the built-in choice, %.3f ms by the profile",
                kinds_.size(), static_cast<long long>(num_changed()), by_rules_times_.MedianMs(),
                by_profile_times_.MedianMs());
  return text;
}

int64_t KernelMeasurement::num_changed() const {
  return std::count_if(kinds_.begin(), kinds_.end(), [](const KindTimes& kind) {
    return FasterKernel(kind).backend != kind.rule;
  });
}

// Of the steps that have a choice.
void KernelMeasurement::FindKinds() {
  std::map<std::string, int> found;
  for (int i = 0; i < linnet_session_num_steps(by_rules_); ++i) {
    const std::string kind = KindOf(by_rules_, i);
    kind_of_.push_back(-1);
    if (kind.empty()) continue;
    const auto [at, is_new] = found.emplace(kind, static_cast<int>(kinds_.size()));
    if (is_new) kinds_.push_back({kind, InfoOf(by_rules_, i).backend, {}});
    kind_of_.back() = at->second;
  }
}

std::string KernelMeasurement::OpenWith(const std::string& profile,
                                        linnet_session** session) const {
  linnet_session_options options = options_;
  options.kernels = profile.data();
  options.kernels_bytes = profile.size();
  linnet_error error{};
  if (linnet_session_create(plan_, &options, session, &error) != LINNET_OK) return error.text;
  CopyShapes(by_rules_, *session);
  return "";
}

// One session for each backend, which runs all steps that have a choice.
std::string KernelMeasurement::OpenCandidates() {
  for (const char* backend : kKernelBackends) {
    std::vector<KindTimes> only = kinds_;
    for (KindTimes& kind : only) kind.times = {{.backend = backend}};
    linnet_session* session = nullptr;
    std::string problem = OpenWith(KernelProfileText(only, options_.threads), &session);
    if (!problem.empty()) return problem;
    linnet_session_enable_profile(session, 1);
    candidates_.push_back(session);
  }
  step_times_.resize(candidates_.size());
  return "";
}

// Rounds in which each session runs once. The first ones are not recorded.
std::string KernelMeasurement::RunAll(std::span<linnet_session* const> sessions,
                                      const Arguments& arguments,
                                      const std::function<void(size_t, int64_t)>& record) const {
  const int most = arguments.warmup + (arguments.runs > 0 ? arguments.runs : kMaxBenchRuns);
  int64_t start = NowNs();
  for (int round = 0; round < most; ++round) {
    if (round == arguments.warmup) start = NowNs();
    for (size_t i = 0; i < sessions.size(); ++i) {
      int64_t ns = 0;
      feed_(sessions[i]);
      std::string problem = TimeRun(sessions[i], &ns);
      if (!problem.empty()) return problem;
      if (round >= arguments.warmup) record(i, ns);
    }
    const bool is_late = NowNs() - start > kMaxMeasuringNs;
    if (arguments.runs == 0 && is_late && round + 1 >= arguments.warmup + kMinRounds) break;
  }
  return "";
}

// For each kind the mean over its steps. A kind of which no step ran has no times, and is left out.
void KernelMeasurement::TakeTimes() {
  std::vector<double> sums(kinds_.size());
  std::vector<int> counts(kinds_.size());
  for (size_t candidate = 0; candidate < candidates_.size(); ++candidate) {
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(counts.begin(), counts.end(), 0);
    for (size_t step = 0; step < kind_of_.size(); ++step) {
      if (kind_of_[step] < 0) continue;
      const auto kind = static_cast<size_t>(kind_of_[step]);
      sums[kind] += step_times_[candidate].MedianMs(static_cast<int>(step)) * 1e3;
      ++counts[kind];
    }
    for (size_t kind = 0; kind < kinds_.size(); ++kind)
      kinds_[kind].times.push_back({kKernelBackends[candidate], sums[kind] / counts[kind]});
  }
  std::erase_if(kinds_, [](const KindTimes& kind) {
    return std::all_of(kind.times.begin(), kind.times.end(),
                       [](const KernelTime& time) { return time.us == 0.0; });
  });
}

}  // namespace linnet::tools
