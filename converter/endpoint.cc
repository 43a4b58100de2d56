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

Endpoint EndpointResolver::Resolve(const std::string& name) const {
  for (const TensorRef& tensor : signature_)
    if (SameTensor(tensor.key, name)) return {name, tensor.tensor};
  return {name, name};
}

Endpoint EndpointResolver::ResolveToKey(const std::string& name) const {
  const Endpoint endpoint = Resolve(name);
  for (const TensorRef& tensor : signature_)
    if (SameTensor(tensor.tensor, endpoint.tensor)) return {tensor.key, tensor.tensor};
  return endpoint;
}

std::vector<Endpoint> EndpointResolver::All() const {
  std::vector<Endpoint> all;
  for (const TensorRef& tensor : signature_) all.push_back({tensor.key, tensor.tensor});
  return all;
}

}  // namespace linnet::converter
