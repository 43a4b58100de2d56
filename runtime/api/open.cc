// SPDX-License-Identifier: Apache-2.0
// The ways to open a plan, and closing it.
#include <algorithm>

#include "platform/regular_file.h"
#include "runtime/api/block.h"
#include "runtime/api/error.h"
#include "runtime/api/gpu_trust.h"
#include "runtime/api/plan_handle.h"
#include "runtime/api/port_infos.h"

namespace linnet::api {
namespace {

// Reads the whole plan through `reader` into the plan's region.
Status ReadAll(const linnet_reader& reader, linnet_plan* plan) {
  const int64_t bytes = reader.size(reader.context);
  if (bytes < 0) return {StatusCode::kIo, "the read hook could not tell the size of the plan"};
  if (bytes > (int64_t{1} << 40)) return {StatusCode::kInvalidPlan, "the plan is too large"};
  void* copy = plan->region.Allocate(bytes);
  if (copy == nullptr) return kNoMemoryToOpen;
  if (bytes > 0 && reader.read(reader.context, 0, copy, static_cast<size_t>(bytes)) != 0)
    return {StatusCode::kIo, "the read hook failed"};
  plan->bytes = {static_cast<const std::byte*>(copy), bytes, nullptr};
  return {};
}

// Maps a file, or reads it into the plan's region.
Status MapOrRead(const RegularFile& file, uint32_t flags, linnet_plan* plan) {
  if (!file.ok() || (flags & LINNET_OPEN_COPY) == 0) {
    LINNET_RETURN_IF_ERROR(plan->file.Map(file));
    plan->bytes = {plan->file.data(), plan->file.bytes(),
                   [](const PlanFile& mapped, int64_t offset, int64_t bytes) {
                     FileBytes::DropPages(mapped.data, offset, bytes);
                   }};
    return {};
  }
  auto* copy = static_cast<std::byte*>(plan->region.Allocate(file.bytes()));
  if (copy == nullptr) return kNoMemoryToOpen;
  if (!file.ReadTo(copy)) return {StatusCode::kIo, "cannot read the file"};
  plan->bytes = {copy, file.bytes(), nullptr};
  return {};
}

Status AllocateTrust(linnet_plan* plan) {
  if (std::ssize(plan->verified.view.programs) == plan->num_signatures()) return {};
  plan->trust = plan->region.New<GpuTrust>(plan->num_signatures());
  return plan->trust == nullptr ? kNoMemoryToOpen : Status();
}

Status ReadAllocator(const linnet_allocator* given, HostAllocator* allocator) {
  *allocator = kMalloc;
  if (given == nullptr) return {};
  const linnet_allocator hooks = Defaulted(given);
  if (hooks.allocate == nullptr || hooks.release == nullptr)
    return {StatusCode::kInvalidArgument, "the allocator lacks a function"};
  *allocator = {hooks.context, hooks.allocate, hooks.release};
  return {};
}

// Runs `load` to fill plan->bytes, then verifies. A failure leaves nothing behind.
template <typename Load>
Status Create(const linnet_open_options& options, const HostAllocator& allocator, const Load& load,
              linnet_plan** out, Diagnostic* diagnostic) {
  auto* plan = NewHandle<linnet_plan>(allocator, allocator, options.block, options.block_bytes);
  if (plan == nullptr) return kNoMemoryToOpen;
  const bool in_place = (options.flags & LINNET_OPEN_IN_PLACE) != 0;
  Status status = load(plan);
  if (status.ok())
    status = linnet::VerifyPlan({plan->bytes.data, static_cast<size_t>(plan->bytes.bytes)},
                                plan->region, &plan->verified, diagnostic,
                                in_place ? StructureUse::kInPlace : StructureUse::kCopy);
  if (status.ok()) status = DescribePorts(plan);
  if (status.ok()) status = AllocateTrust(plan);
  if (status.ok())
    *out = plan;
  else
    linnet_plan_close(plan);
  return status;
}

// Opens the plan without the block, which is too small, to find out how much memory it needs.
template <typename Load>
void ExplainBlock(linnet_open_options options, const HostAllocator& allocator, const Load& load,
                  Diagnostic* diagnostic) {
  const int64_t misaligned =
      static_cast<int64_t>(-reinterpret_cast<uintptr_t>(options.block) & (kHostAlignment - 1));
  const size_t given = options.block_bytes;
  options.block = nullptr;
  linnet_plan* plan = nullptr;
  if (!Create(options, allocator, load, &plan, nullptr).ok()) return;
  diagnostic->bytes_needed = linnet_plan_bytes(plan) + misaligned;
  diagnostic->Format("the plan's block has %lld bytes, %lld are needed",
                     static_cast<long long>(given),
                     static_cast<long long>(diagnostic->bytes_needed));
  linnet_plan_close(plan);
}

constexpr uint32_t kCopyFlag = LINNET_OPEN_COPY, kInPlaceFlag = LINNET_OPEN_IN_PLACE;

// `known` are the flags that this way to open a plan understands.
template <typename Load>
linnet_status Open(const linnet_open_options& options, uint32_t known, const Load& load,
                   linnet_plan** out, linnet_error* error) {
  if (out == nullptr) return Report({StatusCode::kInvalidArgument, "plan is NULL"}, error);
  *out = nullptr;
  if ((options.flags & ~(kCopyFlag | kInPlaceFlag)) != 0)
    return Report({StatusCode::kInvalidArgument, "flags has a bit that this library does not know"},
                  error);
  if ((options.flags & ~known & kInPlaceFlag) != 0)
    return Report({StatusCode::kInvalidArgument,
                   "LINNET_OPEN_IN_PLACE is only for plans in the caller's memory"},
                  error);
  HostAllocator allocator = kMalloc;
  if (const Status read = ReadAllocator(options.allocator, &allocator); !read.ok())
    return Report(read, error);
  Diagnostic diagnostic;
  const Status status = Create(options, allocator, load, out, &diagnostic);
  if (status.code() == StatusCode::kNoMemory && options.block != nullptr)
    ExplainBlock(options, allocator, load, &diagnostic);
  return Report(status, diagnostic, error);
}

}  // namespace
}  // namespace linnet::api

