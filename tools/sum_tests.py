#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up JUnit files of ctest: names what failed or was skipped, closes with 'N passed, N failed'.

A test that occurs again in the same folder was tried again: the last try counts, and is named. Exit
code 1 when something failed, or when there is no test at all."""
import os
import sys
import tempfile
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


def summary_of(files):
    outcomes, notes = {}, []
    for file in files:
        for case in ElementTree.parse(file).getroot().iter("testcase"):
            test = (case.get("name"), os.path.dirname(file))
            if test in outcomes:
                notes.append(f"tried again, {outcomes[test]} before: {test[0]} ({file})")
            outcomes[test] = outcome_of(case)
    notes += [f"{outcome}: {name} ({folder})" for (name, folder), outcome in outcomes.items()
              if outcome != "passed"]
    count = {kind: list(outcomes.values()).count(kind) for kind in ("passed", "failed", "skipped")}
    skipped = f", {count['skipped']} skipped" if count["skipped"] else ""
    return notes, f"{count['passed']} passed, {count['failed']} failed{skipped}", \
        bool(outcomes) and count["failed"] == 0


def self_test():
    def junit(path, **status_by_name):
        cases = "".join(f'<testcase name="{name}" status="{status}"/>'
                        for name, status in status_by_name.items())
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"<testsuite>{cases}</testsuite>")
        return path

    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(folder + "/asan")
        first = junit(folder + "/a.xml", a="run", b="fail", c="disabled")
        again = junit(folder + "/b.xml", b="run")
        other = junit(folder + "/asan/a.xml", a="run", b="fail")
        assert summary_of([first])[1:] == ("1 passed, 1 failed, 1 skipped", False)
        notes, line, is_green = summary_of([first, again])
        assert (line, is_green) == ("2 passed, 0 failed, 1 skipped", True)
        assert notes[0].startswith("tried again, failed before: b")
        assert summary_of([first, again, other])[1:] == ("3 passed, 1 failed, 1 skipped", False)
        assert summary_of([junit(folder + "/none.xml")])[1:] == ("0 passed, 0 failed", False)


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return 0
    notes, line, is_green = summary_of(arguments)
    print("\n".join([*notes, line]))
    return 0 if is_green else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
