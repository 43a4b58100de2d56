// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "converter/plan/program.h"
#include "converter/plan/weight_layout.h"
#include "flatbuffers/flatbuffers.h"
#include "schema/plan_generated.h"

namespace linnet::converter {

// The structure of a plan file (schema/plan.fbs), all of it but the bytes of the weights, as the
// converter builds, writes, reads, changes and reports it. flatc generates it from the schema, so
// that it always has every field.
using PlanStructure = schema::PlanT;

// `layout`: of the weights of the same programs. States of the same name become one state.
PlanStructure BuildStructure(std::span<const Program> programs, const WeightLayout& layout);

// The bytes of a file's structure. Steps of other variants that have the sources of a host's step
// only refer to it (Step.named_after); in a PlanStructure, each step has its own.
flatbuffers::DetachedBuffer PackStructure(const PlanStructure& plan);

// The inverse, for bytes that the runtime has verified (runtime/verify/verify_plan.h) or that were
// just packed: packing it again gives the same bytes.
PlanStructure UnpackStructure(std::span<const uint8_t> structure);
// That of a whole file, without programs of variants that this version does not know: nothing has
// checked them.
PlanStructure ReadStructure(std::span<const std::byte> file);

}  // namespace linnet::converter
