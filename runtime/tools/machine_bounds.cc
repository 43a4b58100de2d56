// SPDX-License-Identifier: Apache-2.0
#include "runtime/tools/machine_bounds.h"

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>

#include "linnet/linnet.h"
#include "runtime/tools/benchmark.h"
#include "runtime/tools/fma_loops.h"
#include "runtime/tools/simultaneous.h"

namespace linnet::tools {
namespace {

// Long beside the reading of a clock, short beside the time slices of a system.
constexpr int64_t kFmaSliceNs = 500'000;
constexpr int kFmaSlices = 8;
constexpr int kMemoryPasses = 2;

double FastestSlice(FmaLoop loop) {
  double best = 0.0;
  for (int slice = 0; slice < kFmaSlices; ++slice) {
    const int64_t begin = NowNs();
    int64_t now = begin, flops = 0;
    while (now - begin < kFmaSliceNs) {
      flops += loop();
      now = NowNs();
    }
    best = std::max(best, static_cast<double>(flops) / static_cast<double>(now - begin));
  }
  return best;
}

// Each thread's best slice counts, whether the others ran at that moment or not: registers are a
// core's own, and beside other processes there may be no slice in which all threads run.
double FmaGflops(int threads) {
  double best = 0.0;
  for (const FmaLoop loop : AllowedFmaLoops()) {
    double sum = 0.0;
    for (const ThreadWork& work : RunTogether(threads, [loop](int) { return FastestSlice(loop); }))
      sum += work.done;
    best = std::max(best, sum);
  }
  return best;
}

// Memory from the system, in huge pages where it has them, so that few translations of addresses
// are measured with it.
class LargeMemory {
 public:
  explicit LargeMemory(size_t bytes) : bytes_(bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
#if defined(MADV_HUGEPAGE)
    madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    data_ = static_cast<std::byte*>(memory);
  }
  ~LargeMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  LargeMemory(const LargeMemory&) = delete;
  LargeMemory& operator=(const LargeMemory&) = delete;

  // Empty when the system gave none.
  std::span<std::byte> all() const { return {data_, data_ == nullptr ? 0 : bytes_}; }

 private:
  const size_t bytes_;
  std::byte* data_ = nullptr;
};

// Bytes of the last cache, 0 when unknown. (sysconf may give those of all caches of a machine of
// which a virtual one has a part.)
size_t LastCacheBytes() {
  std::FILE* file = std::fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
  if (file == nullptr) return 0;
  size_t kib = 0;
  const int read = std::fscanf(file, "%zuK", &kib);
  std::fclose(file);
  return read == 1 ? kib << 10 : 0;
}

size_t BytesBeyondCaches() {
  constexpr size_t kLeast = size_t{64} << 20, kMost = size_t{256} << 20;
  return std::min(std::max(kLeast, 4 * LastCacheBytes()), kMost);
}

// The part of `all` that one of `threads` gets, in whole pages.
std::span<std::byte> PartOf(std::span<std::byte> all, int threads, int member) {
  constexpr size_t kPage = 4096;
  const size_t bytes = all.size() / static_cast<size_t>(threads) / kPage * kPage;
  return all.subspan(bytes * static_cast<size_t>(member), bytes);
}

// Reads all, at `kPlaces` places in turn: one, which the CPU notices, or several with prefetches.
// Which one is faster depends on the machine.
template <size_t kPlaces>
uint64_t Read(std::span<const std::byte> all) {
  typedef uint64_t Words __attribute__((vector_size(16), may_alias));
  constexpr size_t kLine = 64, kAhead = 1024;
  Words any[4] = {};
  for (size_t at = 0; at < all.size() / kPlaces; at += kLine) {
    for (size_t place = 0; place < kPlaces; ++place) {
      const std::byte* line = all.data() + place * (all.size() / kPlaces) + at;
      if (kPlaces > 1) __builtin_prefetch(line + kAhead);
      for (size_t i = 0; i < 4; ++i) any[i] |= *reinterpret_cast<const Words*>(line + i * 16);
    }
  }
  const Words words = any[0] | any[1] | any[2] | any[3];
  return words[0] | words[1];
}

// Bytes for each nanosecond, from the begin of the first thread to the end of the last: memory is
// all threads' together.
double RateOf(std::span<const ThreadWork> all) {
  double done = 0.0;
  int64_t begin = all[0].begin_ns, end = all[0].end_ns;
  for (const ThreadWork& work : all) {
    done += work.done;
    begin = std::min(begin, work.begin_ns);
    end = std::max(end, work.end_ns);
  }
  return end > begin ? done / static_cast<double>(end - begin) : 0.0;
}

template <size_t kPlaces>
double ReadTogether(std::span<std::byte> all, int threads) {
  const auto work = [=](int member) {
    const std::span<std::byte> part = PartOf(all, threads, member);
    const uint64_t any = Read<kPlaces>(part);
    __asm__ volatile("" : : "r"(static_cast<size_t>(any)));  // or nothing would be read
    return static_cast<double>(part.size());
  };
  return RateOf(RunTogether(threads, work));
}

double CopyTogether(std::span<std::byte> all, int threads) {
  const auto work = [=](int member) {
    const std::span<std::byte> part = PartOf(all, threads, member);
    const size_t half = part.size() / 2;
    std::memcpy(part.data() + half, part.data(), half);
    __asm__ volatile("" : : "r"(part.data()) : "memory");
    return static_cast<double>(2 * half);
  };
  return RateOf(RunTogether(threads, work));
}

void MeasureMemory(int threads, MachineBounds* bounds) {
  const LargeMemory memory(BytesBeyondCaches());
  const std::span<std::byte> all = memory.all();
  if (all.empty()) return;
  // Pages that were never written would all be the same one.
  RunTogether(threads, [=](int member) {
    const std::span<std::byte> part = PartOf(all, threads, member);
    std::memset(part.data(), 1, part.size());
    return 0.0;
  });
  for (int pass = 0; pass < kMemoryPasses; ++pass) {
    const double read = std::max(ReadTogether<1>(all, threads), ReadTogether<4>(all, threads));
    bounds->read_gb_per_s = std::max(bounds->read_gb_per_s, read);
    bounds->copy_gb_per_s = std::max(bounds->copy_gb_per_s, CopyTogether(all, threads));
  }
}

}  // namespace

MachineBounds MeasureMachineBounds(int threads) {
  threads = std::min(threads, linnet_get_device(0)->threads);
  MachineBounds bounds;
  bounds.fma_gflops = FmaGflops(threads);
  MeasureMemory(threads, &bounds);
  return bounds;
}

}  // namespace linnet::tools
