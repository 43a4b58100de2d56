// SPDX-License-Identifier: Apache-2.0
#include "converter/cli/plan_of_model.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>

namespace linnet::cli {

absl::StatusOr<converter::OwnedBytes> PlanOfModel(converter::ConvertOptions options,
                                                  converter::ConversionReport* report) {
  std::string folder = (std::filesystem::temp_directory_path() / "linnet_XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return absl::UnavailableError("cannot make a temporary folder: " + folder);
  options.output = folder + "/model.linnet";
  const absl::Status status = converter::Convert(options, report);
  absl::StatusOr<converter::OwnedBytes> plan = status.ok()
                                                   ? converter::MapFile(options.output)
                                                   : absl::StatusOr<converter::OwnedBytes>(status);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  return plan;
}

}  // namespace linnet::cli
