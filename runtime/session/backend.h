// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/core/layout.h"
#include "runtime/core/parallel.h"
#include "runtime/core/region.h"
#include "runtime/core/status.h"
#include "runtime/ops/op_def.h"
#include "runtime/strips/strip_chain.h"

struct pthreadpool;

// The interface between sessions and backends. A backend turns steps into runnable objects in three
// stages:
//   Pack    once per plan: packs the step's weights, which all sessions share
//   Create  once per session: fixes shapes, allocates the step's state, returns its workspace size
//   Setup   once per session, and again when the caller binds other buffers: fixes addresses
// and then Run, which never allocates. A backend for a device other than the host packs in the same
// way, and then runs its steps by segments (RunnableSegment).
namespace linnet {

// What a device packs for each step, and each input or output in the memory that it shares with the
// host, starts at a multiple of this.
inline constexpr int64_t kDeviceAlignment = kRows4Alignment;

// What tells a device and its driver from others: data that is kept from one process to the next
// is of use only where all of this is equal.
struct DeviceKey {
  uint32_t vendor = 0, device = 0;
  uint32_t driver = 0, driver_version = 0;
  uint8_t cache_uuid[16] = {};  // the driver's, of what it compiled
  uint64_t programs = 0;        // a hash of what this library lets the driver compile
};

// What applications are told about a device. Strings stay valid as long as the process runs.
struct DeviceInfo {
  const char* name = "";      // the product's
  const char* driver = "";    // with its version, as it says
  bool computes_f16 = false;  // whether it has arithmetic of 16-bit floats
  int64_t memory_bytes = 0;   // of the largest part of its memory
};

// The threads of one session. `parallel` is always usable; `pool` is the same threads when the
// caller lent a pthreadpool, else null.
struct Threads {
  ::pthreadpool* pool = nullptr;
  Parallel parallel;
};

// A session's memory on a device whose memory the host cannot access: its tensors, which segments
// name by their offset in it, and some memory that the host can access too.
class DeviceMemory {
 public:
  // Memory of at least the `host_bytes` that DeviceBackend::NewMemory was asked for, at a multiple
  // of kDeviceAlignment (in the host's addresses and the device's), zeroed: the session's inputs
  // and outputs may lie here, so that segments need not copy them twice. Null when none was asked
  // for, or when the device has no such memory; inputs and outputs then lie in the arena.
  virtual void* host_data() const = 0;
  // Bytes of the device's memory that it holds, host_data included.
  virtual int64_t device_bytes() const = 0;
  virtual void Destroy() = 0;

 protected:
  ~DeviceMemory() = default;
};

// One step as a backend sees it. op.inputs[i].value points to the plain (not packed), 64-byte
// aligned value of a constant input, followed by at least 16 readable bytes; or it is null and
// op.inputs[i].form says where its panels are (Backend::ReadsPanels). It is valid during Pack, and
// after that only for inputs for which PacksInput returns false. op.attrs is valid as long as the
// plan, the spans of inputs and outputs only during the call.
struct StepContext {
  int32_t index = kNoStep;
  OpInstance op;
  Layout layout = Layout::kDense;  // of the tensors that are not constant
  // The plan may offer memory beside the tensors that a device's step can use while it runs: bytes
  // from scratch_offset on in the session's DeviceMemory, which Pack and AddStep are told alike. A
  // device that wants more than that does without.
  int64_t scratch_offset = 0;
  int64_t scratch_bytes = 0;
  // In a segment: how many inputs of the steps behind this one, in the same segment, are its output
  // 0, if nothing else reads that; else -1. Who computes all of these together with this step need
  // not store the output.
  int32_t output_reads = -1;
};

// Steps that run together, strip by strip. All that this refers to is valid as long as the step
// that is made of it.
struct StripsContext {
  const StripChain& chain;             // finished
  std::span<const StepContext> steps;  // its parts
  std::span<void* const> packed;       // by step, what Pack returned
};

// Addresses of a step's data, one per input and output, in order.
struct StepBuffers {
  std::span<void* const> inputs;
  std::span<void* const> outputs;
  void* workspace = nullptr;  // at least as many bytes as Create asked for; shared by all steps
  // Only for strips: the memory for the rows of one slot (StripChain::memory_bytes). `inputs` has
  // there for each step its inputs and then its output, null where that is made in strips.
  void* strip_rows = nullptr;
};

// A step that is ready to run in one session, in memory of the session's region.
class RunnableStep {
 public:
  // Addresses may change between runs, never during one.
  virtual Status Setup(const StepBuffers& buffers) = 0;
  // Changes the shapes from now on. `op` differs from the one that Create got in the extents of its
  // types and in the contents of attrs, which are at the same address. Nothing needs more memory
  // than in Create. Only called when Backend::can_resize.
  virtual Status Resize(const OpInstance& op) {
    (void)op;
    return {StatusCode::kInternal, "the backend cannot change a step's shapes"};
  }
  // kBadIndex; kCancelled when Threads::parallel asked the run to stop. Allocates nothing and takes
  // no lock except the pool's.
  virtual Status Run() = 0;
  // Only for strips: from the next run on, measure how long each of the steps takes; and the sums
  // over all threads since then, one entry per step, in nanoseconds.
  virtual void EnableProfile(bool on) { (void)on; }
  virtual void PartTimes(std::span<int64_t> ns) const { (void)ns; }
  // Frees what the step holds outside its region. Called instead of the destructor; must not
  // allocate.
  virtual void Destroy() = 0;

