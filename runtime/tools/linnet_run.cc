// SPDX-License-Identifier: Apache-2.0
// linnet-run: runs, measures and profiles a plan. Uses the public C API only.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "linnet/linnet.h"
#include "platform/removed_at_signal.h"
#include "runtime/core/printable.h"
#include "runtime/tools/arguments.h"
#include "runtime/tools/backend_names.h"
#include "runtime/tools/benchmark.h"
#include "runtime/tools/cache_file.h"
#include "runtime/tools/current_shape.h"
#include "runtime/tools/device_measurement.h"
#include "runtime/tools/file_writer.h"
#include "runtime/tools/input_names.h"
#include "runtime/tools/json_writer.h"
#include "runtime/tools/kernel_measurement.h"
#include "runtime/tools/machine_bounds.h"
#include "runtime/tools/noise.h"
#include "runtime/tools/npy.h"
#include "runtime/tools/outputs.h"
#include "runtime/tools/step_bounds.h"
#include "runtime/tools/step_times.h"

namespace linnet::tools {
namespace {

enum ExitCode { kGood = 0, kUsage = 1, kBadPlan = 2, kRunFailed = 3 };

// One invocation: opens the plan, fills its inputs, runs it and reports. Every stage returns an
// ExitCode.
class Runner {
 public:
  // A quiet one does not say again what the first one has said.
  explicit Runner(const Arguments& arguments, bool is_quiet = false)
      : arguments_(arguments), is_quiet_(is_quiet), cache_(arguments.cache) {}
  ~Runner() {
    kernels_.reset();
    linnet_session_destroy(session_);
    linnet_plan_close(plan_);
  }

  int Run() {
    for (const auto stage : {&Runner::Open, &Runner::PrepareInputs, &Runner::FirstRun,
                             &Runner::TakeOutputs, &Runner::Bench, &Runner::WriteMeasurement,
                             &Runner::MeasureKernels, &Runner::MeasureMachine}) {
      const int code = (this->*stage)();
      if (code != kGood) return code;
    }
    if (arguments_.json)
      PrintJson();
    else
      PrintText();
    return kGood;
  }

 private:
  static int Fail(int code, const std::string& text) {
    std::fprintf(stderr, "linnet-run: %s\n", Printable(text).c_str());
    return code;
  }

  int Open() {
    rss_before_ = ResidentBytes();
    const int64_t start = NowNs();
    linnet_error error{};
    if (linnet_plan_open_file(arguments_.plan.c_str(), nullptr, &plan_, &error) != LINNET_OK)
      return Fail(kBadPlan, arguments_.plan + ": " + error.text);
    linnet_session_options options = Options();
    FileBytes kernels;
    for (const int code : {UseCache(&options), UseKernels(&options, &kernels)})
      if (code != kGood) return code;
    if (linnet_session_create(plan_, &options, &session_, &error) != LINNET_OK)
      return Fail(error.status == LINNET_INVALID_ARGUMENT ? kUsage : kBadPlan,
                  arguments_.plan + ": " + error.text);
    load_ns_ = NowNs() - start;
    if (arguments_.backend == LINNET_BACKEND_VULKAN) NoteCpu();
    if (const char* why = BackendNow().why_cache_refused; why != nullptr)
      std::fprintf(stderr, "linnet-run: note: %s is not used: %s\n",
                   Printable(arguments_.cache).c_str(), why);
    return cache_.problem().empty() ? kGood : Fail(kUsage, cache_.problem());
  }

  linnet_session_options Options() const {
    linnet_session_options options{};
    options.struct_size = sizeof(options);
    options.signature = arguments_.has_signature ? arguments_.signature.c_str() : nullptr;
    options.backend = arguments_.backend;
    options.threads = arguments_.threads;
    options.max_bytes = static_cast<size_t>(arguments_.max_bytes);
    if (!arguments_.self_test) options.flags |= LINNET_SESSION_NO_SELF_TEST;
    return options;
  }

  int UseKernels(linnet_session_options* options, FileBytes* bytes) const {
    const std::string& path = arguments_.kernels;
    if (path.empty()) return kGood;
    if (const Status status = bytes->Read(path.c_str()); !status.ok())
      return Fail(kUsage, "cannot read " + path + ": " + status.what());
    options->kernels = bytes->data();
    options->kernels_bytes = static_cast<size_t>(bytes->bytes());
    return kGood;
  }

