// SPDX-License-Identifier: Apache-2.0
#pragma once
namespace linnet {

// Cores that this process may use; at least 1.
int AvailableCores();

}  // namespace linnet