 protected:
  ~RunnableStep() = default;
};

// What a device does between two waits of the host: copies into its memory, steps, and copies that
// the host fetches. A session builds it once, in memory of its region, by the Add functions in the
// order of the plan and Finish; then Bind, and any number of runs. Offsets are in the session's
// DeviceMemory, where tensors have the layout of the plan's space.
class RunnableSegment {
 public:
  // Before all else: this segment computes as exactly as the device can, and not in a faster way
  // (DeviceBackend::PrefersSpeed).
  virtual void SetPrecise() {}
  // A value that Run reads from the host's memory (dense), before the steps that come next.
  virtual Status AddInput(const TensorType& type, int64_t offset) = 0;
  // `packed` is what Pack returned. An offset is -1 for an input that is constant. The spans are
  // valid only during the call.
  virtual Status AddStep(const StepContext& step, void* packed, std::span<const int64_t> inputs,
                         std::span<const int64_t> outputs) = 0;
  // A value that the host fetches after Run, as it is behind the last step. A value that several
  // copies fetch is added once for each.
  virtual Status AddOutput(const TensorType& type, int64_t offset) = 0;
  virtual Status Finish() = 0;

  // Where the host has an input, numbered in the order of AddInput, from the next run on.
  virtual Status BindInput(int input, const void* data) = 0;
  // Where Fetch will want an output. Where this is in DeviceMemory::host_data, nothing else uses
  // these bytes, so Run may write the output there at once.
  virtual Status BindOutput(int output, void* data) = 0;
  // One submission and one wait. kDeviceLost: the device failed or took too long, and nothing of
  // this segment can run any more. Allocates nothing; may take a lock while it submits, if sessions
  // share a queue, but never while it waits.
  virtual Status Run() = 0;
  // Copies an output of the last run to `data`, which is what BindOutput was given.
  virtual Status Fetch(int output) = 0;
  // How long the steps of the last run took, one entry per AddStep, in nanoseconds; 0 where that
  // is not known. The time of steps that the device computes together counts to the first of them.
  // The rest of the time of the last Run is copies and WaitNs. Before the first run with
  // EnableProfile(true) all are 0.
  virtual void EnableProfile(bool on) = 0;
  virtual void StepTimes(std::span<int64_t> ns) const = 0;
  // Bytes of the device's memory that it holds, once all inputs and outputs are bound.
  virtual int64_t device_bytes() const { return 0; }
  // How long the host waited in the last run while the device did not work for it: until it began,
  // and after it had ended. 0 where that is not known.
  virtual int64_t WaitNs() const { return 0; }
  // Frees what the segment holds outside its region. Called instead of the destructor.
  virtual void Destroy() = 0;

 protected:
  ~RunnableSegment() = default;
};

// What a backend keeps for one set of prepared weights in addition to the packed weights of each
// step, such as a weights cache.
class PackedWeights {
 public:
  // Called after the last Pack and before the first Create.
  virtual Status Finalize() { return {}; }
  // Bytes of a device's memory that it holds.
  virtual int64_t device_bytes() const { return 0; }
  // What a device's driver compiles for segments can be kept from one process to the next.
  // OpenCache comes before the first NewSegment; `data` is what SaveCache wrote where the DeviceKey
  // was the same, or empty. Later calls do nothing; any thread may call. kDeviceLost; no other
  // failure matters, because the driver then compiles anew.
  virtual Status OpenCache(std::span<const std::byte> data) {
    (void)data;
    return {};
  }
  // Writes it to `to`, which has `capacity` bytes, and returns how many bytes it has; with a null
  // `to` only that. 0 when there is nothing, or when `capacity` is too small. Any thread may call.
  virtual int64_t SaveCache(void* to, int64_t capacity) const {
    (void)to, (void)capacity;
    return 0;
  }
  virtual void Destroy() = 0;

