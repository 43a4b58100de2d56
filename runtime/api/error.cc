// SPDX-License-Identifier: Apache-2.0
#include "runtime/api/error.h"

#include "runtime/core/dtype.h"
#include "runtime/core/format.h"

namespace linnet::api {

namespace {

// `text` is used only when the status is not ok: successful runs format nothing.
linnet_status Fill(const Status& status, const char* text, int64_t bytes_needed,
                   linnet_error* error) {
  const auto code = static_cast<linnet_status>(status.code());
  if (error == nullptr) return code;
  error->status = code;
  error->step = status.step();
  error->bytes_needed = bytes_needed;
  error->text[0] = '\0';
  if (!status.ok()) FormatText(error->text, sizeof(error->text), "%s", text);
  return code;
}

}  // namespace

linnet_status Report(const Status& status, const Diagnostic& diagnostic, linnet_error* error) {
  return Fill(status, diagnostic.TextOr(status.what()), diagnostic.bytes_needed, error);
}

linnet_status Report(const Status& status, linnet_error* error) {
  return Fill(status, status.what(), 0, error);
}

}  // namespace linnet::api

extern "C" {

#define LINNET_TEXT_OF_(number) #number
#define LINNET_TEXT_OF(number) LINNET_TEXT_OF_(number)
const char* linnet_version(void) {
  return LINNET_TEXT_OF(LINNET_VERSION_MAJOR) "." LINNET_TEXT_OF(
      LINNET_VERSION_MINOR) "." LINNET_TEXT_OF(LINNET_VERSION_PATCH);
}

const char* linnet_status_name(linnet_status status) {
  switch (status) {
    case LINNET_OK:
      return "LINNET_OK";
    case LINNET_INVALID_ARGUMENT:
      return "LINNET_INVALID_ARGUMENT";
    case LINNET_INVALID_PLAN:
      return "LINNET_INVALID_PLAN";
    case LINNET_UNSUPPORTED:
      return "LINNET_UNSUPPORTED";
    case LINNET_VERSION_TOO_NEW:
      return "LINNET_VERSION_TOO_NEW";
    case LINNET_NO_MEMORY:
      return "LINNET_NO_MEMORY";
    case LINNET_IO:
      return "LINNET_IO";
    case LINNET_BAD_INDEX:
      return "LINNET_BAD_INDEX";
    case LINNET_CANCELLED:
      return "LINNET_CANCELLED";
    case LINNET_DEVICE_LOST:
      return "LINNET_DEVICE_LOST";
    case LINNET_INTERNAL:
      return "LINNET_INTERNAL";
    case LINNET_TIMEOUT:
      return "LINNET_TIMEOUT";
  }
  return "LINNET_UNKNOWN";
}

const char* linnet_dtype_name(linnet_dtype dtype) {
  return linnet::DTypeName(static_cast<linnet::DType>(dtype));
}

}  // extern "C"
