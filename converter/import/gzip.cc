// SPDX-License-Identifier: Apache-2.0
#include "converter/import/gzip.h"

#include <zlib.h>

#include <limits>
#include <string>
#include <utility>

#include "fmt/format.h"

namespace linnet::converter {
namespace {

constexpr int kGzipOnly = 15 + 16;  // zlib's argument for a window of 32 KiB and gzip's header
constexpr size_t kBlock = size_t{1} << 16;

// zlib's state, which is given back whatever happens.
class Inflater {
 public:
  explicit Inflater(std::span<const std::byte> packed) {
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    code_ = inflateInit2(&stream_, kGzipOnly);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Appends what comes next to `text`. False at the end, or where `error` has something to say.
  bool Next(std::string* text) {
    if (code_ == Z_STREAM_END && stream_.avail_in > 0) code_ = inflateReset(&stream_);
    if (code_ != Z_OK) return false;
    const size_t before = text->size();
    text->resize(before + kBlock);
    stream_.next_out = reinterpret_cast<Bytef*>(text->data() + before);
    stream_.avail_out = kBlock;
    code_ = inflate(&stream_, Z_NO_FLUSH);
    text->resize(before + kBlock - stream_.avail_out);
    return code_ == Z_OK || code_ == Z_STREAM_END;
  }

  // What is wrong with the file, or "".
  std::string error() const {
    if (code_ == Z_STREAM_END) return "";
    if (code_ == Z_BUF_ERROR) return "the file ends too early";
    return stream_.msg != nullptr ? stream_.msg : zError(code_);
  }

 private:
  z_stream stream_ = {};
  int code_ = Z_OK;
};

OwnedBytes Owned(std::string text) {
  const auto owner = std::make_shared<const std::string>(std::move(text));
  return {.bytes = std::as_bytes(std::span(*owner)), .owner = owner};
}

}  // namespace

absl::StatusOr<OwnedBytes> Unpacked(const OwnedBytes& file, size_t most_bytes) {
  if (!AsText(file.bytes).starts_with("\x1f\x8b")) return file;
  if (file.bytes.size() > std::numeric_limits<uInt>::max())
    return absl::InvalidArgumentError("more than 4 GiB compressed with gzip: unpack it first");
  Inflater inflater(file.bytes);
  std::string text;
  while (inflater.Next(&text))
    if (text.size() > most_bytes)
      return absl::InvalidArgumentError(
          fmt::format("compressed with gzip, and more than {} bytes when unpacked", most_bytes));
  if (const std::string error = inflater.error(); !error.empty())
    return absl::InvalidArgumentError(
        fmt::format("compressed with gzip, but damaged ({}): fetch it again", error));
  return Owned(std::move(text));
}

}  // namespace linnet::converter
