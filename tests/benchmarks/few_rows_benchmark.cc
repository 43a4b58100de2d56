// SPDX-License-Identifier: Apache-2.0
// Products of few rows by weights in f32, f16 and affine u8 that no cache holds, or that a cache
// holds, beside a loop that only reads from memory, on as many threads. "GB/s" is to be compared in
// the same run, because other programs may use the memory too; "Gweights/s" is what counts for a
// model.
#include <benchmark/benchmark.h>

#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "runtime/core/encoding.h"
#include "runtime/kernels/fully_connected.h"
#include "runtime/threads/team.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kWeights = 4096 * 16384;

// The weights of all benchmarks: 256 MB. Large filters begin in other parts of it from run to run.
// No byte is 0, so that no float is subnormal: only sessions flush those, and some CPUs take a
// hundred cycles for each.
std::byte* Weights() {
  static auto* const weights = [] {
    constexpr size_t kBytes = kWeights * sizeof(float);
    auto* memory = static_cast<std::byte*>(::operator new (kBytes, std::align_val_t{4096}));
    for (size_t i = 0; i < kBytes; ++i) memory[i] = static_cast<std::byte>(1 + i * 37 % 57);
    return memory;
  }();
  return weights;
}

class Threads {
 public:
  explicit Threads(int64_t count) : team_(Team::Open(static_cast<int>(count))) {}
  ~Threads() { team_->Close(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  Parallel parallel() { return team_->parallel(); }

 private:
  Team* team_;
};

void Count(benchmark::State& state, int64_t bytes, int64_t weights) {
  constexpr auto kRate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["GB/s"] = benchmark::Counter(1e-9 * static_cast<double>(bytes), kRate);
  if (weights > 0)
    state.counters["Gweights/s"] = benchmark::Counter(1e-9 * static_cast<double>(weights), kRate);
}

// A loop that does nothing but read. Where it prefetches, it reads four places at once, as the
// products do: one or the other is faster, depending on the machine.
template <bool kPrefetches>
bool Read(const std::byte* begin, int64_t bytes) {
  typedef uint64_t Words __attribute__((vector_size(16)));
  constexpr int64_t kLine = 64, kAhead = 1024, kPlaces = kPrefetches ? 4 : 1;
  Words all[4] = {};
  for (int64_t at = 0; at < bytes / kPlaces; at += kLine) {
    for (int64_t place = 0; place < kPlaces; ++place) {
      const std::byte* line = begin + place * (bytes / kPlaces) + at;
      if (kPrefetches) __builtin_prefetch(line + kAhead);
      for (int i = 0; i < 4; ++i) all[i] |= *reinterpret_cast<const Words*>(line + i * 16);
    }
  }
  const Words any = all[0] | all[1] | all[2] | all[3];
  return (any[0] | any[1]) != 0;
}

template <bool kPrefetches>
void BM_Read(benchmark::State& state) {
  Threads threads(state.range(0));
  constexpr int64_t kBytes = kWeights * sizeof(float), kPart = 1 << 20;
  const std::byte* weights = Weights();
  for (auto _ : state) {
    ParallelRanges(threads.parallel(), kBytes / kPart, 1, [&](int64_t begin, int64_t end) {
      benchmark::DoNotOptimize(Read<kPrefetches>(weights + begin * kPart, (end - begin) * kPart));
    });
  }
  Count(state, kBytes, 0);
}
BENCHMARK(BM_Read<false>)->ArgNames({"threads"})->Arg(1)->Arg(2)->UseRealTime();
BENCHMARK(BM_Read<true>)->ArgNames({"threads"})->Arg(1)->Arg(2)->UseRealTime();

// Rows, depth, columns, threads.
void FewRows(benchmark::State& state, schema::Encoding encoding) {
  const FullyConnectedShape shape = {state.range(0), state.range(1), state.range(2)};
  const int64_t weights = shape.depth * shape.cols;
  const int64_t bytes = weights * DTypeBytes(StoredDType(DType::kFloat32, encoding));
  const int64_t parts = weights == kWeights ? kWeights * int64_t{sizeof(float)} / bytes : 1;
  std::vector<float> in(static_cast<size_t>(shape.rows * shape.depth), 1.0f);
  std::vector<float> out(static_cast<size_t>(shape.rows * shape.cols));
  Threads threads(state.range(3));
  int64_t part = 0;
  for (auto _ : state) {
    const EncodedPanels panels = {Weights() + part * bytes, encoding, 0.0123456789, -1.604938257};
    part = (part + 1) % parts;
    EncodedFilter encoded;
    Filter filter = {reinterpret_cast<const float*>(panels.data)};
    if (encoding != schema::Encoding::Panels16) {
      if (!ReadsEncoded(encoding)) return state.SkipWithError("decoded when a plan is loaded");
      encoded = MakeEncodedFilter(panels, /*in_halves=*/false);
      filter.encoded = &encoded;
    }
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    FullyConnected(shape, in.data(), filter, nullptr, -kInfinity, kInfinity, out.data(),
                   threads.parallel());
    benchmark::ClobberMemory();
  }
  Count(state, bytes, weights);
}

void Sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgNames({"rows", "depth", "cols", "threads"})->UseRealTime();
  for (const int64_t threads : {1, 2}) {
    for (const int64_t rows : {1, 2, 4, 8}) benchmark->Args({rows, 4096, 16384, threads});
    for (const int64_t rows : {1, 4, 8}) benchmark->Args({rows, 1280, 1008, threads});
  }
}
BENCHMARK_CAPTURE(FewRows, F32, schema::Encoding::Panels16)->Apply(Sizes);
BENCHMARK_CAPTURE(FewRows, F16, schema::Encoding::Panels16Float16)->Apply(Sizes);
BENCHMARK_CAPTURE(FewRows, U8, schema::Encoding::Panels16AffineU8)->Apply(Sizes);

}  // namespace
}  // namespace linnet::kernels
