#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a file under src/ includes a room that its own room may not visit.

There is one include root (src/), so neither compiler nor linker stops an arrow that points upwards.
Third-party headers are checked too: each library is named in one room, so that replacing it touches
one place. Tests and benchmarks may look anywhere.
"""
import pathlib
import re
import sys

from self_test import expect_problems

MAY_VISIT = {  # room -> rooms whose headers it may include; bottom first
    "gs/core": "",
    "gs/msgs": "gs/core",
    "gs/formats": "gs/core",
    "gs/bundle": "gs/core gs/formats",
    "gs/geometry": "gs/core gs/bundle gs/render",
    "gs/render": "gs/core gs/bundle",
    "gs/train": "gs/core gs/bundle gs/render",
    "gs/lidar": "gs/core gs/bundle gs/geometry",
    "gs/synthetic": "gs/core gs/msgs gs/formats gs/bundle gs/render gs/lidar",
    "gs_builder": "gs/core gs/msgs gs/formats gs/bundle gs/geometry gs/lidar gs/render gs/train",
    "gs_sim": "gs/core gs/msgs gs/formats gs/bundle gs/geometry gs/lidar gs/render",
    "gs_ros2": "gs/core gs/msgs gs/formats gs/bundle gs_sim",
    "gs_web": "gs/core gs/msgs gs/formats gs/bundle gs/render gs_sim",
    "apps": "gs/core gs/msgs gs/formats gs/bundle gs/geometry gs/lidar gs/render gs/train gs/synthetic "
            "gs_builder gs_sim gs_ros2 gs_web",
}

LIVES_IN = {  # third-party header, by how it starts -> rooms that may name it
    "yaml-cpp/": "gs/core",
    "spdlog/": "gs/core",
    "openssl/": "gs/core",
    "tbb/": "gs/core",
    "oneapi/": "gs/core",
    "png.h": "gs/formats",
    "zlib.h": "gs/formats",
    "lz4": "gs/formats",
    "zstd": "gs/formats",
    "jpeglib.h": "gs/formats",
    "turbojpeg.h": "gs/formats",
    "tiny_gltf.h": "gs/formats",
    "geos_c.h": "gs/bundle",
    "geos/": "gs/bundle",
    "GeographicLib/": "gs/bundle",
    "embree": "gs/geometry gs/synthetic",
    "openvdb/": "gs/geometry",
    "hwy/": "gs/render gs/train",
    "vulkan/": "gs/render",
    "fastdds/": "gs_ros2",
    "fastrtps/": "gs_ros2",
    "fastcdr/": "gs_ros2",
    "boost/beast": "gs_web",
    "boost/asio": "gs_web",
    "CLI/": "apps",
}

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def room_of(path):
    return next((room for room in MAY_VISIT if path.startswith(room + "/")), None)


def problems_in(src):
    for file in sorted(src.rglob("*.[ch]pp")):
        path = file.relative_to(src).as_posix()
        if file.stem.endswith(("_test", "_bench")) or "/testing/" in path:
            continue
        here = room_of(path)
        if here is None:
            yield f"{path}: not in any room of tools/check_layers.py"
            continue
        for number, text in enumerate(file.read_text(errors="replace").splitlines(), 1):
            include = INCLUDE.match(text)
            if not include:
                continue
            quote, header = include.groups()
            there = room_of(header)
            if there and there != here and there not in MAY_VISIT[here].split():
                yield f"{path}:{number}: {here} may not include {header}"
            if there and "/testing/" in header:
                yield f"{path}:{number}: only tests may include {header}"
            for start, rooms in LIVES_IN.items():
                if there is None and header.startswith(start) and here not in rooms.split():
                    yield f"{path}:{number}: <{header}> is named only in {rooms}"


def self_test():
    tree = {
        "gs/core/good.hpp": '#include "gs/core/error.hpp"\n#include <yaml-cpp/yaml.h>\n',
        "gs/core/upwards.hpp": '#include "gs/bundle/heightmap.hpp"\n',
        "gs/core/upwards_test.cpp": '#include "gs/bundle/heightmap.hpp"\n',
        "gs/bundle/foreign.cpp": "#include <vector>\n#include <yaml-cpp/yaml.h>\n",
        "gs/bundle/tests.cpp": '#include "gs/core/testing/temp_dir.hpp"\n',
        "gs_sim/sideways.cpp": '  #  include "gs_builder/config.hpp"\n',
        "gs_sim/good.cpp": '#include "gs_sim/types.hpp"\n#include "gs/render/camera.hpp"\n',
        "attic/lost.cpp": "\n",
    }
    expected = [
        "attic/lost.cpp: not in any room of tools/check_layers.py",
        "gs/bundle/foreign.cpp:2: <yaml-cpp/yaml.h> is named only in gs/core",
        "gs/bundle/tests.cpp:1: only tests may include gs/core/testing/temp_dir.hpp",
        "gs/core/upwards.hpp:1: gs/core may not include gs/bundle/heightmap.hpp",
        "gs_sim/sideways.cpp:1: gs_sim may not include gs_builder/config.hpp",
    ]
    expect_problems(problems_in, tree, expected)
    print("check_layers: the bad tree is detected")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    src = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "src")
    problems = list(problems_in(src))
    print("\n".join(problems) or "check_layers: every include points downwards")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main())
