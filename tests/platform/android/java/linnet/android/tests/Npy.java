// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.StringJoiner;
import linnet.android.DType;

/** Files of NumPy's, version 1, in C's order. */
public final class Npy {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};

  private Npy() {}

  /** The elements' bytes. The file has to have exactly this type and shape. */
  public static ByteBuffer read(Path file, DType dtype, long[] shape) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    byte[] wanted = header(dtype, shape);
    int start = 10 + (bytes[8] & 0xff | (bytes[9] & 0xff) << 8);
    String header = new String(bytes, 10, start - 10, StandardCharsets.US_ASCII).trim();
    String wantedHeader = new String(wanted, 10, wanted.length - 10, StandardCharsets.US_ASCII);
    if (!header.equals(wantedHeader.trim())) {
      throw new IOException(file + " has " + header + ", want " + wantedHeader);
    }
    ByteBuffer data = ByteBuffer.wrap(bytes, start, bytes.length - start);
    return data.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Of the elements in an array of Java's. */
  public static void write(Path file, DType dtype, long[] shape, Object elements)
      throws IOException {
    byte[] header = header(dtype, shape);
    int count = java.lang.reflect.Array.getLength(elements);
    ByteBuffer bytes = ByteBuffer.allocate(header.length + count * dtype.bytes());
    bytes.order(ByteOrder.LITTLE_ENDIAN).put(header);
    for (int i = 0; i < count; ++i) {
      put(bytes, java.lang.reflect.Array.get(elements, i));
    }
    Files.write(file, bytes.array());
  }

  private static void put(ByteBuffer bytes, Object element) {
    if (element instanceof Float) {
      bytes.putFloat((Float) element);
    } else if (element instanceof Integer) {
      bytes.putInt((Integer) element);
    } else if (element instanceof Long) {
      bytes.putLong((Long) element);
    } else if (element instanceof Byte) {
      bytes.put((Byte) element);
    } else {
      throw new IllegalArgumentException("no model of the tests has such elements");
    }
  }

  private static byte[] header(DType dtype, long[] shape) {
    StringJoiner dims = new StringJoiner(", ", "(", shape.length == 1 ? ",)" : ")");
    Arrays.stream(shape).forEach(dim -> dims.add(Long.toString(dim)));
    String text = "{'descr': '" + name(dtype) + "', 'fortran_order': False, 'shape': " + dims + ", }";
    int padded = (10 + text.length() + 1 + 63) / 64 * 64;
    ByteBuffer header = ByteBuffer.allocate(padded).order(ByteOrder.LITTLE_ENDIAN);
    header.put(MAGIC).putShort((short) (padded - 10));
    header.put(text.getBytes(StandardCharsets.US_ASCII));
    while (header.remaining() > 1) {
      header.put((byte) ' ');
    }
    return header.put((byte) '\n').array();
  }

  private static String name(DType dtype) {
    switch (dtype) {
      case FLOAT32:
        return "<f4";
      case INT32:
        return "<i4";
      case INT64:
        return "<i8";
      case UINT8:
        return "|u1";
      default:
        throw new IllegalArgumentException("no model of the tests has " + dtype);
    }
  }
}
