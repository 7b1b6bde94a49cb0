#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a source lacks its licence line, is not ASCII, or is a header without #pragma once."""
import os
import pathlib
import sys

from self_test import expect_problems

LICENSED = {".cpp", ".hpp", ".py", ".sh", ".js", ".mjs", ".ts", ".comp"}
ASCII_ONLY = LICENSED | {".cmake", ".msg", ".srv", ".action"}
SPDX = "SPDX-License-Identifier: Apache-2.0"
SKIPPED = {".git", ".cache", "node_modules", "dist", "corpus", "install", "log", "__pycache__"}
PROGRAMS = ["dev", ".ci/run"]  # sources without an ending


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED and not f.startswith("build"))
        for name in sorted(files):
            path = pathlib.Path(folder, name)
            if path.suffix in ASCII_ONLY or name == "CMakeLists.txt":
                yield path
    for name in PROGRAMS:
        if (root / name).exists():
            yield root / name


def problems_in(root):
    for path in sources(root):
        name = path.relative_to(root).as_posix()
        data = path.read_bytes()
        lines = data.split(b"\n")
        if path.suffix in LICENSED or name in PROGRAMS:
            if not any(SPDX.encode() in line for line in lines[:2]):
                yield f"{name}:1: no line '{SPDX}'"
        # Kernels are included once per instruction set: their guard is their own.
        is_plain = path.suffix == ".hpp" and not path.stem.endswith("-inl")
        if is_plain and b"#pragma once" not in lines:
            yield f"{name}:1: no #pragma once"
        for number, line in enumerate(lines, 1):
            if not line.isascii():
                yield f"{name}:{number}: not ASCII"
        if data and not data.endswith(b"\n"):
            yield f"{name}:{len(lines)}: no newline at the end"


def self_test():
    tree = {
        "src/good.hpp": f"// {SPDX}\n#pragma once\n",
        "src/bare.cpp": "int x;\n",
        "src/twice.hpp": f"// {SPDX}\nint x;\n",
        "src/umlaut.py": f"#!/usr/bin/env python3\n# {SPDX}\nx = '\u00fc'",
        "build-asan/generated.cpp": "int x;\n",
        "tests/peers/node_modules/other.js": "x\n",
    }
    expected = [
        f"src/bare.cpp:1: no line '{SPDX}'",
        "src/twice.hpp:1: no #pragma once",
        "src/umlaut.py:3: not ASCII",
        "src/umlaut.py:3: no newline at the end",
    ]
    expect_problems(problems_in, tree, expected)
    print("check_sources: the bad tree is detected")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    problems = list(problems_in(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(problems) or "check_sources: licence lines, ASCII, #pragma once: all there")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main())
