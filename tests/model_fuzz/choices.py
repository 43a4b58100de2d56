# SPDX-License-Identifier: Apache-2.0
"""The random decisions behind a model, as a list of numbers that can be kept, replayed and shortened."""
import contextlib
import random


class Choices:
    """Decisions drawn from a seed, or replayed from a list. Number 0 is always the simplest choice, and a list that has
    ended gives 0, so that shorter lists and smaller numbers mean simpler models."""

    def __init__(self, source):
        self.taken = []
        self.spans = []  # [start, end) of `taken` that may be left out as a whole, inner ones first
        self._random = random.Random(source) if isinstance(source, int) else None
        self._replayed = iter(()) if isinstance(source, int) else iter(source)

    def below(self, limit):
        """A number of [0, limit)."""
        number = self._random.randrange(limit) if self._random else next(self._replayed, 0) % limit
        self.taken.append(number)
        return number

    def between(self, low, high):
        """A number of [low, high]."""
        return low + self.below(high - low + 1)

    def chance(self, percent):
        """True in this percentage of cases."""
        return self.below(100) >= 100 - percent

    def pick(self, items):
        return items[self.below(len(items))]

    def some(self, items, most):
        """Up to `most` different items, in their original order."""
        left = list(range(len(items)))
        taken = [left.pop(self.below(len(left))) for _ in range(min(self.below(most + 1), len(items)))]
        return [items[i] for i in sorted(taken)]

    @contextlib.contextmanager
    def _span(self):
        start = len(self.taken)
        yield
        self.spans.append((start, len(self.taken)))

    def repeat(self, likely, most, action):
        """Repeats `action`; another repetition follows with a probability of `likely` percent."""
        for _ in range(most):
            with self._span():
                if not self.chance(likely):
                    return
                action()
