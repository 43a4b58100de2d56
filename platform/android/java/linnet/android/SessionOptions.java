// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.io.File;

/** How a session runs. Each setter returns the object itself. */
public final class SessionOptions {
  String signature;
  Backend backend = Backend.AUTO;
  int threads = 1;
  long maxBytes;
  String cacheFile;
  byte[] kernels;

  /** The entry point; null: the plan's first. */
  public SessionOptions signature(String signature) {
    this.signature = signature;
    return this;
  }

  public SessionOptions backend(Backend backend) {
    this.backend = backend;
    return this;
  }

  /** Threads that a run uses, the calling one included. */
  public SessionOptions threads(int threads) {
    this.threads = threads;
    return this;
  }

  /** For untrusted plans: the memory that the session, and its weights, may take. 0: no limit. */
  public SessionOptions maxBytes(long maxBytes) {
    this.maxBytes = maxBytes;
    return this;
  }

  /**
   * Where the session keeps what it learned about the GPU, so that later processes neither test it
   * nor compile for it again. One file per plan and signature, for example in
   * <code>Context.getCacheDir()</code>; it need not be there yet.
   */
  public SessionOptions cacheFile(File file) {
    this.cacheFile = file == null ? null : file.getPath();
    return this;
  }

  /**
   * A profile that <code>linnet-run --measure-kernels</code> wrote on this device with as many
   * threads: which of the CPU's kernels runs a step faster. null: the library's own rules. A damaged
   * profile, and one that was measured on another machine or with other threads, is refused; a
   * library whose {@link Linnet#cpuKernels} are "none" has no choice and does not look at it.
   *
   * @param profile the bytes of the file
   */
  public SessionOptions kernels(byte[] profile) {
    this.kernels = profile == null ? null : profile.clone();
    return this;
  }
}
