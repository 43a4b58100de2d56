// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "converter/cli/picture.h"
#include "converter/pass/pass.h"
#include "linnet/linnet.h"

namespace linnet::cli {

// What `linnet run --input` says of one input.
struct InputValue {
  std::string name;  // "": the only input
  std::string file;  // a .npy file or a picture; "": noise
  PictureRange range;
};

// "x=a.npy", "x=picture.png", "x=picture.png,-1..1", "x=noise", and each without "x=".
// InvalidArgument says what is wrong with the text.
absl::StatusOr<InputValue> ParseInputValue(const std::string& text);

// The shape that the model has to have for the value: that of a .npy file. Nothing for what takes
// the model's shape. InvalidArgument for a file that cannot be read.
absl::StatusOr<std::optional<converter::Feed>> ShapeFor(const InputValue& value);

// Writes the value to input `index` of the session, whose extents it takes where they vary. `told`
// says in one line what was done. Returns "", or what does not fit.
std::string FeedInput(const InputValue& value, linnet_session* session, int32_t index,
                      std::string* told);

}  // namespace linnet::cli
