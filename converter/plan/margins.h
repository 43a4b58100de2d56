// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "converter/plan/plan_structure.h"

namespace linnet::converter {

// Whether the margins of the step's window follow from the size of its picture in each run
// (attribute `same`), for which a program needs the feature "margins".
bool ComputesMargins(const schema::StepT& step);

}  // namespace linnet::converter
