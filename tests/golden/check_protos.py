#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares schema/tensorflow/*.proto with the descriptors of an installed TensorFlow.

usage: check_protos.py          (needs protoc and tensorflow; exit 1 when something differs)
"""
import importlib
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2

ROOT = pathlib.Path(__file__).resolve().parents[2]
FRAMEWORK = {"graph", "node_def", "attr_value", "tensor", "tensor_shape", "types", "versions",
             "function", "op_def", "variable"}
PROTOBUF = {"saved_model", "meta_graph", "saver", "saved_object_graph", "trackable_object_graph",
            "struct", "tensor_bundle"}
RENAMED = {"AnyValue"}  # google.protobuf.Any, kept opaque


def ours():
    with tempfile.NamedTemporaryFile() as out:
        files = sorted(str(p) for p in (ROOT / "schema/tensorflow").glob("*.proto"))
        subprocess.run(["protoc", f"--proto_path={ROOT}", "-o", out.name, *files], check=True)
        return descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(out.name).read_bytes())


def compare_message(mine, theirs, path, errors):
    fields = {f.name: f for f in theirs.field}
    for f in mine.field:
        t = fields.get(f.name)
        where = f"{path}.{f.name}"
        if t is None:
            errors.append(f"{where}: TensorFlow has no such field")
        elif (f.number, f.type, f.label) != (t.number, t.type, t.label):
            errors.append(f"{where}: {f.number},{f.type},{f.label} want {t.number},{t.type},{t.label}")
        elif f.type_name.split(".")[-1] not in {t.type_name.split(".")[-1]} | RENAMED:
            errors.append(f"{where}: type {f.type_name} want {t.type_name}")
    nested = {m.name: m for m in theirs.nested_type}
    for m in mine.nested_type:
        if m.name not in RENAMED:
            compare_message(m, nested[m.name], f"{path}.{m.name}", errors)
    enums = {e.name: e for e in theirs.enum_type}
    for e in mine.enum_type:
        compare_enum(e, enums[e.name], path, errors)


def compare_enum(mine, theirs, path, errors):
    want = {v.name: v.number for v in theirs.value}
    got = {v.name: v.number for v in mine.value}
    for name in sorted(want.keys() | got.keys()):
        if want.get(name) != got.get(name):
            errors.append(f"{path}.{mine.name}.{name}: {got.get(name)} want {want.get(name)}")


def main():
    errors, messages, enums = [], {}, {}
    for name in sorted(FRAMEWORK | PROTOBUF):
        package = "framework" if name in FRAMEWORK else "protobuf"
        module = importlib.import_module(f"tensorflow.core.{package}.{name}_pb2")
        proto = descriptor_pb2.FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(proto)
        messages.update({m.name: m for m in proto.message_type})
        enums.update({e.name: e for e in proto.enum_type})
    from tensorflow.core.framework import tensor_slice_pb2
    proto = descriptor_pb2.FileDescriptorProto()
    tensor_slice_pb2.DESCRIPTOR.CopyToProto(proto)
    messages.update({m.name: m for m in proto.message_type})
    for file in ours().file:
        if file.name.endswith("tfjs_model.proto"):
            continue
        for message in file.message_type:
            compare_message(message, messages[message.name], message.name, errors)
        for enum in file.enum_type:
            compare_enum(enum, enums[enum.name], file.name, errors)
    print("\n".join(errors) or "all fields and values agree")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
