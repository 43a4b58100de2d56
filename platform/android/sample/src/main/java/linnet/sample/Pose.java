// SPDX-License-Identifier: Apache-2.0
package linnet.sample;

import android.content.res.AssetFileDescriptor;
import android.content.res.AssetManager;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import java.io.File;
import java.io.IOException;
import linnet.android.Plan;
import linnet.android.Session;
import linnet.android.SessionOptions;

/** MoveNet: finds 17 points of a person's body. */
final class Pose implements AutoCloseable {
  private static final int SIZE = 192; // of the picture that the model wants
  private static final int POINTS = 17;
  private static final float SURE = 0.3f;

  private final Session session;
  private final int[] pixels = new int[SIZE * SIZE];
  private final int[] colours = new int[SIZE * SIZE * 3];
  private final float[] points = new float[POINTS * 3]; // y, x and how sure the model is

  /** The plan is mapped where it lies in the APK, in which it must not be compressed. */
  Pose(AssetManager assets, String name, File cache) throws IOException {
    try (AssetFileDescriptor asset = assets.openFd(name);
        Plan plan =
            Plan.open(
                asset.getParcelFileDescriptor().getFd(),
                asset.getStartOffset(),
                asset.getLength())) {
      SessionOptions options = new SessionOptions().threads(2);
      session = new Session(plan, options.cacheFile(new File(cache, name + ".cache")));
    } // the session keeps what it needs of the plan
  }

  /** A copy of the picture with the points that were found. */
  Bitmap mark(Bitmap picture) {
    Bitmap small = Bitmap.createScaledBitmap(picture, SIZE, SIZE, true);
    small.getPixels(pixels, 0, SIZE, 0, 0, SIZE, SIZE);
    for (int i = 0; i < pixels.length; ++i) {
      colours[3 * i] = Color.red(pixels[i]);
      colours[3 * i + 1] = Color.green(pixels[i]);
      colours[3 * i + 2] = Color.blue(pixels[i]);
    }
    session.setInput(0, colours);
    session.run();
    session.getOutput(0, points);

    Bitmap marked = picture.copy(Bitmap.Config.ARGB_8888, true);
    Canvas canvas = new Canvas(marked);
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setColor(Color.GREEN);
    for (int i = 0; i < POINTS; ++i) {
      if (points[3 * i + 2] > SURE) {
        float x = points[3 * i + 1] * marked.getWidth();
        canvas.drawCircle(x, points[3 * i] * marked.getHeight(), marked.getWidth() / 80f, paint);
      }
    }
    return marked;
  }

  @Override
  public void close() {
    session.close();
  }
}
