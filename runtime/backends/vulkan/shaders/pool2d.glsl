// SPDX-License-Identifier: Apache-2.0
// The part of a pooling window that lies inside the image, which is at least one pixel. Needs `p`, a Pool2DPush.
struct Window {
  int top, bottom, left, right;  // bottom and right are one past the end
  uint image;                    // the first pixel of the image
};

Window WindowOf(uint pixel) {
  const uint row = pixel / p.out_w, image = row / p.out_h;
  const int top = int(row - image * p.out_h) * p.stride_h - p.pad_top;
  const int left = int(pixel - row * p.out_w) * p.stride_w - p.pad_left;
  return Window(max(top, 0), min(top + p.window_h, p.in_h), max(left, 0), min(left + p.window_w, p.in_w),
                image * uint(p.in_h) * uint(p.in_w));
}