  int UseCache(linnet_session_options* options) {
    if (arguments_.cache.empty()) return kGood;
    const std::string problem = cache_.AddTo(options);
    return problem.empty() ? kGood : Fail(kUsage, problem);
  }

  // Says why the GPU runs nothing.
  void NoteCpu() const {
    const linnet_backend_info info = BackendNow();
    if (info.backend != LINNET_BACKEND_VULKAN)
      std::fprintf(stderr, "linnet-run: note: the CPU runs the plan: %s\n",
                   Printable(info.why_not_gpu).c_str());
  }

  linnet_backend_info BackendNow() const {
    linnet_backend_info info{};
    info.struct_size = sizeof(info);
    linnet_session_backend(session_, &info);
    return info;
  }

  // Loads the values of all inputs. They are kept here, because a run may overwrite an input's
  // memory.
  int PrepareInputs() {
    const int32_t count = linnet_session_num_inputs(session_);
    inputs_.resize(static_cast<size_t>(count));
    std::vector<bool> given(inputs_.size());
    for (const InputFile& file : arguments_.inputs) {
      const int32_t index = linnet_session_find_input(session_, file.name.c_str());
      if (index < 0) return Fail(kUsage, NoSuchInput(session_, file.name));
      NpyArray array;
      std::string problem = ReadNpy(file.path, &array);
      if (problem.empty()) problem = TakeShape(session_, index, array);
      const linnet_tensor_info info = InputNow(session_, index);
      inputs_[index].resize(static_cast<size_t>(info.bytes));
      if (problem.empty()) problem = CopyToTensor(array, info, inputs_[index].data());
      if (!problem.empty()) return Fail(kUsage, "input '" + file.name + "': " + problem);
      if (IsRounded(array, info) && !is_quiet_)
        std::fprintf(stderr, "linnet-run: note: %s has float64, which is rounded to float32\n",
                     Printable(file.path).c_str());
      given[index] = true;
    }
    for (int32_t i = 0; i < count; ++i) {
      if (given[i]) continue;
      const linnet_tensor_info info = InputNow(session_, i);
      inputs_[i].resize(static_cast<size_t>(info.bytes));
      FillNoise(info, /*seed=*/0, static_cast<uint64_t>(i), inputs_[i].data());
      if (is_quiet_) continue;
      std::fprintf(stderr, "linnet-run: input '%s' has no file and is filled with noise (seed 0)\n",
                   Printable(info.name).c_str());
    }
    return kGood;
  }

  void Feed(linnet_session* session) const {
    for (size_t i = 0; i < inputs_.size(); ++i)
      std::memcpy(linnet_session_input_data(session, static_cast<int32_t>(i)), inputs_[i].data(),
                  inputs_[i].size());
  }

  // One timed run, after which the session may be the CPU's.
  int TimedRun(int64_t* ns) {
    Feed(session_);
    const std::string problem = TimeRun(session_, ns);
    if (!problem.empty()) return Fail(kRunFailed, problem);
    if (!device_lost_ && BackendNow().device_lost != 0) {
      device_lost_ = true;
      step_times_.Clear();  // they are of the steps that no longer run
      NoteCpu();
    }
    return kGood;
  }

  int FirstRun() {
    linnet_session_enable_profile(session_, arguments_.times_steps());
    const int code = TimedRun(&first_ns_);
    rss_growth_ = ResidentBytes() - rss_before_;
    step_times_.Record(session_);
    return code;
  }

  int TakeOutputs() {
    outputs_ = ReadOutputs(session_);
    if (arguments_.output_dir.empty()) return kGood;
    std::string problem = MakeFolder(arguments_.output_dir);
    if (!problem.empty()) return Fail(kUsage, problem);
    problem = WriteOutputs(session_, arguments_.output_dir, &outputs_);
    return problem.empty() ? kGood : Fail(kRunFailed, problem);
  }

