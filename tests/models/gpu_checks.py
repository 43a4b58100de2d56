# SPDX-License-Identifier: Apache-2.0
"""What tests of models on a GPU have in common: how it is asked for, and how much of a model has to run there."""

TOLERANCES = {"f32": 1e-3, "f16": 2e-2}  # of the largest magnitude of an output
# Lists in the order of scores, of which many are nearly equal: with floats in 16 bits other entries come first. What they
# are made of is an output too, which is compared.
RANKED = {"handtrack": {"Identity", "Identity_1", "Identity_2", "Identity_3", "Identity_4"},
          "centernet": {"tower_0/detections"}}
GPU_SHARE = 0.99                         # of the multiply-accumulates, in nets without control flow
SKIPPED = 77                             # exit status
ARENA_SLACK = 1.05
PLAN_GROWTH = 1.05


def convert_options(precision):
    """For `linnet convert`."""
    return ["--place", "vulkan"] + ([] if precision == "f32" else ["--gpu-precision", precision])


def is_comparable(model, output, precision):
    """Whether rounding to this precision leaves the output's elements where they are."""
    return precision == "f32" or output not in RANKED.get(model, ())


def is_missing(result):
    """Whether a run of linnet-run says that this machine has no Vulkan."""
    return "there is no Vulkan driver" in result.stderr or "no Vulkan library" in result.stderr


def check_ran_there(result):
    """A problem unless the GPU ran the whole plan: linnet-run says when the CPU did, from the start or later."""
    if "the CPU runs the plan" in result.stderr or "warning" in result.stderr:
        yield f"did not run on the GPU: {result.stderr.strip()}"


def check_report(name, report):
    """Prints what `linnet convert --place vulkan` gave to the GPU; yields what is too little, or too large."""
    if not report["variants"]:
        yield "the plan has no program for the GPU"
        return
    gpu = report["variants"][0]
    macs = sum(step["macs"] for step in gpu["steps"])
    there = sum(step["macs"] for step in gpu["steps"] if step["device"] == "vulkan")
    has_control_flow = len(gpu["regions"]) > 1
    print(f"{name}: {100 * there / max(macs, 1):.2f} % of {macs / 1e6:.1f} M multiply-accumulates on the GPU"
          + (", with control flow" if has_control_flow else ""))
    if not has_control_flow and there < GPU_SHARE * macs:
        on_host = sorted({f"{step['op']} ({step['reason']})" for step in gpu["steps"]
                          if step["device"] != "vulkan" and step["macs"]})
        yield f"less than {GPU_SHARE:.0%} of the multiply-accumulates are on the GPU; elsewhere: {', '.join(on_host)}"
    for space in gpu["memory"]["devices"]:
        print(f"{name}: device arena of {space['bytes']} bytes, at least {space['lower_bound']} are needed")
        if space["bytes"] > ARENA_SLACK * space["lower_bound"]:
            yield f"a device arena is more than {ARENA_SLACK} times its lower bound"


def check_plan_size(name, report, cpu_report):
    """A problem when the program for the GPU makes the plan too large."""
    growth = report["plan_bytes"] / cpu_report["plan_bytes"]
    print(f"{name}: plan of {report['plan_bytes']} bytes, {growth:.3f} times the CPU's")
    if growth > PLAN_GROWTH:
        yield f"the plan is {growth:.3f} times as large as without a GPU, {PLAN_GROWTH} are allowed"
