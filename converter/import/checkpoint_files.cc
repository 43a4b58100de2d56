// SPDX-License-Identifier: Apache-2.0
#include "converter/import/checkpoint_files.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "converter/import/mapped_file.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

namespace linnet::converter {
namespace {

namespace fs = std::filesystem;

bool HasIndex(const fs::path& prefix) {
  std::error_code ignored;
  return fs::is_regular_file(prefix.string() + ".index", ignored);
}

// What `checkpoint`, a file in text form, says is the latest: model_checkpoint_path:
// "model.ckpt-7". The path may be that of another machine, so only its name counts. "" where it
// says nothing.
std::string LatestOf(const fs::path& folder) {
  const absl::StatusOr<OwnedBytes> file = MapFile(folder / "checkpoint");
  if (!file.ok()) return "";
  const std::string_view text = AsText(file->bytes);
  constexpr std::string_view kKey = "model_checkpoint_path:";
  if (!text.starts_with(kKey)) return "";
  const size_t begin = text.find('"'), end = text.find('"', begin + 1);
  if (end == std::string_view::npos) return "";
  return fs::path(text.substr(begin + 1, end - begin - 1)).filename().string();
}

absl::StatusOr<fs::path> InFolder(const fs::path& folder) {
  if (const std::string latest = LatestOf(folder); !latest.empty() && HasIndex(folder / latest))
    return folder / latest;
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".index") found.push_back(it->path().stem().string());
  std::ranges::sort(found);
  if (found.size() == 1) return folder / found[0];
  if (found.empty())
    return absl::NotFoundError(
        fmt::format("{} has no checkpoint: no file whose name ends in .index", folder.string()));
  return absl::InvalidArgumentError(fmt::format("{} has several checkpoints: choose one of {}",
                                                folder.string(), fmt::join(found, ", ")));
}

}  // namespace

absl::StatusOr<fs::path> CheckpointPrefix(const fs::path& given) {
  std::error_code ignored;
  if (fs::is_directory(given, ignored)) return InFolder(given);
  if (HasIndex(given)) return given;
  std::string name = given.filename().string();
  for (const char* ending : {".index", ".meta", ".data-"})
    if (const size_t at = name.rfind(ending); at != std::string::npos && at > 0) name.resize(at);
  if (const fs::path prefix = given.parent_path() / name; HasIndex(prefix)) return prefix;
  if (fs::is_regular_file(given, ignored))
    return absl::UnimplementedError(
        fmt::format("{} may be a checkpoint of version 1, which cannot be read: load it with "
                    "TensorFlow and save it again, as by tf.compat.v1.train.Saver",
                    given.string()));
  return absl::NotFoundError(
      fmt::format("there is no checkpoint {0}: no file {0}.index", given.string()));
}

}  // namespace linnet::converter
