// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "converter/graph/problems.h"
#include "converter/import/import.h"

namespace linnet::converter {

// What `linnet inspect MODEL` knows.
struct ModelDescription {
  std::string path;
  const ImportedModel& model;
  // What stands against a plan of each of the model's signatures, with the default options.
  std::vector<std::vector<Problem>> problems;
};

// Signatures and whether they convert, op counts, nodes.
std::string ModelText(const ModelDescription& description);
std::string ModelJson(const ModelDescription& description);  // keys: README.md
std::string ModelHtml(const ModelDescription& description);

}  // namespace linnet::converter
