// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "absl/status/statusor.h"
#include "converter/import/import.h"
#include "converter/import/raw_graph.h"
#include "schema/tensorflow/meta_graph.pb.h"

namespace linnet::converter {

// The last step of every format: the graph, and a signature for models that have none.
absl::StatusOr<ImportedModel> BuildModel(RawGraph raw, std::string format,
                                         const ImportOptions& options);

// A signature as read, inputs and outputs by key.
SignatureInfo SignatureFromProto(const std::string& key, const tf::SignatureDef& proto);

// Replaces the made-up signature. Tensors that do not exist are problems: InvalidArgument.
absl::Status SetSignatures(std::vector<SignatureInfo> signatures, ImportedModel* model);

}  // namespace linnet::converter
