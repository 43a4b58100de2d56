// SPDX-License-Identifier: Apache-2.0
package linnet.android.tests;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import linnet.android.LinnetException;
import linnet.android.Plan;
import linnet.android.Session;
import org.junit.Assert;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A plan in a zip, as assets lie in an APK: stored, at a multiple of 4. The property linnet.page has
 * the size of pages, which page_size.c may simulate.
 */
public class ArchiveTest {
  private static final long PAGE = Long.getLong("linnet.page");
  private static final int HEADER = 30; // of a file in a zip, without its name and extra field

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void plansAreMappedWhereTheyLie() throws Exception {
    byte[] plan = Files.readAllBytes(Plans.file("large").toPath());
    File zip = folder.newFile("app.apk");
    for (int before : new int[] {0, 70000, 131072 - 60}) {
      long offset = write(zip, before, plan);
      assertEquals(4, offset % 64);
      Plan opened;
      try (RandomAccessFile file = new RandomAccessFile(zip, "r")) {
        opened = Plan.open(descriptorOf(file), offset, plan.length);
      } // the plan does not need the descriptor any more
      assertMapped(zip, offset, plan.length);
      assertArrayEquals(run(Plans.open("large")), run(opened), 0);
      assertTrue("still mapped", mappings(zip).isEmpty());
    }
  }

  @Test
  public void partsThatAreNoPlans() throws Exception {
    byte[] plan = Files.readAllBytes(Plans.file("sum").toPath());
    File zip = folder.newFile("app.apk");
    long offset = write(zip, 5000, plan);
    try (RandomAccessFile file = new RandomAccessFile(zip, "r")) {
      int descriptor = descriptorOf(file);
      long[][] wrong = {{0, 0}, {offset + 4, plan.length}, {offset, 100}, {-4, 100}, {offset, -1},
          {file.length(), 0}, {offset, Long.MAX_VALUE}, {Long.MAX_VALUE, 1}};
      for (long[] part : wrong) {
        Assert.assertThrows(LinnetException.class, () -> Plan.open(descriptor, part[0], part[1]));
      }
    }
    assertTrue("still mapped", mappings(zip).isEmpty());
  }

  private static float[] run(Plan plan) {
    try (Plan closed = plan;
        Session session = new Session(closed)) {
      float[] input = new float[(int) (session.inputs().get(0).bytes() / 4)];
      Random random = new Random(1);
      for (int i = 0; i < input.length; ++i) {
        input[i] = random.nextFloat();
      }
      session.setInput(0, input);
      session.run();
      float[] output = new float[(int) (session.outputs().get(0).bytes() / 4)];
      session.getOutput(0, output);
      return output;
    }
  }

  /** Writes a zip with `before` bytes in another file first; returns where the plan begins. */
  private static long write(File zip, int before, byte[] plan) throws IOException {
    try (FileOutputStream file = new FileOutputStream(zip);
        ZipOutputStream out = new ZipOutputStream(file)) {
      store(out, "classes.dex", new byte[before], 0);
      long header = HEADER + "classes.dex".length() + before;
      long data = header + HEADER + "assets/model.linnet".length();
      int extra = (int) ((64 + 4 - data % 64) % 64);
      extra = extra < 4 ? extra + 64 : extra; // a field has at least its four bytes of header
      store(out, "assets/model.linnet", plan, extra);
      return data + extra;
    }
  }

  private static void store(ZipOutputStream out, String name, byte[] bytes, int extra)
      throws IOException {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(crc.getValue());
    if (extra > 0) {
      byte[] field = new byte[extra]; // the kind 0xd935, by which Android's tools align files
      field[0] = 0x35;
      field[1] = (byte) 0xd9;
      field[2] = (byte) (extra - 4);
      entry.setExtra(field);
    }
    out.putNextEntry(entry);
    out.write(bytes);
    out.closeEntry();
  }

  /** On Android: ParcelFileDescriptor.getFd(). */
  private static int descriptorOf(RandomAccessFile file) throws Exception {
    Field number = FileDescriptor.class.getDeclaredField("fd");
    number.setAccessible(true);
    return number.getInt(file.getFD());
  }

  private static void assertMapped(File file, long offset, long length) throws IOException {
    List<String> mappings = mappings(file);
    assertEquals(mappings.toString(), 1, mappings.size());
    String[] parts = mappings.get(0).split(" +"); // from-to, rights, offset
    long from = Long.parseLong(parts[0].substring(0, parts[0].indexOf('-')), 16);
    long to = Long.parseLong(parts[0].substring(parts[0].indexOf('-') + 1), 16);
    long fileOffset = Long.parseLong(parts[2], 16);
    assertEquals("the address is not that of a page", 0, from % PAGE);
    assertEquals("the offset is not that of a page", 0, fileOffset % PAGE);
    assertTrue(fileOffset <= offset && offset - fileOffset < PAGE);
    assertTrue(fileOffset + (to - from) >= offset + length);
  }

  private static List<String> mappings(File file) throws IOException {
    List<String> found = new ArrayList<>();
    for (String line : Files.readAllLines(Paths.get("/proc/self/maps"))) {
      if (line.endsWith(file.getPath())) {
        found.add(line);
      }
    }
    return found;
  }
}
