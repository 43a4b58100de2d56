// SPDX-License-Identifier: Apache-2.0
// The floor of a plan's latency: its operators one after the other, without an interpreter.
// README.md explains the two placements. Prints one JSON object.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "runtime/backends/portable/backend.h"
#include "runtime/backends/xnnpack/backend.h"
#include "runtime/backends/xnnpack/support.h"
#include "runtime/core/denormals.h"
#include "runtime/session/thread_pool.h"
#include "runtime/tools/benchmark.h"
#include "runtime/tools/json_writer.h"
#include "tests/benchmarks/plan_operators.h"

namespace linnet {
namespace {

using tools::NowNs;
using tools::Times;

constexpr char kUsage[] =
    R"(usage: xnnpack_floor_benchmark PLAN [--threads N] [--placement NAME] [--only-xnnpack] [--operators]
  --placement session   (default) each operator on the backend that a session chooses
  --placement xnnpack   each operator on XNNPACK where that is able to run it, also where our kernel is faster
  --only-xnnpack        leave out what runs on our kernels
  --operators           write the time of every operator too
)";

struct Options {
  const char* plan = nullptr;
  int threads = 1;
  bool xnnpack_placement = false;
  bool only_xnnpack = false;
  bool write_operators = false;
};

bool Parse(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const auto is = [&](const char* word) { return std::strcmp(argv[i], word) == 0; };
    const char* next = i + 1 < argc ? argv[i + 1] : "";
    if (is("--only-xnnpack")) {
      options->only_xnnpack = true;
    } else if (is("--operators")) {
      options->write_operators = true;
    } else if (is("--threads")) {
      options->threads = std::atoi(next);
      ++i;
    } else if (is("--placement")) {
      options->xnnpack_placement = std::strcmp(next, "xnnpack") == 0;
      if (!options->xnnpack_placement && std::strcmp(next, "session") != 0) return false;
      ++i;
    } else if (argv[i][0] == '-' || options->plan != nullptr) {
      return false;
    } else {
      options->plan = argv[i];
    }
  }
  return options->plan != nullptr && options->threads > 0;
}

// Uses XNNPACK also for steps that are faster on our kernels.
class WheneverAble final : public Backend {
 public:
  const char* name() const override { return xnnpack_.name(); }
  const char* WhyUnsupported(const OpInstance& op) const override {
    return xnnpack::WhyUnable(op, features_);
  }
  Status Initialize() const override { return xnnpack_.Initialize(); }
  Status NewPackedWeights(int64_t bytes, Region& region, PackedWeights** out) const override {
    return xnnpack_.NewPackedWeights(bytes, region, out);
  }
  bool PacksInput(const OpInstance& op, int i) const override { return xnnpack_.PacksInput(op, i); }
  Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
              void** packed) const override {
    return xnnpack_.Pack(step, weights, region, packed);
  }
  Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                const Threads& threads, Region& region, RunnableStep** out,
                int64_t* workspace_bytes) const override {
    return xnnpack_.Create(step, weights, packed, threads, region, out, workspace_bytes);
  }

 private:
  const Backend& xnnpack_ = xnnpack::GetBackend();
  const xnnpack::XnnpackFeatures features_ = xnnpack::DeviceFeatures();
};

using Operators = std::vector<PlanOperators::Operator>;

bool RunsOnXnnpack(const PlanOperators::Operator& op) {
  return op.backend != &portable::GetBackend();
}

Operators Chosen(const PlanOperators& plan, bool only_xnnpack) {
  Operators chosen;
  for (const PlanOperators::Operator& op : plan.operators())
    if (!only_xnnpack || RunsOnXnnpack(op)) chosen.push_back(op);
  return chosen;
}

struct Figures {
  Times passes;
  std::vector<Times> operators;  // one per operator, from separate passes
};

Status Pass(const Operators& operators) {
  const FlushDenormals flush;
  for (const PlanOperators::Operator& op : operators) LINNET_RETURN_IF_ERROR(op.runnable->Run());
  return {};
}

Status ClockedPass(const Operators& operators, std::vector<Times>* times) {
  const FlushDenormals flush;
  int64_t before = NowNs();
  for (size_t i = 0; i < operators.size(); ++i) {
    LINNET_RETURN_IF_ERROR(operators[i].runnable->Run());
    const int64_t after = NowNs();
    (*times)[i].ns.push_back(after - before);
    before = after;
  }
  return {};
}

