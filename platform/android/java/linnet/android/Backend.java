// SPDX-License-Identifier: Apache-2.0
package linnet.android;

/** What runs a session. */
public enum Backend {
  /** The GPU where the plan was converted for it and the device has one, else the CPU. */
  AUTO(0),
  /** XNNPACK for the steps that it supports, else portable kernels. */
  CPU(1),
  /** Portable kernels only. */
  PORTABLE(2),
  /** The GPU, and the CPU for the steps that are placed there or where no GPU can be used. */
  VULKAN(3),
  /** Portable kernels that read weights where they lie in the plan: slower, and without memory for packed weights. */
  PLAIN(4);

  final int code;

  Backend(int code) {
    this.code = code;
  }

  static Backend of(int code) {
    for (Backend backend : values()) {
      if (backend.code == code) {
        return backend;
      }
    }
    throw new IllegalStateException("the library has a backend that Backend lacks: " + code);
  }
}
