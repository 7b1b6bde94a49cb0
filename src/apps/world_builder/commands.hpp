// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// The subcommands of gs-world-builder, one file each. Every function adds its subcommand, whose
// work happens while the arguments are parsed; failures are thrown as gs::Error.
void addExportCommand(CLI::App& app);
void addImportCommand(CLI::App& app);