// As many runs as `linnet-run --bench` makes.
template <typename Run>
Status Repeat(PlanOperators& plan, Times* times, const Run& run) {
  const int64_t begin = NowNs();
  for (int i = 0; i < tools::kWarmupRuns + tools::kMaxBenchRuns; ++i) {
    plan.Feed();
    const int64_t start = NowNs();
    LINNET_RETURN_IF_ERROR(run());
    if (i >= tools::kWarmupRuns) times->ns.push_back(NowNs() - start);
    if (!times->ns.empty() && NowNs() - begin > tools::kMaxBenchNs) break;
  }
  return {};
}

Status Measure(PlanOperators& plan, const Operators& operators, Figures* figures) {
  LINNET_RETURN_IF_ERROR(Repeat(plan, &figures->passes, [&] { return Pass(operators); }));
  Times clocked;
  figures->operators.resize(operators.size());
  return Repeat(plan, &clocked, [&] { return ClockedPass(operators, &figures->operators); });
}

// The number of operators on XNNPACK (or on our kernels), and their share of the time.
void WriteShare(const Operators& operators, const Figures& figures, bool xnnpack,
                tools::JsonWriter& json) {
  int count = 0;
  double part = 0, whole = 0;
  for (size_t i = 0; i < operators.size(); ++i) {
    const double ms = figures.operators[i].MedianMs();
    whole += ms;
    if (RunsOnXnnpack(operators[i]) != xnnpack) continue;
    part += ms;
    ++count;
  }
  json.Key(xnnpack ? "xnnpack" : "portable").BeginObject();
  json.Key("operators").Value(count).Key("share").Value(whole > 0 ? part / whole : 0.0);
  json.EndObject();
}

void WriteOperators(const Operators& operators, const Figures& figures, tools::JsonWriter& json) {
  json.Key("operators").BeginArray();
  for (size_t i = 0; i < operators.size(); ++i) {
    const PlanOperators::Operator& op = operators[i];
    json.BeginObject();
    json.Key("op").Value(op.step->def->name).Key("source").Value(op.step->source);
    json.Key("backend").Value(op.backend->name());
    json.Key("median_us").Value(figures.operators[i].MedianMs() * 1e3);
    json.Key("min_us").Value(figures.operators[i].MinMs() * 1e3);
    json.EndObject();
  }
  json.EndArray();
}

void Write(const Options& options, const Operators& operators, const Figures& figures) {
  tools::JsonWriter json;
  json.BeginObject();
  json.Key("median_ms").Value(figures.passes.MedianMs());
  json.Key("min_ms").Value(figures.passes.MinMs());
  json.Key("runs").Value(static_cast<int64_t>(figures.passes.ns.size()));
  json.Key("threads").Value(options.threads);
  json.Key("placement").Value(options.xnnpack_placement ? "xnnpack" : "session");
  json.Key("library").Value(xnnpack::PackageFeatures().library);
  WriteShare(operators, figures, true, json);
  WriteShare(operators, figures, false, json);
  if (options.write_operators) WriteOperators(operators, figures, json);
  json.EndObject();
  std::printf("%s\n", json.text().c_str());
}

Status Run(const Options& options, Diagnostic* diagnostic) {
  const WheneverAble whenever_able;
  const Backend* const first = options.xnnpack_placement
                                   ? static_cast<const Backend*>(&whenever_able)
                                   : &xnnpack::GetBackend();
  const Backend* const backends[] = {first, &portable::GetBackend()};
  ThreadPool pool;
  LINNET_RETURN_IF_ERROR(pool.Open(options.threads));
  PlanOperators plan;
  LINNET_RETURN_IF_ERROR(plan.Open(options.plan, backends, pool.threads(), diagnostic));
  const Operators operators = Chosen(plan, options.only_xnnpack);
  Figures figures;
  LINNET_RETURN_IF_ERROR(Measure(plan, operators, &figures));
  Write(options, operators, figures);
  return {};
}

}  // namespace
}  // namespace linnet

int main(int argc, char** argv) {
  linnet::Options options;
  if (!linnet::Parse(argc, argv, &options)) return std::fputs(linnet::kUsage, stderr), 1;
  linnet::Diagnostic diagnostic;
  const linnet::Status status = linnet::Run(options, &diagnostic);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s: %s. %s\n", options.plan, status.what(), diagnostic.text);
  return 2;
}
