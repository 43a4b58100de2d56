// SPDX-License-Identifier: Apache-2.0
// Portable elementwise kernels on one thread: "ns" is the time per element. 2048 elements stay in
// the first-level cache, a million in the third, 16 million in none. "Copy" is memcpy, beside
// which the kernels of one input can be set: they move as many bytes. With "threads:N", as many
// threads as the machine has cores share the memory, each with elements of its own.
#include <benchmark/benchmark.h>

#include <cstring>
#include <new>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/kernels/binary.h"
#include "runtime/kernels/normalize.h"
#include "runtime/kernels/unary.h"

namespace linnet::kernels {
namespace {

constexpr int64_t kSizes[] = {2048, 1 << 20, 16 << 20};

// Aligned like tensors.
class Floats {
 public:
  Floats(int64_t count, float least) : data_(new (std::align_val_t{64}) float[count]) {
    std::minstd_rand generator(1);
    std::uniform_real_distribution<float> uniform(least, 4);
    for (int64_t i = 0; i < count; ++i) data_[i] = uniform(generator);
  }
  ~Floats() { operator delete[](data_, std::align_val_t{64}); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;
  float* data() const { return data_; }

 private:
  float* data_;
};

// Measures f(in, out) for `count` elements from `least` on.
template <typename F>
void Measure(benchmark::State& state, int64_t count, float least, const F& f) {
  const Floats in(count, least), out(count, least);
  for (auto _ : state) {
    f(in.data(), out.data());
    benchmark::ClobberMemory();
  }
  state.counters["ns"] = benchmark::Counter(
      1e-9 * static_cast<double>(count),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The least element with which a function is measured: logarithms and roots where they are numbers.
float LeastFor(std::string_view name) {
  for (const std::string_view of_positive : {"UnaryLog", "UnaryLog1p", "UnarySqrt", "UnaryRsqrt"})
    if (name == of_positive) return 0x1p-10f;
  return -4;
}

template <typename F>
void Register(const std::string& name, const F& f) {
  const float least = LeastFor(name);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const int64_t size : kSizes) {
    auto* added = benchmark::RegisterBenchmark(
        (name + "/" + std::to_string(size)).c_str(), [f, size, least](benchmark::State& state) {
          Measure(state, size, least, [&](const float* in, float* out) { f(in, size, out); });
        });
    if (size == kSizes[2] && cores > 1) added->Threads(1)->Threads(cores)->UseRealTime();
  }
}

void RegisterUnary() {
  Register("Copy", [](const float* in, int64_t n, float* out) {
    std::memcpy(out, in, static_cast<size_t>(n) * sizeof(float));
  });
#define LINNET_REGISTER(name) \
  Register("Unary" #name,     \
           [](const float* in, int64_t n, float* out) { Unary##name(in, n, 0.1f, out); });
  LINNET_UNARY_F32(LINNET_REGISTER)
#undef LINNET_REGISTER
  Register("Clamp", [](const float* in, int64_t n, float* out) { Clamp(in, n, 0.0f, 6.0f, out); });
  Register("Prelu", [](const float* in, int64_t n, float* out) { Prelu(in, in, 1, n, out); });
}

void RegisterBinary() {
#define LINNET_REGISTER(name) \
  Register("Binary" #name,    \
           [](const float* in, int64_t n, float* out) { Binary##name(in, in, n, 0, 6, out); });
  LINNET_BINARY_F32(LINNET_REGISTER)
#undef LINNET_REGISTER
}

void RegisterSoftmax() {
  for (const int64_t cols : {8, 32, 128, 1024}) {
    Register("Softmax" + std::to_string(cols), [cols](const float* in, int64_t n, float* out) {
      Softmax(in, n / cols, cols, out, {});
    });
    Register("LogSoftmax" + std::to_string(cols), [cols](const float* in, int64_t n, float* out) {
      LogSoftmax(in, n / cols, cols, out, {});
    });
  }
}

}  // namespace
}  // namespace linnet::kernels

int main(int argc, char** argv) {
  linnet::kernels::RegisterUnary();
  linnet::kernels::RegisterBinary();
  linnet::kernels::RegisterSoftmax();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
