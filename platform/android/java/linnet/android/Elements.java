// SPDX-License-Identifier: Apache-2.0
package linnet.android;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;

/** Elements of a tensor in a Java array or a buffer, as Native.read and Native.write take them. */
final class Elements {
  final Object memory; // an array, or a direct buffer
  final int kind; // DType.code of the array's elements; 0: bytes of a direct buffer
  final int start;
  final int count; // of the array's elements, or of bytes
  private final boolean bytes; // counts bytes, not elements
  private final boolean writable;
  private final int elementBytes;

  private Elements(
      Object memory, int kind, int start, int count, boolean bytes, boolean writable, DType dtype) {
    this.memory = memory;
    this.kind = kind;
    this.start = start;
    this.count = count;
    this.bytes = bytes;
    this.writable = writable;
    this.elementBytes = dtype.bytes();
  }

  /** Refuses arrays of another type than the tensor's. */
  static Elements of(TensorInfo info, Object data) {
    DType dtype = info.dtype();
    if (data instanceof ByteBuffer) {
      return ofBuffer((ByteBuffer) data, dtype);
    }
    if (!dtype.arrayClass().isInstance(data)) {
      throw new IllegalArgumentException(
          info + " wants " + dtype.arrayClass().getSimpleName() + " or a ByteBuffer, not "
              + (data == null ? "null" : data.getClass().getSimpleName()));
    }
    return new Elements(data, dtype.code, 0, Array.getLength(data), false, true, dtype);
  }

  private static Elements ofBuffer(ByteBuffer buffer, DType dtype) {
    int count = buffer.remaining();
    boolean writable = !buffer.isReadOnly();
    if (buffer.isDirect()) {
      return new Elements(buffer, 0, buffer.position(), count, true, writable, dtype);
    }
    if (!buffer.hasArray()) {
      throw new IllegalArgumentException("a read-only buffer has to be direct");
    }
    int start = buffer.arrayOffset() + buffer.position();
    return new Elements(buffer.array(), DType.INT8.code, start, count, true, writable, dtype);
  }

  /** Refuses anything but exactly the elements of a tensor of this shape. */
  void checkCount(String tensor, long[] shape) {
    long wanted = bytes ? elementBytes : 1;
    for (long dim : shape) {
      wanted *= dim;
    }
    if (count != wanted) {
      String unit = bytes ? " bytes" : " elements";
      throw new IllegalArgumentException(
          tensor + " has " + wanted + unit + " now, and was given " + count);
    }
  }

  void checkWritable() {
    if (!writable) {
      throw new IllegalArgumentException("the buffer is read-only");
    }
  }
}
