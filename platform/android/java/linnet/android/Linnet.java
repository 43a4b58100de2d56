// SPDX-License-Identifier: Apache-2.0
package linnet.android;

/** The library as a whole. */
public final class Linnet {
  private Linnet() {}

  /** The version of the library that is loaded, as "0.1.0". */
  public static String version() {
    return Native.version();
  }

  /** The library of CPU kernels that this build uses in addition to its own, or "none". */
  public static String cpuKernels() {
    return Native.cpuKernels();
  }
}
