// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "gs/core/error.hpp"

namespace apps {

// Thrown by a command whose answer is an exit code of its own, after it has said everything: a run
// that failed its conditions is a result, not an error.
struct ExitWith {
  int code;
};

// The whole of a main(): adds --version and -v/--verbose, parses, runs the callbacks and turns what
// they throw into an exit code. The only catch in a program: every failure, wrong usage included,
// is printed once, as the error JSON, on stderr.
int runProgram(CLI::App& app, int argc, const char* const* argv, int (*exitCodeFor)(gs::ErrorCode));

}  // namespace apps
