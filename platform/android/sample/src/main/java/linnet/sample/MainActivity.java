// SPDX-License-Identifier: Apache-2.0
package linnet.sample;

import android.app.Activity;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.os.Bundle;
import android.util.Log;
import android.widget.ImageView;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import linnet.android.LinnetException;

/** Shows a picture with the points of the person in it. */
public final class MainActivity extends Activity {
  private final ExecutorService worker = Executors.newSingleThreadExecutor();
  private ImageView view;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    view = new ImageView(this);
    setContentView(view);
    worker.execute(this::show);
  }

  @Override
  protected void onDestroy() {
    worker.shutdown();
    super.onDestroy();
  }

  /** On the worker: opening a plan and running it take too long for the thread of the display. */
  private void show() {
    try (Pose pose = new Pose(getAssets(), "movenet.linnet", getCacheDir());
        InputStream file = getAssets().open("person.png")) {
      Bitmap marked = pose.mark(BitmapFactory.decodeStream(file));
      runOnUiThread(() -> view.setImageBitmap(marked));
    } catch (IOException | LinnetException why) {
      Log.e("linnet", "no pose was found", why);
    }
  }
}
