# SPDX-License-Identifier: Apache-2.0
"""What the checks of the tree share: a check must find what is wrong in a tree made for it."""
import pathlib
import tempfile


def expect_problems(problems_in, tree, expected):
    """`tree` is {path: text}; `problems_in(root)` must yield exactly `expected`."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in tree.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        found = list(problems_in(root))
    assert found == expected, "\n".join(["found:", *found, "expected:", *expected])
