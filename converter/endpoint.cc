// SPDX-License-Identifier: Apache-2.0
#include "converter/endpoint.h"

namespace linnet::converter {

std::string WithSlot(const std::string& tensor) {
  const size_t colon = tensor.rfind(':');
  const bool has_slot = colon != std::string::npos && colon + 1 < tensor.size() &&
                        tensor.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return has_slot ? tensor : tensor + ":0";
}

std::string NodeOf(const std::string& tensor) {
  const std::string full = WithSlot(tensor);
  return full.substr(0, full.rfind(':'));
}

bool SameTensor(const std::string& a, const std::string& b) { return WithSlot(a) == WithSlot(b); }

Endpoint Resolve(std::span<const TensorRef> signature, const std::string& name) {
  for (const TensorRef& tensor : signature)
    if (SameTensor(tensor.key, name)) return {name, tensor.tensor};
  return {name, name};
}

Endpoint ResolveToKey(std::span<const TensorRef> signature, const std::string& name) {
  Endpoint endpoint = Resolve(signature, name);
  for (const TensorRef& tensor : signature)
    if (SameTensor(tensor.tensor, endpoint.tensor)) return {tensor.key, tensor.tensor};
  return endpoint;
}

}  // namespace linnet::converter
