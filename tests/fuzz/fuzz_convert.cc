// SPDX-License-Identifier: Apache-2.0
// A model of any form -> plan -> run. What converts must open and run: the converter and the device
// may not disagree.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "converter/convert.h"
#include "tests/fuzz/run_plan.h"

namespace {

// A folder of this process, removed at its end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz_convert.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace linnet::converter;
  static const Folder folder;
  ConvertOptions options;
  options.model = folder.File("model");
  options.output = folder.File("model.linnet");
  std::ofstream(options.model, std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  ConversionReport report;
  const absl::Status status = Convert(options, &report);
  if (absl::IsInternal(status)) __builtin_trap();  // a bug of ours
  if (!status.ok()) return 0;
  linnet_plan* plan = nullptr;
  linnet_error error;
  const linnet_status opened =
      linnet_plan_open_file(options.output.c_str(), nullptr, &plan, &error);
  if (opened != LINNET_OK) __builtin_trap();
  for (const linnet_backend backend : {LINNET_BACKEND_PORTABLE, LINNET_BACKEND_CPU}) {
    const linnet_status created = linnet::RunIfCheap(plan, backend);
    if (created != LINNET_OK && created != LINNET_NO_MEMORY) __builtin_trap();
  }
  linnet_plan_close(plan);
  return 0;
}
