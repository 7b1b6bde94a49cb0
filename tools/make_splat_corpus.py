#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seed inputs of the splat fuzz targets: tests/fuzz/corpus/<target>/.

Small valid files of every kind, and the damaged ones that readers meet in the wild.
Usage: tools/make_splat_corpus.py [corpus directory]
"""
import gzip
import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORPUS = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/fuzz/corpus"
SCALARS = "x y z scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3 opacity f_dc_0 f_dc_1 f_dc_2".split()
INRIA = "x y z nx ny nz f_dc_0 f_dc_1 f_dc_2 opacity scale_0 scale_1 scale_2 rot_0 rot_1 rot_2 rot_3".split()


def rest(degree):
    return [f"f_rest_{i}" for i in range(3 * ((degree + 1) ** 2 - 1))]


def header(fmt, names, count, kind="float", eol="\n", extra=()):
    lines = ["ply", f"format {fmt} 1.0", "comment seed", *extra, f"element vertex {count}"]
    lines += [f"property {kind} {name}" for name in names] + ["end_header", ""]
    return eol.join(lines).encode()


def values(names, row):
    return [1.0 if n == "rot_0" else 0.25 * row + 0.01 * i for i, n in enumerate(names)]


def ply(names, count, fmt="binary_little_endian", **more):
    order = ">" if "big" in fmt else "<"
    body = b"".join(struct.pack(f"{order}{len(names)}f", *values(names, r)) for r in range(count))
    if fmt == "ascii":
        eol = more.get("eol", "\n")
        body = "".join(" ".join(map(str, values(names, r))) + eol for r in range(count)).encode()
    return header(fmt, names, more.pop("promised", count), **more) + body


def spz(version, count, degree, promised=None, body=None):
    size = (6 if version == 1 else 9) + 1 + 3 + 3 + (4 if version >= 3 else 3) + 3 * ((degree + 1) ** 2 - 1)
    head = b"NGSP" + struct.pack("<IIBBBB", version, count if promised is None else promised, degree, 12, 1, 0)
    data = bytes((i * 37 + 11) % 256 for i in range(size * count)) if body is None else body
    return gzip.compress(head + data, mtime=0)


def splat(*records):
    return b"".join(struct.pack("<6f8B", *record) for record in records)


GOOD_SPLAT = (1, 2, 3, 0.1, 0.2, 0.3, 10, 20, 30, 200, 255, 128, 100, 64)
NAN = float("nan")
BUNDLE = SCALARS + rest(1)

plys = {
    "bundle_degree0": ply(SCALARS, 2),
    "bundle_degree1": ply(BUNDLE, 2),
    "bundle_degree3": ply(SCALARS + rest(3), 1),
    "crlf": ply(SCALARS, 2, eol="\r\n"),
    "empty": ply(SCALARS, 0),
    "nan": header("binary_little_endian", SCALARS, 1) + struct.pack("<14f", *([NAN] * 14)),
    "huge_count": ply(SCALARS, 1, promised=10**12),
    "overflowing_count": ply(SCALARS, 1, promised=2**64 - 1),
    "truncated": ply(BUNDLE, 2)[:-5],
    "rest_gap": ply(SCALARS + rest(1)[:-1] + ["f_rest_9"], 1),
    "many_properties": header("binary_little_endian", [f"p{i}" for i in range(190)], 1),
    "elements_before": ply(SCALARS, 1, extra=("element camera 0", "property list uchar int i")),
    "zero_stride": ply(SCALARS, 1, extra=("element nothing 18446744073709551615",)),
}
foreign = {
    "inria": ply(INRIA + rest(1), 2),
    "inria_big_endian": ply(INRIA, 2, fmt="binary_big_endian"),
    "inria_ascii": ply(INRIA, 2, fmt="ascii"),
    "inria_ascii_crlf": ply(INRIA, 1, fmt="ascii", eol="\r\n"),
    "ascii_huge_count": ply(INRIA, 1, fmt="ascii", promised=10**12),
    "ascii_word": ply(INRIA, 1, fmt="ascii").replace(b" 0.1", b" oops"),
    "doubles": header("binary_little_endian", INRIA, 1, kind="double") + struct.pack("<17d", *values(INRIA, 1)),
    "compressed": header("binary_little_endian", ["packed_position"], 1, kind="uint",
                         extra=("element chunk 1", "property float min_x")),
    "npz": b"PK\x03\x04" + bytes(26),
}
spzs = {
    "version1": spz(1, 2, 0),
    "version2_degree1": spz(2, 2, 1),
    "version3_degree3": spz(3, 2, 3),
    "version4": spz(4, 0, 0),
    "degree4": spz(3, 1, 4),
    "empty": spz(3, 0, 0),
    "huge_count": spz(3, 1, 0, promised=90_000_000),
    "bomb": spz(3, 0, 0, body=bytes(1 << 20)),
    "truncated": spz(2, 9, 0)[:-7],
    "not_spz": gzip.compress(b"hello world, hello world", mtime=0),
    "not_gzip": b"NGSP\x04\x00\x00\x00",
}
splats = {
    "two": splat(GOOD_SPLAT, GOOD_SPLAT),
    "nan": splat((NAN,) + GOOD_SPLAT[1:], GOOD_SPLAT),
    "zero_rotation": splat(GOOD_SPLAT[:10] + (128, 128, 128, 128)),
    "infinite_scale": splat(GOOD_SPLAT[:3] + (float("inf"), -1.0, 0.0) + GOOD_SPLAT[6:]),
    "truncated": splat(GOOD_SPLAT)[:-1],
}
everything = {f"{kind}_{name}": data
              for kind, files in {"ply": plys, "foreign": foreign, "spz": spzs, "splat": splats}.items()
              for name, data in files.items()}

for target, files in {"gaussian_ply": plys, "spz": spzs, "splat": splats, "import_splats": everything}.items():
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        assert len(data) < 4096, (target, name, len(data))
        (folder / name).write_bytes(data)
