// SPDX-License-Identifier: Apache-2.0
#include "converter/endpoint.h"

#include "runtime/core/tensor_name.h"

namespace linnet::converter {

std::string WithSlot(const std::string& tensor) {
  return SlotOf(tensor).empty() ? tensor + ":0" : tensor;
}

std::string NodeOf(const std::string& tensor) {
  return tensor.substr(0, tensor.size() - SlotOf(tensor).size());
}

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
