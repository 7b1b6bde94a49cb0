#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when the documents promise a ./dev verb or link to a file that does not exist."""
import pathlib
import re
import sys

from self_test import expect_problems

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
VERB = re.compile(r"\./dev ([a-z]+)")
FUNCTION = re.compile(r"^verb_([a-z]+)\(\)", re.MULTILINE)


def documents(root):
    for pattern in ("*.md", "docs/**/*.md", "src/**/README.md", "gs_*/**/*.md", "tests/*.md",
                    "tests/*/README.md", "benchmarks/*.md"):
        yield from sorted(root.glob(pattern))


def problems_in(root):
    verbs = set(FUNCTION.findall((root / "dev").read_text()))
    for document in documents(root):
        name = document.relative_to(root).as_posix()
        for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
            for verb in VERB.findall(line):
                if verb not in verbs:
                    yield f"{name}:{number}: ./dev has no verb '{verb}'"
            for target in LINK.findall(line):
                if re.match(r"[a-z]+:|#", target):
                    continue
                if not (document.parent / target.split("#")[0]).exists():
                    yield f"{name}:{number}: no file {target}"
    for readme in sorted(root.glob("src/**/README.md")):
        if len(readme.read_text(encoding="utf-8").splitlines()) > 20:
            yield f"{readme.relative_to(root).as_posix()}: more than 20 lines"


def self_test():
    tree = {
        "dev": "verb_build() {\n}\n",
        "README.md": "Run `./dev build`, then `./dev fly`.\nSee [map](MAP.md), [web](https://x.y).\n",
        "docs/decisions/0001-x.md": "[back](../../README.md#top) [lost](lost.md)\n",
        "src/gs/core/README.md": "line\n" * 21,
    }
    expected = [
        "README.md:1: ./dev has no verb 'fly'",
        "README.md:2: no file MAP.md",
        "docs/decisions/0001-x.md:1: no file lost.md",
        "src/gs/core/README.md: more than 20 lines",
    ]
    expect_problems(problems_in, tree, expected)
    print("check_docs: wrong documents are detected")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = pathlib.Path(__file__).resolve().parents[1]
    problems = list(problems_in(root))
    print("\n".join(problems) or "check_docs: verbs and links hold")
    return len(problems) > 0


if __name__ == "__main__":
    sys.exit(main())
