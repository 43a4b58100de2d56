// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/status.h"
#include "converter/graph/problems.h"
#include "converter/import/graph_constructor.h"
#include "schema/tensorflow/node_def.pb.h"
#include "schema/tensorflow/versions.pb.h"

namespace linnet::converter {

// InvalidArgument in TensorFlow's words, two blanks after full stops included.
absl::Status CheckVersions(const tf::VersionDef& versions);

// Name, op and the order of inputs of one node, whatever the others are.
void CheckNodeSyntax(const tf::NodeDef& def, const ConstructorOptions& options, Problems* problems);

}  // namespace linnet::converter
