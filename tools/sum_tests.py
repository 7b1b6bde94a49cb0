#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up JUnit files of ctest: names what failed or was skipped, closes with 'N passed, N failed'."""
import sys
import xml.etree.ElementTree as ElementTree


def outcome_of(case):
    status = case.get("status")
    if status == "run":
        return "passed"
    skipped = case.find("skipped")  # also written when the program of a test is missing
    if status == "disabled" or (skipped is not None and
                                skipped.get("message", "").startswith("SKIP_")):
        return "skipped"
    return "failed"


def main(files):
    count = {"passed": 0, "failed": 0, "skipped": 0}
    for file in files:
        for case in ElementTree.parse(file).getroot().iter("testcase"):
            outcome = outcome_of(case)
            count[outcome] += 1
            if outcome != "passed":
                print(f"{outcome}: {case.get('name')} ({file})")
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    print(f"{count['passed']} passed, {count['failed']} failed{skipped}")


if __name__ == "__main__":
    main(sys.argv[1:])
