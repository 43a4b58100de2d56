// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>

#include "absl/status/statusor.h"

namespace linnet::converter {

// The path that the names of a checkpoint's files begin with, "train/model.ckpt-1000". `given` may
// be that, one of the files, or their folder, of which TensorFlow's file `checkpoint` names the
// latest one. NotFound; InvalidArgument where a folder has several and no such file; Unimplemented
// for a checkpoint of version 1, which is a single file.
absl::StatusOr<std::filesystem::path> CheckpointPrefix(const std::filesystem::path& given);

}  // namespace linnet::converter