  int Bench() {
    if (!arguments_.runs_often()) return kGood;
    int64_t ns = 0;
    for (int i = 0; i < arguments_.warmup; ++i)
      if (const int code = TimedRun(&ns); code != kGood) return code;
    const int64_t start = NowNs();
    const int limit = arguments_.runs > 0 ? arguments_.runs : kMaxBenchRuns;
    step_times_.Clear();
    while (static_cast<int>(times_.ns.size()) < limit) {
      if (const int code = TimedRun(&ns); code != kGood) return code;
      times_.ns.push_back(ns);
      step_times_.Record(session_);
      if (arguments_.runs == 0 && NowNs() - start > kMaxBenchNs) break;
    }
    return kGood;
  }

  // Writes the times of the steps as a device profile: the GPU's, if it runs steps, and then the
  // CPU's too, because the converter compares both.
  int WriteMeasurement() {
    if (!arguments_.measures_device()) return kGood;
    std::vector<MeasuredDevice> devices = {step_times_.Measured(session_)};
    if (devices[0].key != "cpu") {
      Arguments arguments = arguments_;
      arguments.backend = LINNET_BACKEND_CPU;
      Runner cpu(arguments, /*is_quiet=*/true);
      for (const auto stage :
           {&Runner::Open, &Runner::PrepareInputs, &Runner::FirstRun, &Runner::Bench})
        if (const int code = (cpu.*stage)(); code != kGood) return code;
      devices.push_back(cpu.step_times_.Measured(cpu.session_));
    }
    const std::string problem = WriteFile(arguments_.measure_device, {DeviceProfileJson(devices)});
    return problem.empty() ? kGood : Fail(kRunFailed, problem);
  }

  int MeasureKernels() {
    if (arguments_.measure_kernels.empty()) return kGood;
    kernels_.emplace(plan_, Options(), session_, [this](linnet_session* s) { Feed(s); });
    std::string problem = kernels_->Run(arguments_);
    if (problem.empty()) problem = WriteFile(arguments_.measure_kernels, {kernels_->ProfileText()});
    return problem.empty() ? kGood : Fail(kRunFailed, problem);
  }

  // At the end, because its memory would count as the plan's.
  int MeasureMachine() {
    peak_rss_ = PeakResidentBytes();
    if (arguments_.bench && arguments_.profile)
      bounds_.emplace(MeasureMachineBounds(arguments_.threads), plan_, session_);
    return kGood;
  }

  const linnet_device* GpuInUse() const {
    return BackendNow().backend == LINNET_BACKEND_VULKAN ? linnet_get_device(1) : nullptr;
  }

  const SessionBounds* bounds() const { return bounds_.has_value() ? &*bounds_ : nullptr; }

  void WriteBench(JsonWriter& json) const {
    linnet_memory memory{};
    memory.struct_size = sizeof(memory);
    linnet_session_memory(session_, &memory);
    linnet_plan_stats stats{};
    stats.struct_size = sizeof(stats);
    linnet_plan_get_stats(plan_, &stats);
    json.Key("load_ms").Value(static_cast<double>(load_ns_) * 1e-6);
    json.Key("first_ms").Value(static_cast<double>(first_ns_) * 1e-6);
    json.Key("min_ms").Value(times_.MinMs());
    json.Key("median_ms").Value(times_.MedianMs());
    json.Key("p90_ms").Value(times_.QuantileMs(0.9));
    json.Key("mean_ms").Value(times_.MeanMs());
    json.Key("runs").Value(static_cast<int64_t>(times_.ns.size()));
    json.Key("threads").Value(arguments_.threads);
    json.Key("backend").Value(BackendName(BackendNow()));
    json.Key("self_test").Value(SelfTestName(BackendNow()));
    json.Key("xnnpack").Value(XnnpackPackage());
    json.Key("arena_bytes").Value(memory.arena);
    json.Key("session_bytes").Value(memory.block);
    json.Key("prepared_bytes").Value(memory.prepared);
    json.Key("backend_heap_bytes").Value(memory.backend_heap);
    json.Key("weights_bytes").Value(stats.weights_bytes);
    json.Key("plan_bytes").Value(stats.plan_bytes);
    json.Key("rss_growth_bytes").Value(rss_growth_);
    json.Key("peak_rss_bytes").Value(peak_rss_);
  }

  void PrintJson() const {
    JsonWriter json;
    json.BeginObject();
    AddOutputs(outputs_, json);
    if (arguments_.bench) WriteBench(json);
    if (arguments_.profile) {
      json.Key("steps");
      step_times_.AddTo(session_, bounds(), json);
    }
    if (bounds_.has_value()) bounds_->AddTo(json);
    if (kernels_.has_value()) {
      json.Key("kernels");
      kernels_->AddTo(json);
    }
    json.EndObject();
    std::printf("%s\n", json.text().c_str());
  }

