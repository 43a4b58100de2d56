# SPDX-License-Identifier: Apache-2.0
import keras
import numpy as np

from cases import case, write
from elementwise_inputs import spread


def rms_norm(name, x, epsilon=1e-6, why="", plain=False):
    gamma = np.ones(x.shape[-1], np.float32) if plain else spread(x.shape[-1], seed=1)
    scale = None if plain else gamma.astype(float)
    y = keras.ops.rms_normalization(x.astype(float), scale, -1, epsilon)
    return case(name, {"epsilon": epsilon}, [x, gamma], [np.asarray(y).astype(np.float32)], why)


CASES = [
    rms_norm("rows", spread(4, 8)),
    rms_norm("odd_width", spread(3, 5, 7)),
    rms_norm("llama", spread(1, 3, 512), 1e-5),
    rms_norm("vector", spread(33)),
    rms_norm("rank_5", spread(1, 2, 2, 3, 6)),
    rms_norm("plain", spread(4, 16), plain=True),
    rms_norm("one_channel", spread(5, 1)),
    rms_norm("zeros", np.zeros((2, 9), np.float32), why="epsilon, not NaN"),
    rms_norm("below_epsilon", spread(2, 9) * np.float32(1e-5), 1e-3),
    rms_norm("large_epsilon", spread(2, 9), 1e4),
    rms_norm("large", spread(2, 32) * np.float32(1e15)),
    rms_norm("long", spread(1, 2051)),
    rms_norm("no_rows", spread(0, 4)),
    rms_norm("nan", np.array([[1, np.nan], [3, 4]], np.float32)),
    rms_norm("infinity", np.array([[1, np.inf]], np.float32)),
    case("no_channels", {"epsilon": 1e-3}, [spread(3, 0), spread(0)], [spread(3, 0)]),
    dict(case("gamma_mismatch", {"epsilon": 0.1}, [spread(2, 3), spread(2)], []), error="invalid_plan"),
    dict(case("negative_epsilon", {"epsilon": -1.0}, [spread(2, 3), spread(3)], []), error="invalid_plan"),
    dict(case("nan_epsilon", {"epsilon": np.nan}, [spread(2, 3), spread(3)], []), error="invalid_plan"),
    dict(case("scalar", {"epsilon": 0.1}, [np.float32(1), spread(1)], []), error="invalid_plan"),
]
write("RmsNorm", CASES)
