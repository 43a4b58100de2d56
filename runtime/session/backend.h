// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/core/parallel.h"
#include "runtime/core/region.h"
#include "runtime/core/status.h"
#include "runtime/ops/op_def.h"

struct pthreadpool;

// All that the session knows of a backend. A backend turns steps into runnable objects in
// three stages that follow the three lifetimes of memory:
//   Pack    once per plan (prepared weights, shared by sessions)
//   Create  once per session: allocates the step's state, fixes shapes, tells its workspace
//   Setup   once per session and again when the caller binds other buffers: fixes addresses
// and then Run, which never allocates.
namespace linnet {

// Threads of one session: `parallel` in any case, and the same ones as `pool` where the caller lent
// them.
struct Threads {
  ::pthreadpool* pool = nullptr;
  Parallel parallel;
};

// A session's tensors on a device whose memory the host cannot touch. An address in it is base()
// plus the tensor's offset: it need not mean anything but to the backend.
class DeviceMemory {
 public:
  virtual std::byte* base() const = 0;
  // Between the host's memory and an address here, in order with the device's steps: what CopyOut
  // gives is what the steps before it wrote. kDeviceLost. No allocation.
  virtual Status CopyIn(void* to, const void* from, int64_t bytes) = 0;
  virtual Status CopyOut(void* to, const void* from, int64_t bytes) = 0;
  virtual void Destroy() = 0;

 protected:
  ~DeviceMemory() = default;
};

// One step as a backend sees it. op.inputs[i].value points to the plain, 64-byte aligned value
// of a constant input, followed by at least 16 readable bytes. It stays valid during Pack;
// afterwards only for inputs for which PacksInput returns false. op.attrs stays valid as long as
// the plan; the spans of inputs and outputs are on loan for the call.
struct StepContext {
  int32_t index = kNoStep;
  OpInstance op;
  DeviceMemory* memory = nullptr;  // where its tensors lie, in Create; null on the host
};

// Addresses of a step's data, one per input and output, in order. A device's step gets addresses in
// its DeviceMemory, and none that mean anything for constants, which it has packed.
struct StepBuffers {
  std::span<void* const> inputs;
  std::span<void* const> outputs;
  void* workspace = nullptr;  // as many bytes as the step asked for; shared by all steps
};

// A step made ready for one session. Lives in the session's region.
class RunnableStep {
 public:
  // Addresses may change between runs, never during one.
  virtual Status Setup(const StepBuffers& buffers) = 0;
  // Other shapes from now on, none of which needs more memory than those of Create. `op` differs
  // from Create's in the extents of its types and in what attrs, at the same address, says. Only
  // where Backend::can_resize.
  virtual Status Resize(const OpInstance& op) {
    (void)op;
    return {StatusCode::kInternal, "the backend cannot change a step's shapes"};
  }
  // kBadIndex, kDeviceLost; kCancelled when Threads::parallel said that the run is to stop. No
  // allocation, no lock but the pool's. A device's step may still be running afterwards.
  virtual Status Run() = 0;
  // Frees what the step holds outside its region. Called instead of the destructor; may allocate
  // nothing.
  virtual void Destroy() = 0;

 protected:
  ~RunnableStep() = default;
};

// What a backend keeps per prepared weights beyond the steps' own packs (a weights cache, say).
class PackedWeights {
 public:
  // After the last Pack and before the first Create.
  virtual Status Finalize() { return {}; }
  virtual void Destroy() = 0;

 protected:
  ~PackedWeights() = default;
};

class Backend {
 public:
  virtual const char* name() const = 0;  // "xnnpack", "portable"
  // The library of kernels behind it, with its version; null when it has kernels of its own.
  virtual const char* library() const { return nullptr; }
  // What this machine's CPU calls itself; null for a backend that does not know.
  virtual const char* processor() const { return nullptr; }
  // The device whose steps it runs, as plans name it; "" runs steps in the host's memory. A device
  // packs all constants.
  virtual const char* device() const { return ""; }
  // A device's memory for one session; the object lives in `region`. kNoMemory.
  virtual Status NewMemory(int64_t bytes, Region& region, DeviceMemory** out) const {
    (void)bytes, (void)region, (void)out;
    return {StatusCode::kInternal, "the backend has no memory of its own"};
  }
  // nullptr when `op` can run here, else a short reason. Pure; the same answer in the converter.
  virtual const char* WhyUnsupported(const OpInstance& op) const = 0;
  // Do its steps have Resize? Steps whose extents vary go to such backends only.
  virtual bool can_resize() const { return false; }
  // Process-wide start-up (xnn_initialize). kUnsupported when this machine cannot run the backend
  // at all: the session then goes on without it.
  virtual Status Initialize() const { return {}; }
  // Bytes that the backend holds outside all regions, in the whole process: an estimate, 0 when
  // regions serve it.
  virtual int64_t heap_bytes() const { return 0; }

  // An object for all packs of one set of prepared weights; may be null. Lives in `region`.
  virtual Status NewPackedWeights(Region& region, PackedWeights** out) const {
    (void)region;
    *out = nullptr;
    return {};
  }
  // True when Run reads constant input `i` only in packed form, so that its plain form may go away.
  virtual bool PacksInput(const OpInstance& op, int i) const {
    (void)op, (void)i;
    return false;
  }
  // Packs the step's constants into `region`; *packed goes to every Create. May leave it null. What
  // it needs to know of a constant's shape it takes from the constant's own type.
  virtual Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
                      void** packed) const {
    (void)step, (void)weights, (void)region;
    *packed = nullptr;
    return {};
  }
  // Fixes the shapes. Of a step whose extents vary each is at its largest, which together the op's
  // rule may not allow: *workspace_bytes, temporary memory that one Run needs, has to suffice for
  // all that are not larger, and the shapes follow with Resize.
  virtual Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                        const Threads& threads, Region& region, RunnableStep** out,
                        int64_t* workspace_bytes) const = 0;

 protected:
  ~Backend() = default;
};

}  // namespace linnet
