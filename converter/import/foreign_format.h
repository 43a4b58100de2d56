// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace linnet::converter {

// For a file of another kind than the converter reads, what it is and how to get a model from it
// that can be read: "a Keras model in HDF5: export it ...". "" for files that may be models. By
// content, since a file may have any name.
std::string ForeignFormat(std::string_view file);

// The same for a folder that holds no SavedModel.
std::string ForeignFolder(const std::filesystem::path& folder);

}  // namespace linnet::converter
