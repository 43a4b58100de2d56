// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An input or output. Data is dense, the last dimension innermost; images are NHWC. */
public final class TensorInfo {
  private static final int ALIGNMENT = 64; // of memory that runs use without a copy
  private static final int READ_BEHIND = 16; // bytes after the tensor that kernels may read

  private final String name;
  private final String source;
  private final DType dtype;
  private final long[] shape;
  private final long bytes;
  private final int varies;
  private final boolean kept;

  TensorInfo(
      String name, String source, int dtype, long[] shape, long bytes, int varies, boolean kept) {
    this.name = name;
    this.source = source;
    this.dtype = DType.of(dtype);
    this.shape = shape;
    this.bytes = bytes;
    this.varies = varies;
    this.kept = kept;
  }

  /** Its name in the model's signature; the node's name without signatures. */
  public String name() {
    return name;
  }

  /** "node:output" in the TensorFlow graph. */
  public String source() {
    return source;
  }

  public DType dtype() {
    return dtype;
  }

  /** Outermost first; the maximum of a dimension that varies. */
  public long[] shape() {
    return shape.clone();
  }

  /** Of a tensor with this shape. */
  public long bytes() {
    return bytes;
  }

  /** May this dimension be smaller in a run? */
  public boolean varies(int dimension) {
    return dimension >= 0 && dimension < shape.length && (varies >> dimension & 1) != 0;
  }

  /** An input that a run leaves as it was, so it need not be written again before the next one. */
  public boolean kept() {
    return kept;
  }

  /**
   * A direct buffer, in the machine's order of bytes, which {@link Session#bindInput} and {@link
   * Session#bindOutput} need not copy. Its limit is the size of the tensor, its capacity is a
   * little more.
   */
  public ByteBuffer newBuffer() {
    if (bytes > Integer.MAX_VALUE - ALIGNMENT - READ_BEHIND) {
      throw new IllegalStateException(this + " is larger than a ByteBuffer can be");
    }
    int capacity = (int) bytes + READ_BEHIND;
    ByteBuffer memory = ByteBuffer.allocateDirect(capacity + ALIGNMENT);
    int start = (int) (-Native.address(memory) & ALIGNMENT - 1);
    memory.position(start);
    memory.limit(start + capacity);
    ByteBuffer buffer = memory.slice().order(ByteOrder.nativeOrder());
    buffer.limit((int) bytes);
    return buffer;
  }

  int rank() {
    return shape.length;
  }

  /** As "image float32[1,192,192,3]". */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(name).append(' ').append(nameOf(dtype)).append('[');
    for (int i = 0; i < shape.length; ++i) {
      text.append(i == 0 ? "" : ",").append(varies(i) ? ".." : "").append(shape[i]);
    }
    return text.append(']').toString();
  }

  static String nameOf(DType dtype) {
    return dtype.name().toLowerCase(java.util.Locale.ROOT);
  }
}
