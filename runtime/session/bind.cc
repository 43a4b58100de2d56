// SPDX-License-Identifier: Apache-2.0
// Inputs and outputs in memory of the caller.
#include <cstring>

#include "runtime/core/checked.h"
#include "runtime/session/interpreter.h"

namespace linnet {
namespace {

// A tensor as rows of equal length. A row is the last two dimensions (width and channels of an
// image) of a tensor that has three or more, else the last one.
struct Rows {
  int64_t count = 1;
  int64_t bytes = 0;  // of each
};

Rows RowsOf(const TensorType& type) {
  const int rank = type.shape.rank();
  const int row_dims = rank >= 3 ? 2 : rank >= 1 ? 1 : 0;
  Rows rows;
  for (int i = 0; i < rank - row_dims; ++i) rows.count *= type.shape[i];
  if (rows.count > 0) rows.bytes = type.bytes() / rows.count;
  return rows;
}

// Bytes from the start of the first row to the end of the last one; INT64_MAX on overflow.
int64_t Extent(const Rows& rows, int64_t pitch) {
  return rows.count == 0 ? 0 : SaturatingAdd(SaturatingMul(rows.count - 1, pitch), rows.bytes);
}

// A pitch of 0 means no gaps between rows.
void Copy(const TensorType& type, const void* from, int64_t from_pitch, void* to,
          int64_t to_pitch) {
  if (from_pitch == 0 && to_pitch == 0) {
    std::memcpy(to, from, static_cast<size_t>(type.bytes()));
    return;
  }
  const Rows rows = RowsOf(type);
  if (from_pitch == 0) from_pitch = rows.bytes;
  if (to_pitch == 0) to_pitch = rows.bytes;
  for (int64_t i = 0; i < rows.count; ++i)
    std::memcpy(static_cast<std::byte*>(to) + i * to_pitch,
                static_cast<const std::byte*>(from) + i * from_pitch,
                static_cast<size_t>(rows.bytes));
}

}  // namespace

void Interpreter::CopyInputs() const {
  for (const Port& port : ports_.first(static_cast<size_t>(num_inputs())))
    if (port.copies) Copy(TypeOf(port), port.bound, port.pitch, port.own, 0);
}

void Interpreter::CopyOutputs() const {
  for (const Port& port : ports_.subspan(static_cast<size_t>(num_inputs())))
    if (port.copies) Copy(TypeOf(port), port.own, 0, port.bound, port.pitch);
}

// True when memory of the caller may replace this port's buffer: no other port is in the buffer
// and, unless `may_write`, no step writes to it.
bool Interpreter::OwnsItsBuffer(const Port& port, bool may_write) const {
  const PlanProgram& plan = program();
  const PlanTensor& info = plan.tensors[port.tensor];
  const auto shares_buffer = [&](int32_t tensor) {
    return plan.tensors[tensor].storage == Storage::kArena &&
           plan.tensors[tensor].index == info.index;
  };
  for (const Port& other : ports_)
    if (&other != &port && shares_buffer(other.tensor)) return false;
  if (info.offset != plan.buffers[info.index].offset ||
      info.type.bytes() < plan.buffers[info.index].bytes)
    return false;
  if (may_write) return true;
  for (const PlanStep& step : plan.steps)
    for (int32_t output : step.outputs)
      if (shares_buffer(output)) return false;
  return true;
}

Status Interpreter::Bind(Port& port, const BoundMemory& memory, bool is_input) {
  const PlanTensor& info = program().tensors[port.tensor];
  if (info.storage != Storage::kArena)
    return {StatusCode::kInvalidArgument, "this output is a constant and cannot be bound"};
  const bool is_bound = memory.data != nullptr;
  const Rows rows = RowsOf(info.type);
  // When extents vary, a row can become shorter than the pitch.
  const bool has_gaps =
      memory.pitch != 0 && rows.count > 1 && (memory.pitch != rows.bytes || info.varies());
  if (is_bound && has_gaps && memory.pitch < rows.bytes)
    return {StatusCode::kInvalidArgument, "the pitch is smaller than a row of the tensor"};
  if (is_bound && memory.bytes < (has_gaps ? Extent(rows, memory.pitch) : info.type.bytes()))
    return {StatusCode::kInvalidArgument, "the memory is smaller than the tensor"};
  const bool aligned = (reinterpret_cast<uintptr_t>(memory.data) & (kHostAlignment - 1)) == 0;
  // The memory that a device shares with the host is better: it saves the device a copy of its own.
  const bool direct = is_bound && !has_gaps && aligned && !memory_.is_shared(info.index) &&
                      OwnsItsBuffer(port, /*may_write=*/!is_input) &&
                      memory.bytes >= info.type.bytes() + kReadPastEnd;
  port.bound = memory.data;
  port.bound_bytes = memory.bytes;
  port.pitch = has_gaps ? memory.pitch : 0;
  port.copies = is_bound && !direct;
  port.data = is_bound ? memory.data : port.own;
  buffers_[info.index] = direct ? memory.data : memory_.home(info.index);
  return SetupSteps();
}

Status Interpreter::BindInput(int index, const BoundMemory& memory) {
  Port& port = ports_[index];
  return Bind(port, memory.data == nullptr ? port.home : memory, /*is_input=*/true);
}

Status Interpreter::BindOutput(int index, const BoundMemory& memory) {
  Port& port = ports_[num_inputs() + index];
  return Bind(port, memory.data == nullptr ? port.home : memory, /*is_input=*/false);
}

}  // namespace linnet