  void PrintText() const {
    std::fputs(OutputsText(outputs_).c_str(), stdout);
    if (!arguments_.bench)
      std::printf("load %.3f ms, run %.3f ms (%s, %d threads)\n",
                  static_cast<double>(load_ns_) * 1e-6, static_cast<double>(first_ns_) * 1e-6,
                  BackendName(BackendNow()), arguments_.threads);
    else
      PrintBench();
    if (const linnet_device* gpu = GpuInUse())
      std::printf("GPU: %s; driver: %s\n", Printable(gpu->name).c_str(),
                  Printable(gpu->driver).c_str());
    if (BackendNow().self_test != LINNET_SELF_TEST_NONE)
      std::printf("self-test of the GPU: %s\n", SelfTestName(BackendNow()));
    if (arguments_.profile) std::fputs(step_times_.Table(session_, bounds()).c_str(), stdout);
    if (bounds_.has_value()) std::fputs(bounds_->Text(times_.MedianMs()).c_str(), stdout);
    if (arguments_.measures_device())
      std::printf("device profile: %s\n", Printable(arguments_.measure_device).c_str());
    if (kernels_.has_value())
      std::printf("kernel profile: %s: %s\n", Printable(arguments_.measure_kernels).c_str(),
                  kernels_->Text().c_str());
  }

  void PrintBench() const {
    linnet_memory memory{};
    memory.struct_size = sizeof(memory);
    linnet_session_memory(session_, &memory);
    std::printf("load      %10.3f ms\nfirst run %10.3f ms\n", static_cast<double>(load_ns_) * 1e-6,
                static_cast<double>(first_ns_) * 1e-6);
    std::printf("median    %10.3f ms   (min %.3f, p90 %.3f, %zu runs, %s, %d threads)\n",
                times_.MedianMs(), times_.MinMs(), times_.QuantileMs(0.9), times_.ns.size(),
                BackendName(BackendNow()), arguments_.threads);
    std::printf(
        "arena     %10.1f KiB\nsession   %10.1f KiB\nprepared  %10.1f KiB\nresident  %10.1f KiB "
        "grown\n",
        static_cast<double>(memory.arena) / 1024, static_cast<double>(memory.block) / 1024,
        static_cast<double>(memory.prepared) / 1024, static_cast<double>(rss_growth_) / 1024);
  }

  const Arguments& arguments_;
  const bool is_quiet_;
  CacheFile cache_;
  linnet_plan* plan_ = nullptr;
  linnet_session* session_ = nullptr;
  std::vector<std::vector<uint8_t>> inputs_;
  std::vector<Output> outputs_;
  int64_t rss_before_ = 0, rss_growth_ = 0, peak_rss_ = 0, load_ns_ = 0, first_ns_ = 0;
  bool device_lost_ = false;
  Times times_;
  StepTimes step_times_;
  std::optional<KernelMeasurement> kernels_;
  std::optional<SessionBounds> bounds_;
};

}  // namespace
}  // namespace linnet::tools

int main(int argc, char** argv) {
  // This program has no exceptions and cannot continue without memory.
  std::set_new_handler([] {
    linnet::RemovedAtSignal::RemoveAll();
    std::fputs("linnet-run: out of memory: there is not enough for the plan's inputs and outputs\n",
               stderr);
    std::_Exit(linnet::tools::kRunFailed);
  });
  linnet::tools::Arguments arguments;
  const std::string problem = linnet::tools::ParseArguments(argc, argv, &arguments);
  if (!problem.empty()) {
    std::fprintf(stderr, "linnet-run: %s (see linnet-run --help)\n",
                 linnet::Printable(problem).c_str());
    return linnet::tools::kUsage;
  }
  if (arguments.help) {
    std::printf("%s", linnet::tools::kHelp);
    return linnet::tools::kGood;
  }
  if (arguments.version) {
    std::printf("linnet-run %s, kernels: portable and %s\n", linnet_version(),
                linnet_cpu_kernels());
    return linnet::tools::kGood;
  }
  return linnet::tools::Runner(arguments).Run();
}
