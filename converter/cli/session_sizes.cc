// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/session_sizes.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

#include "fmt/format.h"
#include "linnet/linnet.h"

namespace linnet::cli {
namespace {

using converter::SessionSizes;

// At a multiple of 64.
class Block {
 public:
  explicit Block(size_t bytes) : memory_(std::make_unique<std::byte[]>(bytes + 63)) {
    data_ = memory_.get() + (-reinterpret_cast<uintptr_t>(memory_.get()) & 63);
  }
  void* data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::byte* data_;
};

// Counts how much memory programs without a heap need by the rule of
// platform/freestanding/static_memory.h.
class CountedStack {
 public:
  linnet_allocator hooks() { return {sizeof(linnet_allocator), this, Allocate, Release}; }
  int64_t most() const { return static_cast<int64_t>(most_); }

 private:
  struct Piece {
    Block memory;
    size_t begin, end;  // in the program's block
  };

  static void* Allocate(void* context, size_t bytes, size_t) {
    auto& self = *static_cast<CountedStack*>(context);
    Block memory(bytes);
    void* const data = memory.data();
    const size_t begin = self.used_;
    self.used_ += (bytes + 63) / 64 * 64;
    self.most_ = std::max(self.most_, self.used_);
    self.pieces_.emplace(data, Piece{std::move(memory), begin, self.used_});
    return data;
  }

  static void Release(void* context, void* memory, size_t) {
    auto& self = *static_cast<CountedStack*>(context);
    const auto piece = self.pieces_.find(memory);
    if (piece->second.end == self.used_) self.used_ = piece->second.begin;
    self.pieces_.erase(piece);
    if (self.pieces_.empty()) self.used_ = 0;
  }

  std::map<void*, Piece> pieces_;
  size_t used_ = 0, most_ = 0;
};

struct Session {
  linnet_plan* plan = nullptr;
  linnet_weights* weights = nullptr;
  linnet_session* session = nullptr;

  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    linnet_session_destroy(session);
    linnet_weights_release(weights);
    linnet_plan_close(plan);
  }
};

linnet_open_options InPlace() {
  linnet_open_options options{};
  options.struct_size = sizeof(options);
  options.flags = LINNET_OPEN_IN_PLACE;
  return options;
}

linnet_session_options On(linnet_backend backend) {
  linnet_session_options options{};
  options.struct_size = sizeof(options);
  options.backend = backend;
  return options;
}

// The blocks.
linnet_status MeasureBlocks(std::span<const std::byte> bytes, linnet_backend backend,
                            SessionSizes* sizes, linnet_error* error) {
  Session made;
  const linnet_open_options open = InPlace();
  linnet_status status =
      linnet_plan_open_memory(bytes.data(), bytes.size(), &open, &made.plan, error);
  if (status != LINNET_OK) return status;
  sizes->opened = linnet_plan_bytes(made.plan);
  linnet_session_options options = On(backend);
  linnet_memory memory{};
  memory.struct_size = sizeof(memory);
  status = linnet_session_bytes(made.plan, &options, &memory, error);
  if (status != LINNET_OK) return status;
  sizes->session = memory.block;
  // A block that is too small is answered with the size that suffices.
  const Block block(64);
  options.block = block.data();
  options.block_bytes = 64;
  status = linnet_weights_prepare(made.plan, &options, &made.weights, error);
  sizes->weights = std::max(error->bytes_needed, int64_t{64});
  return status == LINNET_NO_MEMORY && error->bytes_needed > 0 ? LINNET_OK : status;
}

// What is taken from the allocator although there are blocks.
linnet_status MeasureTemporary(std::span<const std::byte> bytes, linnet_backend backend,
                               SessionSizes* sizes, linnet_error* error) {
  const Block opened(sizes->opened), weights(sizes->weights), session(sizes->session);
  CountedStack stack;
  const linnet_allocator hooks = stack.hooks();
  Session made;
  linnet_open_options open = InPlace();
  open.allocator = &hooks;
  open.block = opened.data();
  open.block_bytes = sizes->opened;
  linnet_status status =
      linnet_plan_open_memory(bytes.data(), bytes.size(), &open, &made.plan, error);
  if (status != LINNET_OK) return status;
  linnet_session_options options = On(backend);
  options.block = weights.data();
  options.block_bytes = sizes->weights;
  status = linnet_weights_prepare(made.plan, &options, &made.weights, error);
  if (status != LINNET_OK) return status;
  options.weights = made.weights;
  options.block = session.data();
  options.block_bytes = sizes->session;
  status = linnet_session_create(made.plan, &options, &made.session, error);
  sizes->temporary = std::max(stack.most(), int64_t{64});
  return status;
}

// The most of what `backend` needs and of what is in `sizes`.
std::string Measure(std::span<const std::byte> plan, linnet_backend backend, SessionSizes* sizes) {
  SessionSizes own;
  linnet_error error{};
  linnet_status status = MeasureBlocks(plan, backend, &own, &error);
  if (status == LINNET_OK) status = MeasureTemporary(plan, backend, &own, &error);
  sizes->session = std::max(sizes->session, own.session);
  sizes->weights = std::max(sizes->weights, own.weights);
  sizes->opened = std::max(sizes->opened, own.opened);
  sizes->temporary = std::max(sizes->temporary, own.temporary);
  return status == LINNET_OK ? "" : error.text;
}

}  // namespace

std::string MeasureSizes(std::span<const std::byte> plan, KernelChoice kernels,
                         SessionSizes* sizes) {
  const bool is_plain = kernels == KernelChoice::kPlain;
  sizes->of = is_plain ? "the portable kernels, which pack no weights" : "the portable kernels";
  std::string problem =
      Measure(plan, is_plain ? LINNET_BACKEND_PLAIN : LINNET_BACKEND_PORTABLE, sizes);
  if (!problem.empty() || kernels != KernelChoice::kXnnpack) return problem;
  sizes->of = fmt::format("the portable kernels and {}", linnet_cpu_kernels());
  return Measure(plan, LINNET_BACKEND_CPU, sizes);
}

}  // namespace linnet::cli
