// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/**
 * The functions of platform/android/jni. They check nothing: their callers in this package do. A
 * long is a handle of a plan or a session that is open.
 */
final class Native {
  private static final Charset UTF_8 = Charset.forName("UTF-8");

  static {
    System.loadLibrary("linnet");
  }

  private Native() {}

  /** Called from C, which has text in UTF-8 that need not be valid. */
  static String text(byte[] utf8) {
    return new String(utf8, UTF_8);
  }

  /** For C, where a zero byte would end the text. */
  static byte[] bytes(String text, String what) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(what + " has a zero character in it");
    }
    return text.getBytes(UTF_8);
  }

  static native String version();

  static native String cpuKernels();

  static native long openFile(byte[] path);

  static native long openDescriptor(int descriptor, long offset, long bytes);

  static native long openMemory(ByteBuffer buffer, int start, int bytes);

  static native void closePlan(long plan);

  static native String[] signatures(long plan);

  static native TensorInfo[] inputs(long plan, int signature);

  static native TensorInfo[] outputs(long plan, int signature);

  static native long createSession(
      long plan,
      byte[] signature,
      int backend,
      int threads,
      long maxBytes,
      byte[] cacheFile,
      byte[] kernels);

  static native void destroySession(long session);

  static native void run(long session);

  static native void cancel(long session);

  static native void reset(long session);

  static native int backend(long session);

  static native String whyNotGpu(long session);

  static native void setInputShape(long session, int index, long[] shape);

  static native long[] shape(long session, boolean output, int index);

  static native void write(
      long session, int index, Object source, int dtype, int start, int count);

  static native void read(long session, int index, Object target, int dtype, int start, int count);

  static native void bind(
      long session, boolean output, int index, ByteBuffer buffer, int start, int bytes);

  static native long address(ByteBuffer buffer);
}
