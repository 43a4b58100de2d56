// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "converter/import/import.h"

namespace linnet::converter {

// A model as it was imported, before any pass, for `linnet inspect MODEL`: signatures, op counts,
// nodes.
std::string ModelText(const std::string& path, const ImportedModel& model);
std::string ModelJson(const std::string& path, const ImportedModel& model);  // keys: README.md
std::string ModelHtml(const std::string& path, const ImportedModel& model);

}  // namespace linnet::converter
