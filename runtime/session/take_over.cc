// SPDX-License-Identifier: Apache-2.0
// A session that takes the place of another one, whose device is lost.
#include <cstring>

#include "runtime/session/interpreter.h"

namespace linnet {

Status Interpreter::TakeOver(Interpreter& from) {
  for (const PlanTensor& tensor : program().tensors)
    if (tensor.storage == Storage::kState && from.states_[tensor.index] != nullptr)
      std::memcpy(states_[tensor.index], from.states_[tensor.index],
                  static_cast<size_t>(tensor.type.bytes()));
  for (int i = 0; i < num_inputs(); ++i) {
    const Shape shape = from.input_type(i).shape;
    LINNET_RETURN_IF_ERROR(SetInputShape(i, {shape.begin(), static_cast<size_t>(shape.rank())}));
  }
  for (size_t i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    const Port& other = from.ports_[i];
    const PlanTensor& info = program().tensors[port.tensor];
    // A constant has no memory that a run writes.
    if (info.storage != Storage::kArena ||
        from.program().tensors[other.tensor].storage != Storage::kArena)
      continue;
    port.home = {other.own, info.type.bytes()};
    const BoundMemory seen = other.bound == nullptr
                                 ? port.home
                                 : BoundMemory{other.bound, other.bound_bytes, other.pitch};
    LINNET_RETURN_IF_ERROR(Bind(port, seen, static_cast<int>(i) < num_inputs()));
  }
  cancelled_ = from.cancelled_;
  EnableProfile(from.profile_);
  return {};
}

}  // namespace linnet
