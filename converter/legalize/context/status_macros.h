// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "absl/status/statusor.h"
#include "runtime/core/status.h"  // LINNET_RETURN_IF_ERROR works for absl::Status too

// LINNET_ASSIGN_OR_RETURN(const Output x, context.Emit(...)) sets x to the value, or returns the
// error from the function.
#define LINNET_ASSIGN_OR_RETURN(target, expr) \
  LINNET_ASSIGN_OR_RETURN_(LINNET_CONCAT_NAMES_(status_or_, __LINE__), target, expr)
#define LINNET_ASSIGN_OR_RETURN_(name, target, expr) \
  auto name = (expr);                                \
  if (!name.ok()) return std::move(name).status();   \
  target = *std::move(name)
#define LINNET_CONCAT_NAMES_(a, b) LINNET_CONCAT_NAMES_2_(a, b)
#define LINNET_CONCAT_NAMES_2_(a, b) a##b
