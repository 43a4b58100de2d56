# SPDX-License-Identifier: Apache-2.0
"""Medians, ratios and the tables of peers.py.

`results` is {model: {engine: record}}; a record holds either `failure` (one line) or
  convert {seconds, peak_bytes}, file_bytes (neither of a floor),
  error (largest, relative, None when not compared), threads {count: [figures of round 0, round 1, ...]},
  bounds {count: fma_gflops, memory_gb_per_s and, if known, fma_bound_ms, memory_bound_ms} (of a Linnet on the CPU only).
"""

import math
import statistics
import textwrap

MEGA = 1e6
FAILURE_WIDTH = 160


def median_of(record, threads, key):
    values = [figures[key] for figures in record["threads"].get(threads, []) if key in figures]
    return statistics.median(values) if values else None


def print_machine(results, linnets, thread_counts):
    """What the machine can do at most, one row per number of threads: medians over the models."""
    rows = []
    for threads in thread_counts:
        bounds = [_bounds(engines, label, threads) for engines in results.values() for label in linnets]
        bounds = [figures for figures in bounds if figures]
        if bounds:
            rows.append([str(threads), *(_number(statistics.median(figures[key] for figures in bounds))
                                         for key in ("fma_gflops", "memory_gb_per_s"))])
    if rows:
        _print_table(["threads", "FMA GFLOP/s", "memory GB/s"], rows, names=1)


def print_bounds(results, linnets, threads):
    """Per model the least time that the machine allows, and each Linnet's latency beside it. The share is the longer bound in
    % of the latency."""
    rows, shares = [], [[] for _ in linnets]
    for model, engines in results.items():
        bounds = next(filter(None, (_bounds(engines, label, threads) for label in linnets)), {})
        bound = _larger_bound(bounds)
        if bound is None:
            continue
        row = [model, _number(bounds["fma_bound_ms"]), _number(bounds["memory_bound_ms"])]
        for label, column in zip(linnets, shares):
            latency = _latency(engines, label, threads)
            column.append(_ratio(bound, latency))
            row += [_number(latency), _percent(column[-1])]
        rows.append(row)
    if not rows:
        return
    means = [["", _percent(_geometric_mean(column))] for column in shares]
    rows.append(["geometric mean", "", "", *(cell for pair in means for cell in pair)])
    header = [f"{threads}t bounds", "FMA ms", "memory ms"]
    for label in linnets:
        header += [f"{label} ms", "of bound"]
    _print_table(header, rows, names=1)


def print_models(results, thread_counts):
    """One row per model and engine."""
    one = thread_counts[0]
    header = ["model", "engine", *(f"{count}t ms" for count in thread_counts), "load ms",
              "first ms", "RSS+ MB", "arena MB", "file MB", "convert s", "convert MB", "error"]
    rows = []
    for model, engines in results.items():
        for engine, record in engines.items():
            if "failure" in record:
                rows.append([model, engine, textwrap.shorten(record["failure"], FAILURE_WIDTH)])
                continue
            rows.append([
                model, engine,
                *(_number(median_of(record, count, "median_ms")) for count in thread_counts),
                _number(median_of(record, one, "load_ms")),
                _number(median_of(record, one, "first_ms")),
                _number(median_of(record, one, "rss_growth_bytes"), MEGA),
                _number(median_of(record, one, "arena_bytes"), MEGA),
                _number(record.get("file_bytes"), MEGA),
                _number(_conversion(record, "seconds")),
                _number(_conversion(record, "peak_bytes"), MEGA),
                "" if record["error"] is None else f"{record['error']:.0e}"])
    _print_table(header, rows)


def print_ratios(results, baseline, peers, thread_counts):
    """Geometric means over the models of baseline / peer: below 1 the baseline is better."""
    one = thread_counts[0]
    metrics = [(f"{count}t", lambda a, b, count=count: _paired_ratio(a, b, count, "median_ms"))
               for count in thread_counts]
    metrics += [("load", lambda a, b: _paired_ratio(a, b, one, "load_ms")),
                ("first", lambda a, b: _paired_ratio(a, b, one, "first_ms")),
                ("both", lambda a, b: _paired_ratio(a, b, one, "start_ms")),
                ("RSS+", lambda a, b: _paired_ratio(a, b, one, "rss_growth_bytes")),
                ("file", lambda a, b: _ratio(a.get("file_bytes"), b.get("file_bytes"))),
                ("convert s", lambda a, b: _convert_ratio(a, b, "seconds")),
                ("convert MB", lambda a, b: _convert_ratio(a, b, "peak_bytes"))]
    rows = []
    for peer in peers:
        pairs = [(engines[baseline], engines[peer]) for engines in results.values()
                 if _measured(engines, baseline) and _measured(engines, peer)]
        means = [_geometric_mean([ratio(*pair) for pair in pairs]) for _, ratio in metrics]
        rows.append([f"{baseline} / {peer}", str(len(pairs)), *(_number(mean) for mean in means)])
    _print_table(["geometric mean", "models", *(name for name, _ in metrics)], rows)


