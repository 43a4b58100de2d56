// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "converter/cli/picture.h"
#include "linnet/linnet.h"
#include "runtime/tools/npy.h"

namespace linnet::cli {

// What `linnet run --input` says of one input.
struct InputValue {
  std::string name;                      // "": the only input
  std::string file;                      // "": noise
  std::optional<tools::NpyArray> array;  // of a .npy file; other files are pictures
  PictureRange range;
};

// "x=a.npy", "x=picture.png", "x=picture.png,-1..1", "x=noise", and each without "x=". Reads the
// array. InvalidArgument says what is wrong with the text or that file.
absl::StatusOr<InputValue> ReadInputValue(const std::string& text);

// Writes the value to input `index` of the session, whose extents it takes where they vary. `told`
// says in one line what was done. Returns "", or what does not fit.
std::string FeedInput(const InputValue& value, linnet_session* session, int32_t index,
                      std::string* told);

}  // namespace linnet::cli
