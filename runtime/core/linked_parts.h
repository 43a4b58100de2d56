// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

#include "runtime/core/diagnostic.h"
#include "runtime/core/status.h"

// Parts of the runtime that a program leaves out when its plans do not need them. They are
// constants, which a program defines itself, together with its tables of ops
// (runtime/ops/linked_ops.h). Code asks them, directly or through the two types below, and the
// optimiser removes at link time what is then never reached (LINNET_LTO). Without link-time
// optimisation everything behaves the same and nothing is smaller.
namespace linnet {

extern const bool kLinkedThreads;   // sessions with more than one thread
extern const bool kLinkedControls;  // steps with a control: loops, branches, copies to devices
extern const bool kLinkedExtents;   // extents that vary from run to run
extern const bool kLinkedDevices;   // programs for other devices than the host
extern const bool kLinkedPanels;    // weights that the plan has in panels (core/panels.h)
extern const bool kLinkedStrips;    // steps that run together, strip by strip (runtime/strips)
// Products that read these panels as they are encoded. Without them panels are decoded to floats.
extern const bool kLinkedEncodedPanels;
// Weights packed for faster kernels. Else portable kernels read them where they lie in the plan.
extern const bool kLinkedPacking;

// The plans that a program was linked for, for messages; "" in a whole library.
extern const char kLinkedFor[];

// For a plan that needs what the program has not: kUnsupported, with a sentence that names it and
// the plans that the program was linked for. `missing`: "extents that vary".
Status NotLinked(const char* missing, Diagnostic* diagnostic);

// A value that is T() unless `part` is linked.
template <const bool& part, typename T>
class PartValue {
 public:
  constexpr PartValue(T value = T()) : value_(value) {}         // stands for a T
  constexpr operator T() const { return part ? value_ : T(); }  // stands for a T

 private:
  T value_;
};

// A list that is empty unless `part` is linked.
template <const bool& part, typename T>
class PartList {
 public:
  constexpr PartList() = default;
  constexpr PartList(std::span<T> list) : list_(list) {}  // stands for a span
  constexpr PartList(T* first, size_t size) : list_(first, size) {}
  constexpr operator std::span<T>() const { return {begin(), size()}; }

  constexpr size_t size() const { return part ? list_.size() : 0; }
  constexpr bool empty() const { return size() == 0; }
  constexpr T& operator[](size_t index) const { return list_[index]; }
  constexpr T* begin() const { return list_.data(); }
  constexpr T* end() const { return list_.data() + size(); }

 private:
  std::span<T> list_;
};

}  // namespace linnet
