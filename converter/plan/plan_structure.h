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
// converter builds, writes, reads, changes and reports it. flatc makes its fields from the schema:
// a new one is in it by itself.
using PlanStructure = schema::PlanT;

// Of weights that lie as `layout`, of the same programs, has them. States of one name are one.
PlanStructure BuildStructure(std::span<const Program> programs, const WeightLayout& layout);

// The bytes of a file's structure.
flatbuffers::DetachedBuffer PackStructure(const PlanStructure& plan);

// The inverse, for bytes that the runtime has verified (runtime/verify/verify_plan.h) or that were
// just packed: packing it again gives the same bytes.
PlanStructure UnpackStructure(std::span<const uint8_t> structure);
// That of a whole file.
PlanStructure ReadStructure(std::span<const std::byte> file);

}  // namespace linnet::converter
