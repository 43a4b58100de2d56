// SPDX-License-Identifier: Apache-2.0
// A SavedModel's saved_model.pb beside a valid checkpoint: converted, and the plan run.
#include <cstdint>
#include <filesystem>

#include "tests/converter/import/checkpoint/table_builder.h"
#include "tests/fuzz/convert_and_run.h"
#include "tests/scratch_folder.h"

namespace {

// The same variables as in fuzz_saved_model.
void WriteCheckpoint(const std::filesystem::path& variables) {
  using namespace linnet::converter;
  BundleBuilder builder;
  for (const char* key : {"v", "w", "p"})
    builder.Put(key, builder.Entry<float>(linnet::tf::DT_FLOAT, {2, 2}, {1, 2, 3, 4}));
  std::filesystem::create_directories(variables);
  linnet::WriteAll((variables / "variables.index").string(), Table(builder.entries));
  linnet::WriteAll((variables / "variables.data-00000-of-00001").string(), builder.data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const linnet::ScratchFolder folder;
  static const bool once = (WriteCheckpoint(folder / "saved_model/variables"), true);
  (void)once;
  linnet::WriteAll(folder / "saved_model/saved_model.pb",
                   {reinterpret_cast<const char*>(data), size});
  linnet::converter::ConvertAndRun(folder / "saved_model", folder / "model.linnet");
  return 0;
}
