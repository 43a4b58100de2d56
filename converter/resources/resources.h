// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/resources/tables.h"
#include "converter/resources/variables.h"

namespace linnet::converter {

// The content of a model's variables and hash tables after TensorFlow has loaded it.
struct Resources {
  std::shared_ptr<const Variables> variables;  // null: the model has no checkpoint
  std::shared_ptr<const Tables> tables;        // null: the model has no hash tables
};

// Finds out what the nodes of `model->loading` would load. Values are read later, when they are
// used. `model->notes` gets warnings. Errors are those of the checkpoint's index: InvalidArgument
// and the errors of loading.files.
absl::StatusOr<Resources> LoadResources(ImportedModel* model);

}  // namespace linnet::converter
