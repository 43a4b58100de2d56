// SPDX-License-Identifier: Apache-2.0
package linnet.android;

/** The type of a tensor's elements, and of the Java array that holds them. */
public enum DType {
  FLOAT32(1, 4, float[].class),
  /** Java has no such type: its arrays hold the bits. */
  FLOAT16(2, 2, short[].class),
  INT32(3, 4, int[].class),
  INT64(4, 8, long[].class),
  /** 128 to 255 are negative in a byte of Java. */
  UINT8(5, 1, byte[].class),
  INT8(6, 1, byte[].class),
  BOOL(7, 1, boolean[].class),
  INT16(8, 2, short[].class),
  /** 32768 to 65535 are negative in a short of Java. */
  UINT16(9, 2, short[].class),
  FLOAT64(10, 8, double[].class);

  final int code;
  private final int bytes;
  private final Class<?> array;

  DType(int code, int bytes, Class<?> array) {
    this.code = code;
    this.bytes = bytes;
    this.array = array;
  }

  /** Of one element. */
  public int bytes() {
    return bytes;
  }

  /** The class of the arrays that hold elements of this type, as float[].class. */
  public Class<?> arrayClass() {
    return array;
  }

  static DType of(int code) {
    for (DType dtype : values()) {
      if (dtype.code == code) {
        return dtype;
      }
    }
    throw new IllegalStateException("the library has a type of elements that DType lacks: " + code);
  }
}
