// SPDX-License-Identifier: Apache-2.0
#include "runtime/plan/plan_view.h"

#include <cstring>
#include <string_view>

#include "runtime/core/encoding.h"
#include "runtime/core/structure_verifier.h"
#include "runtime/plan/plan_tables.h"
#include "runtime/plan/program_parser.h"

namespace linnet {
namespace {

using namespace plan_tables;

constexpr uintptr_t kStructureAlignment = 8;  // of the largest numbers in it

Status ParseWeights(const schema::Plan& plan, const FileHeader& header, Region& region,
                    std::span<const PlanWeight>* out, Diagnostic* diagnostic) {
  const int64_t count = Size(plan.weights());
  auto* weights = region.New<PlanWeight>(count);
  if (weights == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Weight& weight = *plan.weights()->Get(static_cast<uint32_t>(i));
    // The tail lets kernels read past the end of every weight (see XNN_EXTRA_BYTES).
    if (!Inside(weight.offset(), weight.size(), header.weights_bytes) ||
        header.weights_bytes - weight.offset() - weight.size() < kWeightTail ||
        weight.offset() % kWeightAlignment != 0)
      return Bad(diagnostic, "lies outside the file or is not 64-byte aligned", 0, "weight", i);
    if (weight.encoding() > schema::Encoding::MAX)
      return Bad(diagnostic, "unknown encoding", 0, "weight", i);
    if (!kLinkedPanels && IsPanels(weight.encoding()))
      return NotLinked("weights in panels", diagnostic);
    const bool affine = IsAffine(weight.encoding());
    if (affine != (weight.affine() != nullptr))
      return Bad(diagnostic, "scale and minimum belong to affine encodings", 0, "weight", i);
    weights[i] = {static_cast<int64_t>(header.weights_offset + weight.offset()),
                  static_cast<int64_t>(weight.size()), weight.encoding(),
                  affine ? weight.affine()->scale() : 0.0, affine ? weight.affine()->min() : 0.0};
  }
  *out = {weights, static_cast<size_t>(count)};
  return {};
}

Status ParseStates(const schema::Plan& plan, std::span<const PlanWeight> weights, Region& region,
                   std::span<const PlanState>* out, Diagnostic* diagnostic) {
  const int64_t count = Size(plan.states());
  auto* states = region.New<PlanState>(count);
  if (states == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    const schema::State& table = *plan.states()->Get(static_cast<uint32_t>(i));
    PlanState& state = states[i];
    int64_t bytes = 0;
    if (!IsDType(table.dtype()) || Size(table.shape()) > kMaxRank ||
        !ReadType(table.dtype(), table.shape(), &state.type, &bytes) || bytes > kMaxSpaceBytes)
      return Bad(diagnostic, "unknown dtype, rank above 8 or too many elements", 0, "state", i);
    state.name = Text(table.name());
    state.initial = table.initial();
    if (state.initial < -1 || state.initial >= static_cast<int64_t>(weights.size()))
      return Bad(diagnostic, "no such weight", 0, "state", i);
    if (state.initial < 0) continue;
    const PlanWeight& weight = weights[state.initial];
    if ((weight.encoding != schema::Encoding::Plain && state.type.dtype != DType::kFloat32) ||
        weight.bytes != EncodedBytes(state.type, weight.encoding))
      return Bad(diagnostic, "its initial value has another type", 0, "state", i);
  }
  *out = {states, static_cast<size_t>(count)};
  return {};
}

Status ParseSymbols(const schema::Plan& plan, Region& region,
                    PartList<kLinkedExtents, const PlanSymbol>* out, Diagnostic* diagnostic) {
  const int64_t count = Size(plan.symbols());
  if (!kLinkedExtents) return count == 0 ? Status() : NotLinked("extents that vary", diagnostic);
  auto* symbols = region.New<PlanSymbol>(count);
  if (symbols == nullptr) return kNoMemoryToOpen;
  for (int64_t i = 0; i < count; ++i) {
    const schema::Symbol& table = *plan.symbols()->Get(static_cast<uint32_t>(i));
    symbols[i] = {Text(table.name()), table.min(), table.max(), table.constant(),
                  Structs(table.terms())};
    if (table.min() < -kMaxSpaceBytes || table.min() > table.max() ||
        table.max() > kMaxSpaceBytes || symbols[i].terms.size() > kMaxSymbolTerms)
      return Bad(diagnostic, "its bounds are out of range", 0, "symbol", i);
  }
  for (int64_t i = 0; i < count; ++i)
    for (const schema::Term& term : symbols[i].terms)
      if (term.symbol() < 0 || term.symbol() >= count || !symbols[term.symbol()].is_free())
        return Bad(diagnostic, "follows from a symbol that does not exist or is not free", 0,
                   "symbol", i);
  *out = {symbols, static_cast<size_t>(count)};
  return {};
}

Status ParsePrograms(const schema::Plan& plan, const PlanView& parsed, Region& region,
                     std::span<const PlanProgram>* out, Diagnostic* diagnostic) {
  auto* programs = region.New<PlanProgram>(Size(plan.programs()));
  if (programs == nullptr) return kNoMemoryToOpen;
  size_t count = 0;
  for (int64_t i = 0; i < Size(plan.programs()); ++i) {
    const schema::Program& table = *plan.programs()->Get(static_cast<uint32_t>(i));
    const std::optional<Variant> variant = VariantOf(Text(table.variant()));
    if (!variant || (*variant != Variant::kHost && !kLinkedDevices))
      continue;  // no session runs it
    programs[count].variant = *variant;
    LINNET_RETURN_IF_ERROR(
        ProgramParser(table, i, parsed, {programs, count}, region, programs[count], diagnostic)
            .Parse());
    ++count;
  }
  if (count == 0) return {StatusCode::kInvalidPlan, "the plan holds no program"};
  *out = {programs, count};
  return {};
}

}  // namespace

std::optional<Variant> VariantOf(std::string_view name) {
  if (name.empty() || name == kHostVariant) return Variant::kHost;
  if (name == kVulkanVariant) return Variant::kVulkan;
  return std::nullopt;
}

Status ParsePlan(const FileHeader& header, std::span<const std::byte> structure, StructureUse use,
                 Region& region, PlanView* view, Diagnostic* diagnostic) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(structure.data());
  if (use == StructureUse::kCopy) {
    auto* copy = static_cast<uint8_t*>(region.Allocate(static_cast<int64_t>(structure.size())));
    if (copy == nullptr) return kNoMemoryToOpen;
    if (!structure.empty()) std::memcpy(copy, bytes, structure.size());
    bytes = copy;
  } else if (reinterpret_cast<uintptr_t>(bytes) % kStructureAlignment != 0) {
    return {StatusCode::kInvalidPlan, "the plan's structure is misaligned; it must be copied"};
  }
  if (!StructureVerifier({bytes, structure.size()})
           .Verify(kTableLayout<schema::Plan>, schema::PlanIdentifier()))
    return {StatusCode::kInvalidPlan, "the plan's structure is damaged"};
  const schema::Plan& plan = *schema::GetPlan(bytes);
  if (Size(plan.required_features()) != 0) {
    if (diagnostic != nullptr)
      diagnostic->Format("the plan needs the feature '%.60s', which this build does not have",
                         Text(plan.required_features()->Get(0)));
    return {StatusCode::kUnsupported, "the plan needs a feature that this build does not have"};
  }

  PlanView parsed;
  parsed.header = header;
  parsed.producer = Text(plan.producer());
  LINNET_RETURN_IF_ERROR(ParseWeights(plan, header, region, &parsed.weights, diagnostic));
  LINNET_RETURN_IF_ERROR(ParseStates(plan, parsed.weights, region, &parsed.states, diagnostic));
  LINNET_RETURN_IF_ERROR(ParseSymbols(plan, region, &parsed.symbols, diagnostic));
  LINNET_RETURN_IF_ERROR(ParsePrograms(plan, parsed, region, &parsed.programs, diagnostic));
  *view = parsed;
  return {};
}

}  // namespace linnet
