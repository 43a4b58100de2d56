// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/resources/tables.h"
#include "converter/resources/variables.h"

namespace linnet::converter {

// What a model's variables and hash tables hold once it is loaded.
struct Resources {
  std::shared_ptr<const Variables> variables;  // null: the model has no checkpoint
  std::shared_ptr<const Tables> tables;        // null: the model has no hash tables
};

// What `model->loading` describes; values are read when somebody asks for them. `model->notes` gets
// what is odd about the nodes that run. Errors are those of the checkpoint's index: InvalidArgument
// and whatever loading.files has.
absl::StatusOr<Resources> LoadResources(ImportedModel* model);

}  // namespace linnet::converter
