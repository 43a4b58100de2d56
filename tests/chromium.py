# SPDX-License-Identifier: Apache-2.0
"""Pages in Chromium without a window, which a script in the page looks at."""

import html
import json
import re
import subprocess


def problems_in(chromium, page, profile, *options, seconds):
    """What the page's script finds: the list that it leaves as JSON in the page's title. `seconds` is how long that may take."""
    done = subprocess.run([chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           f"--user-data-dir={profile}", *options, f"--timeout={seconds * 1000}", "--dump-dom", page.as_uri()],
                          capture_output=True, text=True, timeout=seconds + 40)
    title = re.search(r"<title>(\[.*?\])</title>", done.stdout, re.DOTALL)
    return json.loads(html.unescape(title[1])) if title else [f"the browser did not come to an end:\n{done.stderr[-2000:]}"]
