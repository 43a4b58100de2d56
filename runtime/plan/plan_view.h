// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "runtime/core/diagnostic.h"
#include "runtime/core/layout.h"
#include "runtime/core/linked_parts.h"
#include "runtime/core/region.h"
#include "runtime/core/shape.h"
#include "runtime/core/status.h"
#include "runtime/plan/file_header.h"
#include "schema/plan_generated.h"

// A plan's structure as plain arrays. Every index, offset and size in them is checked to be in
// range; runtime/verify then checks what they mean.
namespace linnet {

inline constexpr Status kNoMemoryToOpen{StatusCode::kNoMemory,
                                        "out of memory while opening the plan"};

// A weight's bytes are [offset, offset + bytes) of the file.
struct PlanWeight {
  int64_t offset = 0;
  int64_t bytes = 0;
  schema::Encoding encoding = schema::Encoding::Plain;
  double scale = 0.0, minimum = 0.0;  // for affine encodings
};

// What a session keeps from run to run.
struct PlanState {
  const char* name = "";
  TensorType type;
  int32_t initial = -1;  // weight with the value of a new session, -1 = zeros
};

// The most terms of a symbol.
inline constexpr size_t kMaxSymbolTerms = 64;

// An extent that may differ from run to run, in [min, max].
struct PlanSymbol {
  const char* name = "";
  int64_t min = 0, max = 0;
  // With terms, its value is constant + sum of factor * symbol, over symbols without terms.
  int64_t constant = 0;
  std::span<const schema::Term> terms;
  bool is_free() const { return terms.empty(); }
};

// kStrips: a tensor of which only some rows exist at any time, while its strips run.
enum class Storage : uint8_t { kArena, kWeight, kState, kStrips };

struct PlanTensor {
  TensorType type;
  Storage storage = Storage::kArena;
  int32_t index = -1;  // index of the buffer, weight or state; -1 for kStrips
  int64_t offset = 0;  // kArena: bytes from the start of the space
  // kArena: index of the space; weights and states are the host's.
  PartValue<kLinkedDevices, uint8_t> space = 0;
  // By dimension: the symbol that is its extent, or -1 when `type` has the extent. Empty when no
  // extent varies; else `type` is the largest.
  PartList<kLinkedExtents, const int32_t> symbols;
  bool varies() const { return !symbols.empty(); }
};

struct PlanStep {
  uint16_t op = 0;  // not yet checked to be an OpKind
  std::span<const uint8_t> attrs;
  std::span<const int32_t> inputs, outputs;  // tensors
  const char* source = "";                   // first source node's name, "" when stripped
  PartList<kLinkedExtents, const schema::AttrExtent> attr_extents;
  PartList<kLinkedExtents, const schema::SetSymbol> sets;
  PartValue<kLinkedControls, schema::Control> control = schema::Control::None;
  std::span<const int32_t> regions;              // of a While or If
  PartValue<kLinkedDevices, uint8_t> space = 0;  // index of the space whose device runs it
  int32_t scratch = -1;  // buffer that it, or the strips that it begins, may use while they run
};

// Steps [first, first + count) of the program. A run executes region 0; While and If steps run the
// others.
struct PlanRegion {
  int32_t first = 0, count = 0;
  std::span<const int32_t> results;  // tensors; empty for region 0
};

struct PlanPort {
  const char* name = "";    // name in the signature, else the node's name
  const char* source = "";  // node:slot in the TensorFlow graph
  int32_t tensor = -1;
};

struct PlanBuffer {
  int64_t offset = 0, bytes = 0;  // in the space
  PartValue<kLinkedDevices, uint8_t> space = 0;
};

struct PlanSpace {
  const char* device = "";  // "" for the host
  int64_t bytes = 0;
  int64_t lower_bound = 0, naive = 0, imported_bound = 0;  // for comparison, see linnet_plan_stats
  Layout layout = Layout::kDense;                          // of all tensors in it
};

// After a successful run, the state of tensor `state` gets the value of `next`.
struct PlanUpdate {
  int32_t state = -1, next = -1;  // tensors
};

// The forms of a signature that a plan may hold beside each other, over the same weights and
// states.
enum class Variant : uint8_t {
  kHost,    // every signature has it
  kVulkan,  // steps on the device "vulkan", where it can run any
};

// The variant of this name in a plan; none when this version does not know it.
std::optional<Variant> VariantOf(std::string_view name);

struct PlanProgram {
  const char* key = "";  // of the signature
  PartValue<kLinkedDevices, Variant> variant = Variant::kHost;
  std::span<const PlanPort> inputs, outputs;
  std::span<const PlanTensor> tensors;
  std::span<const PlanBuffer> buffers;
  std::span<const PlanStep> steps;  // of all regions, one region after another
  std::span<const PlanRegion> regions;
  std::span<const PlanUpdate> updates;
  PartList<kLinkedStrips, const schema::Strips> strips;  // ranges of steps, in order
  std::span<const PlanSpace> spaces;                     // the host's first
  const PlanSpace& arena() const { return spaces[0]; }
  bool has_devices() const { return kLinkedDevices && spaces.size() > 1; }
  // In the memory where the tensor is. Weights and states are dense.
  int64_t BytesOf(const PlanTensor& tensor) const {
    return BytesIn(spaces[tensor.space].layout, tensor.type);
  }
};

struct PlanView {
  FileHeader header;
  const char* producer = "";
  std::span<const PlanWeight> weights;
  std::span<const PlanState> states;
  PartList<kLinkedExtents, const PlanSymbol> symbols;
  std::span<const PlanProgram> programs;  // without those of variants that this build does not know
};

// How the structure is read.
enum class StructureUse {
  kCopy,     // at any alignment; the copy cannot change after the checks
  kInPlace,  // must lie at a multiple of 8, and must not change while the view is in use
};

// Parses the structure (the bytes that the header names) into `region`. Time and memory are linear
// in its size. A failure leaves `*view` unchanged, and what was allocated in `region`.
// kInvalidPlan, kUnsupported (a required feature that this build does not have), kNoMemory.
Status ParsePlan(const FileHeader& header, std::span<const std::byte> structure, StructureUse use,
                 Region& region, PlanView* view, Diagnostic* diagnostic);

}  // namespace linnet
