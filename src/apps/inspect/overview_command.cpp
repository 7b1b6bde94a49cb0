// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/inspect/commands.hpp"
#include "gs/bundle/overview.hpp"
#include "gs/bundle/read_bundle.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/png.hpp"

// gs-inspect overview WORLD --out FILE.png: the world seen from above.
namespace apps {
namespace {

struct Arguments {
  std::filesystem::path world;
  std::filesystem::path out;
  int size = 1200;
};

}  // namespace

void addOverviewCommand(CLI::App& app) {
  auto* command = app.add_subcommand("overview", "Draw a world from above, as a PNG");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("world", arguments->world, "Folder that contains world.yaml")->required();
  command->add_option("-o,--out", arguments->out, "PNG to write")->required();
  command->add_option("--size", arguments->size, "Pixels of the longer side")
      ->check(CLI::Range(16, 16384))
      ->capture_default_str();
  command->footer(
      "Grey is known ground (lighter is higher), dark is unknown, green outlines the drivable\n"
      "area, the red arrow is where the ego starts.\n"
      "Example:\n"
      "  gs-inspect overview worlds/minimal_test --out overview.png");
  command->callback([arguments] {
    const gs::WorldBundle bundle = gs::readBundle(arguments->world);
    const gs::Image8 image = drawOverview(bundle, arguments->size);
    gs::writeFileAtomically(arguments->out, gs::encodePng(image));
    std::cout << arguments->out.string() << ": " << image.width << " x " << image.height
              << " pixels\n";
  });
}

}  // namespace apps
