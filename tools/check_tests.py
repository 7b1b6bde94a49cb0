#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_tests.py CTEST BUILD_FOLDER: every test says what kind it is (a label) and how long it may take."""
import json
import subprocess
import sys

WANTED = {"LABELS", "TIMEOUT"}


def main(ctest, folder):
    listed = subprocess.run([ctest, "--test-dir", folder, "--show-only=json-v1"], check=True,
                            capture_output=True, timeout=60)
    tests = json.loads(listed.stdout)["tests"]
    problems = []
    for test in tests:
        if test["name"].endswith("_NOT_BUILT"):  # its tests are not known yet
            continue
        missing = WANTED - {p["name"] for p in test.get("properties", [])}
        problems += [f"{test['name']} has no {name}" for name in sorted(missing)]
    print("\n".join(problems) or f"{len(tests)} tests have labels and limits of time")
    return 1 if problems or not tests else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
