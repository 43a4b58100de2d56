// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "converter/plan/program.h"
#include "converter/plan/weight_layout.h"
#include "flatbuffers/flatbuffers.h"

namespace linnet::converter {

// The structure of a plan file (schema/plan.fbs): all of it but the bytes of the weights, which lie
// as `layout`, of the same programs, has them. States of one name are one.
flatbuffers::DetachedBuffer BuildStructure(std::span<const Program> programs,
                                           const WeightLayout& layout);

}  // namespace linnet::converter