def print_latencies(results, labels, peers, floors, threads):
    """Per model: every engine's latency, and the first engine's divided by it; for a floor also the part of its time
    that our own kernels take, and its latency over the peers'."""
    baseline, *others = labels
    columns = [(f"/ {label}", (baseline, label)) for label in others]
    columns += [(f"{floor} / {peer}", (floor, peer)) for floor in floors for peer in peers]
    rows, values = [], [[] for _ in columns]
    for model, engines in results.items():
        row = [model, *(_number(_latency(engines, label, threads)) for label in labels)]
        row += [_number(_portable_share(engines, floor, threads)) for floor in floors]
        for column, (_, pair) in zip(values, columns):
            column.append(_latency_ratio(engines, *pair, threads))
            row.append(_number(column[-1]))
        rows.append(row)
    blank = [""] * (len(labels) + len(floors))
    rows.append(["geometric mean", *blank, *(_number(_geometric_mean(column)) for column in values)])
    rows.append(["largest", *blank, *(_number(_largest(column)) for column in values)])
    _print_table([f"{threads}t ms", *labels, *(f"{floor}: ours" for floor in floors),
                  *(name for name, _ in columns)], rows, names=1)


def _latency_ratio(engines, above, below, threads):
    if not _measured(engines, above) or not _measured(engines, below):
        return None
    return _paired_ratio(engines[above], engines[below], threads, "median_ms")


def _bounds(engines, label, threads):
    return engines[label].get("bounds", {}).get(threads) if _measured(engines, label) else None


def _larger_bound(bounds):
    """None when it is not known, as of plans with loops."""
    both = [bounds.get("fma_bound_ms"), bounds.get("memory_bound_ms")]
    return None if None in both else max(both)


def _latency(engines, label, threads):
    return median_of(engines[label], threads, "median_ms") if _measured(engines, label) else None


def _portable_share(engines, floor, threads):
    if not _measured(engines, floor):
        return None
    rounds = engines[floor]["threads"].get(threads, [])
    return statistics.median(figures["portable"]["share"] for figures in rounds) if rounds else None


def _largest(values):
    return max((value for value in values if value is not None), default=None)


def _measured(engines, label):
    return label in engines and "failure" not in engines[label]


def _paired_ratio(a, b, threads, key):
    """Median over the rounds of a / b: both were measured one after the other in each round."""
    rounds = zip(a["threads"].get(threads, []), b["threads"].get(threads, []))
    ratios = [_ratio(x.get(key), y.get(key)) for x, y in rounds]
    ratios = [ratio for ratio in ratios if ratio is not None]
    return statistics.median(ratios) if ratios else None


def _convert_ratio(a, b, key):
    return _ratio(_conversion(a, key), _conversion(b, key))


def _conversion(record, key):
    return record.get("convert", {}).get(key)


def _ratio(a, b):
    return a / b if a and b and a > 0 and b > 0 else None


def _geometric_mean(values):
    values = [value for value in values if value is not None]
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def _number(value, unit=1):
    if value is None:
        return ""
    value /= unit
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}"


def _percent(share):
    return "" if share is None else f"{100 * share:.0f} %"


def _print_table(header, rows, names=2):
    """The first `names` columns are words; a row without figures has a text behind them."""
    full = [row for row in [header, *rows] if len(row) == len(header)]
    widths = [max(len(row[i]) for row in full) for i in range(len(header))]
    widths[:names] = [max(len(row[i]) for row in [header, *rows]) for i in range(names)]
    for row in (header, *rows):
        cells = [cell.ljust(width) for cell, width in zip(row[:names], widths)]
        if len(row) == len(header):
            cells += [cell.rjust(width) for cell, width in zip(row[names:], widths[names:])]
        else:
            cells += row[names:]
        print("  ".join(cells).rstrip())
    print()
