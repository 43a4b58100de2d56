# SPDX-License-Identifier: Apache-2.0
"""Makes a list of choices shorter and its numbers smaller for as long as the model is as bad as before."""
import time

from choices import Choices


def minimise(choices, is_still_bad, seconds):
    """Returns simpler choices than `choices`, for which is_still_bad(choices) is still true."""
    search = Search(choices, is_still_bad, time.monotonic() + seconds)
    while search.shorten() | search.lower():
        pass
    return search.best


class Search:
    def __init__(self, choices, is_still_bad, deadline):
        self.best = choices
        self._is_still_bad, self._deadline = is_still_bad, deadline

    def shorten(self):
        """Leaves out choices that were made together, the largest groups first."""
        changed = False
        at = 0
        while at < len(self.best.spans):
            start, end = sorted(self.best.spans, key=lambda span: span[0] - span[1])[at]
            taken = self.best.taken
            if self._try(taken[:start] + taken[end:]) or self._try(taken[:start] + [0] * (end - start) + taken[end:]):
                changed = True
            else:
                at += 1
        return changed

    def lower(self):
        """Lowers number by number, the last first."""
        changed = False
        for i in range(len(self.best.taken) - 1, -1, -1):
            for number in (0, 1):
                taken = self.best.taken
                if i < len(taken) and taken[i] > number and self._try(taken[:i] + [number] + taken[i + 1:]):
                    changed = True
                    break
        return changed

    def _try(self, taken):
        if time.monotonic() > self._deadline:
            return False
        choices = Choices(taken)
        if not self._is_still_bad(choices) or weight(choices) >= weight(self.best):
            return False
        self.best = choices
        return True


def weight(choices):
    return len(choices.taken), sum(map(bool, choices.taken)), sum(choices.taken)
