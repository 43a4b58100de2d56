# SPDX-License-Identifier: Apache-2.0
"""Linnet: converts TensorFlow models to plans (convert) and runs plans (Plan, Session).

    linnet.convert("model.pb", "model.linnet", inputs={"x": (1, 224, 224, 3)})
    session = linnet.Session(linnet.Plan("model.linnet"), threads=2)
    outputs = session.run({"x": picture})
"""
from linnet._arrays import empty
from linnet._convert import ConversionError, convert
from linnet._report import Picture, Report
from linnet._runtime import Error, Plan, Session, TensorInfo, __version__

__all__ = ["ConversionError", "Error", "Picture", "Plan", "Report", "Session", "TensorInfo", "__version__", "convert",
           "empty"]