extern "C" {

using linnet::Status;
using linnet::StatusCode;

linnet_status linnet_plan_open_file(const char* path, const linnet_open_options* options,
                                    linnet_plan** plan, linnet_error* error) {
  const linnet_open_options wanted = linnet::api::Defaulted(options);
  return linnet::api::Open(
      wanted, linnet::api::kCopyFlag,
      [&](linnet_plan* opened) -> Status {
        if (path == nullptr) return {StatusCode::kInvalidArgument, "path is NULL"};
        return linnet::api::MapOrRead(linnet::RegularFile(path), wanted.flags, opened);
      },
      plan, error);
}

linnet_status linnet_plan_open_fd(int fd, int64_t offset, int64_t bytes,
                                  const linnet_open_options* options, linnet_plan** plan,
                                  linnet_error* error) {
  const linnet_open_options wanted = linnet::api::Defaulted(options);
  return linnet::api::Open(
      wanted, linnet::api::kCopyFlag,
      [&](linnet_plan* opened) -> Status {
        if (fd < 0 || offset < 0 || bytes < 0)
          return {StatusCode::kInvalidArgument, "fd, offset or bytes is negative"};
        return linnet::api::MapOrRead(linnet::RegularFile(fd, offset, bytes), wanted.flags, opened);
      },
      plan, error);
}

linnet_status linnet_plan_open_memory(const void* data, size_t bytes,
                                      const linnet_open_options* options, linnet_plan** plan,
                                      linnet_error* error) {
  const linnet_open_options wanted = linnet::api::Defaulted(options);
  return linnet::api::Open(
      wanted, linnet::api::kCopyFlag | linnet::api::kInPlaceFlag,
      [&](linnet_plan* opened) -> Status {
        if (data == nullptr) return {StatusCode::kInvalidArgument, "data is NULL"};
        if ((wanted.flags & LINNET_OPEN_IN_PLACE) != 0 &&
            reinterpret_cast<uintptr_t>(data) % linnet::kHostAlignment != 0)
          return {StatusCode::kInvalidArgument,
                  "LINNET_OPEN_IN_PLACE needs data at a multiple of 64"};
        opened->bytes = {static_cast<const std::byte*>(data), static_cast<int64_t>(bytes), nullptr};
        return {};
      },
      plan, error);
}

linnet_status linnet_plan_open_reader(const linnet_reader* reader,
                                      const linnet_open_options* options, linnet_plan** plan,
                                      linnet_error* error) {
  return linnet::api::Open(
      linnet::api::Defaulted(options), linnet::api::kCopyFlag,
      [&](linnet_plan* opened) -> Status {
        const linnet_reader given = linnet::api::Defaulted(reader);
        if (given.size == nullptr || given.read == nullptr)
          return {StatusCode::kInvalidArgument, "reader is NULL or lacks a function"};
        return linnet::api::ReadAll(given, opened);
      },
      plan, error);
}

void linnet_plan_close(linnet_plan* plan) {
  if (plan == nullptr) return;
  linnet::api::DeleteHandle(plan, linnet::HostAllocator(plan->allocator));
}

}  // extern "C"
