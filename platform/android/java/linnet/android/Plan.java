// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * A plan that <code>linnet convert</code> made, opened and verified. Any number of threads may use
 * it at once. Sessions keep it: what {@link #close} gives back is gone when the last of them is
 * closed too. A plan that is not closed stays in memory until the process ends.
 */
public final class Plan implements AutoCloseable {
  private final long handle;
  private final ByteBuffer memory; // of a plan in memory, which the library goes on reading
  private final List<String> signatures;
  private final List<List<TensorInfo>> inputs = new ArrayList<>();
  private final List<List<TensorInfo>> outputs = new ArrayList<>();
  private int users = 1; // this object until it is closed, and each session
  private boolean closed;

  private Plan(long handle, ByteBuffer memory) {
    this.handle = handle;
    this.memory = memory;
    this.signatures = unchanging(Native.signatures(handle));
    for (int i = 0; i < signatures.size(); ++i) {
      inputs.add(unchanging(Native.inputs(handle, i)));
      outputs.add(unchanging(Native.outputs(handle, i)));
    }
  }

  /** Gives the handle back where there is no memory to describe the plan. */
  private static Plan describe(long handle, ByteBuffer memory) {
    Plan plan = null;
    try {
      plan = new Plan(handle, memory);
      return plan;
    } finally {
      if (plan == null) {
        Native.closePlan(handle);
      }
    }
  }

  /** Maps the file, which must not be changed while the plan is open. */
  public static Plan open(File file) {
    return open(file.getPath());
  }

  /** Maps the file, which must not be changed while the plan is open. */
  public static Plan open(String path) {
    return describe(Native.openFile(Native.bytes(path, "the path")), null);
  }

  /**
   * Maps a part of an open file, for example an asset that is stored without compression:
   *
   * <pre>{@code
   * try (AssetFileDescriptor asset = getAssets().openFd("model.linnet")) {
   *   plan = Plan.open(
   *       asset.getParcelFileDescriptor().getFd(), asset.getStartOffset(), asset.getLength());
   * }
   * }</pre>
   *
   * @param descriptor stays the caller's and may be closed afterwards
   * @param offset where the plan begins in the file
   * @param length its bytes; 0: to the end of the file
   */
  public static Plan open(int descriptor, long offset, long length) {
    return describe(Native.openDescriptor(descriptor, offset, length), null);
  }

  /**
   * Opens the bytes between the position and the limit of a direct buffer, which the plan goes on
   * reading until it is closed: they must not change.
   */
  public static Plan open(ByteBuffer direct) {
    if (!direct.isDirect()) {
      throw new IllegalArgumentException("a plan in memory needs a direct buffer");
    }
    long handle = Native.openMemory(direct, direct.position(), direct.remaining());
    return describe(handle, direct);
  }

  /** The entry points of the model; "" for a graph without signatures. At least one. */
  public List<String> signatures() {
    return signatures;
  }

  /** The inputs of the first signature. */
  public List<TensorInfo> inputs() {
    return inputs.get(0);
  }

  /** The outputs of the first signature. */
  public List<TensorInfo> outputs() {
    return outputs.get(0);
  }

  public List<TensorInfo> inputs(String signature) {
    return inputs.get(indexOf(signature));
  }

  public List<TensorInfo> outputs(String signature) {
    return outputs.get(indexOf(signature));
  }

  /** Does nothing when the plan is closed already. */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    release();
  }

  /** The handle, for a session that calls {@link #release} when it no longer needs it. */
  synchronized long retain() {
    if (closed) {
      throw new IllegalStateException("the plan is closed");
    }
    ++users;
    return handle;
  }

  synchronized void release() {
    if (--users == 0) {
      Native.closePlan(handle);
    }
  }

  /** Of the first signature when null. */
  int indexOf(String signature) {
    int index = signature == null ? 0 : signatures.indexOf(signature);
    if (index < 0) {
      throw new IllegalArgumentException(
          "the plan has no signature '" + signature + "'; it has " + signatures);
    }
    return index;
  }

  private static <T> List<T> unchanging(T[] values) {
    return Collections.unmodifiableList(Arrays.asList(values));
  }
}
