// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "apps/world_builder/commands.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/import_splats.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/error.hpp"

namespace apps {
namespace {

constexpr const char* kDescription =
    "Write the splats of a world as the PLY that splat viewers and editors read";
constexpr const char* kDetails =
    R"(The world is a bundle directory, or a PLY with the encodings of a bundle. The output has
the property order of the original 3DGS implementation, quaternions w, x, y, z, and the same numbers:
`gs-world-builder import` turns it back without a changed bit.

Example
  gs-world-builder export worlds/minimal_test --output minimal_test.ply)";

struct ExportArguments {
  std::filesystem::path world;
  std::filesystem::path output;
  bool overwrites = false;
};

void runExport(const ExportArguments& arguments) {
  if (!arguments.overwrites && std::filesystem::exists(arguments.output))
    throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                     .component = "export",
                     .message = "'" + arguments.output.string() + "' exists",
                     .details = {{"file", arguments.output.string()}},
                     .suggestion = "Choose another --output, or add --force to replace it."});
  const gs::GaussianCloud cloud = std::filesystem::is_directory(arguments.world)
                                      ? gs::readBundle(arguments.world).gaussians
                                      : gs::readGaussianPly(*gs::openFile(arguments.world));
  gs::exportInriaPly(arguments.output, cloud);
  std::cout << fmt::format("Wrote {} ({} splats, SH degree {})\n", arguments.output.string(),
                           cloud.size(), cloud.sh_degree);
}

}  // namespace

void addExportCommand(CLI::App& app) {
  auto* command = app.add_subcommand("export", kDescription);
  command->footer(kDetails);
  auto arguments = std::make_shared<ExportArguments>();
  command->add_option("world", arguments->world, "Bundle directory or bundle PLY")->required();
  command->add_option("-o,--output", arguments->output, "The PLY to write")->required();
  command->add_flag("-f,--force", arguments->overwrites, "Replace an existing output");
  command->callback([arguments] { runExport(*arguments); });
}

}  // namespace apps
