// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/meta_graph.pb.h"

namespace linnet::converter {

// The last step for every format: builds the graph, and a default signature. `model_ops`: see
// DefineCustomOps.
absl::StatusOr<ImportedModel> BuildModel(RawGraph raw, std::string format,
                                         const ImportOptions& options,
                                         const tf::OpList* model_ops = nullptr);

// Inputs and outputs are sorted by key.
SignatureInfo SignatureFromProto(const std::string& key, const tf::SignatureDef& proto);

// Replaces the default signature. InvalidArgument for tensors that do not exist.
absl::Status SetSignatures(std::vector<SignatureInfo> signatures, ImportedModel* model);

}  // namespace linnet::converter
