// SPDX-License-Identifier: Apache-2.0
#include "converter/plan/margins.h"

#include "runtime/ops/conv2d.h"
#include "runtime/ops/depthwise_conv2d.h"
#include "runtime/ops/op_codec.h"
#include "runtime/ops/pool2d.h"

namespace linnet::converter {
namespace {

template <typename Attrs>
bool IsSame(const schema::StepT& step) {
  Attrs attrs;
  return FindOp(KindOf<Attrs>::value)->decode(step.attrs, &attrs).ok() && attrs.same;
}

}  // namespace

bool ComputesMargins(const schema::StepT& step) {
  if (step.control != schema::Control::None) return false;
  switch (step.op) {
    case schema::OpKind::Conv2D:
      return IsSame<Conv2DAttrs>(step);
    case schema::OpKind::DepthwiseConv2D:
      return IsSame<DepthwiseConv2DAttrs>(step);
    case schema::OpKind::Pool2D:
      return IsSame<Pool2DAttrs>(step);
    default:
      return false;
  }
}

}  // namespace linnet::converter