 protected:
  ~PackedWeights() = default;
};

class DeviceBackend;

class Backend {
 public:
  virtual const char* name() const = 0;  // "xnnpack", "portable"
  // The library of kernels that it uses, with its version; null when the kernels are Linnet's.
  virtual const char* library() const { return nullptr; }
  // The product name of this machine's CPU; null for a backend that does not know it.
  virtual const char* processor() const { return nullptr; }
  // The device whose steps it runs, by its name in plans; "" for steps in the host's memory.
  virtual const char* device() const { return ""; }
  // Itself, when its device is not the host.
  virtual const DeviceBackend* as_device() const { return nullptr; }
  // nullptr when `op` can run here, else a short reason. Depends on nothing but `op` and the
  // machine. The values of constants that are packed may be unknown, and the answer does not depend
  // on them.
  virtual const char* WhyUnsupported(const OpInstance& op) const = 0;
  // The same without regard to who is faster: what a kernel profile may let run here.
  virtual const char* WhyUnable(const OpInstance& op) const { return WhyUnsupported(op); }
  // True when its steps implement Resize. Only such backends get steps whose extents vary.
  virtual bool can_resize() const { return false; }
  // Starts what the whole process shares (vkCreateInstance, xnn_initialize). kUnsupported when the
  // backend does not run on this machine: sessions then do without it. Sessions call it for devices
  // only: a backend on the host starts when WhyUnsupported is asked about a step that it would run.
  virtual Status Initialize() const { return {}; }
  // Estimated bytes that the backend holds outside all regions, in the whole process; 0 when all
  // its memory comes from regions.
  virtual int64_t heap_bytes() const { return 0; }

  // Makes an object for one set of prepared weights, in `region`; *out may stay null. `bytes` is
  // the sum of DeviceBackend::PackedBytes over the steps, each rounded up to kDeviceAlignment.
  virtual Status NewPackedWeights(int64_t bytes, Region& region, PackedWeights** out) const {
    (void)bytes, (void)region;
    *out = nullptr;
    return {};
  }
  // True when Run reads constant input `i` only in packed form, so that its plain form may be
  // freed.
  virtual bool PacksInput(const OpInstance& op, int i) const {
    (void)op, (void)i;
    return false;
  }
  // How Pack and Run read constant input `i`, which the plan has in panels. Unless the answer is
  // kNone, the step has it as op.inputs[i].form in all that follows, op.inputs[i].panels or the
  // bytes of op.inputs[i].in_panels instead of the plain value for as long as the prepared weights
  // live, and PacksInput is true. Asked once, of at most one input other than with kNone.
  virtual PanelForm ReadsPanels(const OpInstance& op, int i) const {
    (void)op, (void)i;
    return PanelForm::kNone;
  }
  // Packs the step's constants into `region`. Every Create of the step gets *packed, which may be
  // null. Only the shapes of constants may be used: other extents may differ in Create.
  virtual Status Pack(const StepContext& step, PackedWeights* weights, Region& region,
                      void** packed) const {
    (void)step, (void)weights, (void)region;
    *packed = nullptr;
    return {};
  }
  // Makes the runnable step. *workspace_bytes is the temporary memory that one Run needs. When
  // extents vary, each of them is given at its own maximum, a combination that the op's shape rule
  // may not even allow; the workspace must suffice for all smaller ones, which Resize sets later.
  virtual Status Create(const StepContext& step, PackedWeights* weights, void* packed,
                        const Threads& threads, Region& region, RunnableStep** out,
                        int64_t* workspace_bytes) const = 0;
  // True when CreateStrips is implemented.
  virtual bool runs_strips() const { return false; }
  // Makes one runnable step of several, all of which this backend runs and has packed: it gives the
  // same bits as they do one after the other.
  virtual Status CreateStrips(const StripsContext& strips, const Threads& threads, Region& region,
                              RunnableStep** out, int64_t* workspace_bytes) const {
    (void)strips, (void)threads, (void)region, (void)out, (void)workspace_bytes;
    return {StatusCode::kInternal, "the backend cannot run steps in strips"};
  }

 protected:
  ~Backend() = default;
};

}  // namespace linnet
