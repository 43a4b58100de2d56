// SPDX-License-Identifier: Apache-2.0
// A model of any form in one file: converted, and the plan run.
#include <cstdint>

#include "tests/fuzz/convert_and_run.h"
#include "tests/scratch_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const linnet::ScratchFolder folder;
  const std::string model =
      linnet::WriteAll(folder / "model", {reinterpret_cast<const char*>(data), size});
  linnet::converter::ConvertAndRun(model, folder / "model.linnet");
  return 0;
}
