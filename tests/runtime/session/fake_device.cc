// SPDX-License-Identifier: Apache-2.0
#include "tests/runtime/session/fake_device.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

#include "runtime/backends/portable/backend.h"
#include "runtime/core/checked.h"
#include "tests/runtime/session/fake_support.h"

namespace linnet {
namespace {

constexpr Status kNoMemory{StatusCode::kNoMemory, "out of memory for the fake device"};
constexpr int64_t kPage = 64 * 1024;  // a multiple of every machine's page size
constexpr int64_t kWeightsBytes = 16 * kPage;
constexpr int64_t kMostBytes = 256 * kPage;
constexpr int kMaxInputs = 2;

// Pages that cannot be accessed unless they are open.
class ClosedPages {
 public:
  bool Map(int64_t bytes) {
    bytes_ = AlignUp(bytes + kPage, kPage);  // kernels may read past a tensor's end
    void* pages = mmap(nullptr, static_cast<size_t>(bytes_), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return false;
    data_ = static_cast<std::byte*>(pages);
    // NaNs, so that bytes that were never written are visible.
    std::memset(data_, 0xff, static_cast<size_t>(bytes_));
    Close();
    return true;
  }
  void Unmap() { munmap(data_, static_cast<size_t>(bytes_)); }
  void Open() { mprotect(data_, static_cast<size_t>(bytes_), PROT_READ | PROT_WRITE); }
  void Close() { mprotect(data_, static_cast<size_t>(bytes_), PROT_NONE); }

  std::byte* data() const { return data_; }
  bool Contains(const void* address) const { return address >= data_ && address < data_ + bytes_; }

 private:
  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;
};

class OpenScope {
 public:
  explicit OpenScope(ClosedPages& pages) : pages_(pages) { pages_.Open(); }
  ~OpenScope() { pages_.Close(); }
  OpenScope(const OpenScope&) = delete;
  OpenScope& operator=(const OpenScope&) = delete;

 private:
  ClosedPages& pages_;
};

class Weights final : public PackedWeights {
 public:
  void Destroy() override { pages.Unmap(); }

  ClosedPages pages;
  int64_t used = 0;
};

class Memory final : public DeviceMemory {
 public:
  explicit Memory(const FakeDevice& device) : device_(device) {}
  std::byte* base() const override { return pages.data(); }
  Status CopyIn(void* to, const void* from, int64_t bytes) override {
    if (pages.Contains(from) || !pages.Contains(to)) return kWrongSide;
    const OpenScope open(pages);
    std::memcpy(to, from, static_cast<size_t>(bytes));
    ++device_.counts().copies_in;
    device_.counts().bytes_in += bytes;
    return {};
  }
  Status CopyOut(void* to, const void* from, int64_t bytes) override {
    if (device_.lost()) return {StatusCode::kDeviceLost, "the fake device is lost"};
    if (!pages.Contains(from) || pages.Contains(to)) return kWrongSide;
    const OpenScope open(pages);
    std::memcpy(to, from, static_cast<size_t>(bytes));
    ++device_.counts().copies_out;
    device_.counts().bytes_out += bytes;
    return {};
  }
  void Destroy() override { pages.Unmap(); }

  ClosedPages pages;

 private:
  static constexpr Status kWrongSide{StatusCode::kInternal,
                                     "a copy does not join the host and the device"};
  const FakeDevice& device_;
};

struct Packed {
  void* inputs[kMaxInputs] = {};  // null when the input is no constant
};

class Step final : public RunnableStep {
 public:
  Step(const FakeDevice& device, RunnableStep* portable, const Packed& packed, Weights& weights,
       Memory& memory)
      : device_(device), portable_(portable), packed_(packed), weights_(weights), memory_(memory) {}

  Status Setup(const StepBuffers& buffers) override {
    void* inputs[kMaxInputs] = {};
    for (size_t i = 0; i < buffers.inputs.size(); ++i) {
      inputs[i] = packed_.inputs[i] != nullptr ? packed_.inputs[i] : buffers.inputs[i];
      if (packed_.inputs[i] == nullptr && !memory_.pages.Contains(inputs[i])) return kElsewhere;
    }
    for (const void* output : buffers.outputs)
      if (!memory_.pages.Contains(output)) return kElsewhere;
    return portable_->Setup({{inputs, buffers.inputs.size()}, buffers.outputs, nullptr});
  }
  Status Run() override {
    const OpenScope memory(memory_.pages), weights(weights_.pages);
    ++device_.counts().steps;
    return portable_->Run();
  }
  void Destroy() override { portable_->Destroy(); }

 private:
  static constexpr Status kElsewhere{StatusCode::kInternal,
                                     "a tensor of the device lies elsewhere"};
  const FakeDevice& device_;
  RunnableStep* portable_;
  const Packed& packed_;
  Weights& weights_;
  Memory& memory_;
};

}  // namespace

const char* FakeDevice::WhyUnsupported(const OpInstance& op) const {
  return WhyUnsupportedByFake(op);
}

Status FakeDevice::NewPackedWeights(Region& region, PackedWeights** out) const {
  auto* weights = region.New<Weights>();
  if (weights == nullptr || !weights->pages.Map(kWeightsBytes)) return kNoMemory;
  *out = weights;
  return {};
}

Status FakeDevice::Pack(const StepContext& step, PackedWeights* weights, Region& region,
                        void** packed) const {
  auto& all = static_cast<Weights&>(*weights);
  auto* values = region.New<Packed>();
  if (values == nullptr) return kNoMemory;
  for (size_t i = 0; i < step.op.inputs.size(); ++i) {
    const InputInfo& input = step.op.inputs[i];
    if (input.value == nullptr) continue;
    const int64_t bytes = input.type.bytes();
    if (all.used + bytes > kWeightsBytes) return kNoMemory;
    const OpenScope open(all.pages);
    values->inputs[i] = all.pages.data() + all.used;
    std::memcpy(values->inputs[i], input.value, static_cast<size_t>(bytes));
    all.used += AlignUp(bytes, kHostAlignment);
  }
  *packed = values;
  return {};
}

Status FakeDevice::Create(const StepContext& step, PackedWeights* weights, void* packed,
                          const Threads& threads, Region& region, RunnableStep** out,
                          int64_t* workspace_bytes) const {
  RunnableStep* portable = nullptr;
  LINNET_RETURN_IF_ERROR(portable::GetBackend().Create(step, nullptr, nullptr, threads, region,
                                                       &portable, workspace_bytes));
  if (*workspace_bytes != 0) return {StatusCode::kInternal, "the workspace is the host's memory"};
  void* memory = region.Allocate(sizeof(Step));
  if (memory == nullptr) return kNoMemory;
  *out = new (memory) Step(*this, portable, *static_cast<Packed*>(packed),
                           static_cast<Weights&>(*weights), static_cast<Memory&>(*step.memory));
  return {};
}

Status FakeDevice::NewMemory(int64_t bytes, Region& region, DeviceMemory** out) const {
  void* object = region.Allocate(sizeof(Memory));
  if (object == nullptr) return kNoMemory;
  auto* memory = new (object) Memory(*this);
  if (bytes > kMostBytes || !memory->pages.Map(bytes)) return kNoMemory;
  *out = memory;
  return {};
}

}  // namespace linnet
