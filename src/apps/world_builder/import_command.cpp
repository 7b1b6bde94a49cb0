// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "apps/world_builder/commands.hpp"
#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/import_splats.hpp"
#include "gs/core/error.hpp"
#include "gs/core/write_fields.hpp"

namespace apps {
namespace {

constexpr const char* kDescription =
    "Convert splats of other programs into the PLY of a world bundle";
constexpr const char* kDetails = R"(Reads
  PLY      as 3DGS, gsplat, Nerfstudio, Postshot or SuperSplat write it: binary (little or big
           endian) or ASCII; normals and other extra properties are ignored; f_rest_* may be absent
  .splat   of the antimatter15 web viewer (no view-dependent colour)
  .spz     of Niantic, versions 1 to 3

Writes binary_little_endian PLY with log scale, logit opacity and quaternions x, y, z, w.
Quaternions are made unit; splats with NaN, infinity or a zero quaternion are dropped and counted.

Example
  gs-world-builder import point_cloud.ply --output background.splat.ply)";

struct ImportArguments {
  std::filesystem::path input;
  std::filesystem::path output;
  gs::ImportOptions options;
  bool overwrites = false;
  bool prints_json = false;
};

nlohmann::ordered_json summaryOf(const ImportArguments& arguments,
                                 const gs::ImportedSplats& imported) {
  const gs::GaussianDefects box = gs::findDefects(imported.cloud);
  nlohmann::ordered_json summary{{"input", arguments.input.string()},
                                 {"format", imported.format},
                                 {"output", arguments.output.string()},
                                 {"count", imported.cloud.size()},
                                 {"sh_degree", imported.cloud.sh_degree},
                                 {"dropped_non_finite", imported.dropped_non_finite},
                                 {"dropped_zero_rotation", imported.dropped_zero_rotation},
                                 {"normalized_rotations", imported.normalized_rotations},
                                 {"notes", imported.notes}};
  if (box.hasBox()) summary["extent"] = {{"min", box.min}, {"max", box.max}};
  return summary;
}

void printText(const nlohmann::ordered_json& summary) {
  const auto text = [&](const char* key) { return summary.at(key).get<std::string>(); };
  const auto number = [&](const char* key) { return summary.at(key).get<size_t>(); };
  std::cout << fmt::format("{} ({})\n  {} splats, SH degree {}\n", text("input"), text("format"),
                           number("count"), number("sh_degree"));
  if (summary.contains("extent")) {
    const auto low = summary["extent"]["min"].get<std::vector<double>>();
    const auto high = summary["extent"]["max"].get<std::vector<double>>();
    std::cout << fmt::format("  x {:.2f} .. {:.2f}, y {:.2f} .. {:.2f}, z {:.2f} .. {:.2f} m\n",
                             low[0], high[0], low[1], high[1], low[2], high[2]);
  }
  std::cout << fmt::format("  dropped {} with NaN or infinity, {} with a zero quaternion\n",
                           number("dropped_non_finite"), number("dropped_zero_rotation"));
  if (number("normalized_rotations") > 0)
    std::cout << fmt::format("  made {} quaternions unit\n", number("normalized_rotations"));
  for (const std::string note : summary["notes"]) std::cout << "  " << note << '\n';
  std::cout << "Wrote " << text("output") << '\n';
}

void runImport(const ImportArguments& arguments) {
  if (!arguments.overwrites && std::filesystem::exists(arguments.output))
    throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                     .component = "import",
                     .message = "'" + arguments.output.string() + "' exists",
                     .details = {{"file", arguments.output.string()}},
                     .suggestion = "Choose another --output, or add --force to replace it."});
  const auto source = gs::openFile(arguments.input);
  const gs::ImportedSplats imported = gs::importSplats(*source, arguments.options);
  if (imported.cloud.size() == 0)
    throw gs::Error({.code = gs::ErrorCode::InsufficientData,
                     .component = "import",
                     .message = "'" + arguments.input.string() + "' has no usable splat",
                     .details = {{"dropped_non_finite", imported.dropped_non_finite},
                                 {"dropped_zero_rotation", imported.dropped_zero_rotation}},
                     .suggestion = "Export it again from the program that made it."});
  gs::writeGaussianPly(arguments.output, imported.cloud);
  const auto summary = summaryOf(arguments, imported);
  if (arguments.prints_json) std::cout << gs::toText(summary);
  else printText(summary);
}

}  // namespace

void addImportCommand(CLI::App& app) {
  auto* command = app.add_subcommand("import", kDescription);
  command->footer(kDetails);
  auto arguments = std::make_shared<ImportArguments>();
  auto rotation = std::make_shared<std::string>();
  command->add_option("input", arguments->input, "A .ply, .splat or .spz file")->required();
  command->add_option("-o,--output", arguments->output, "The PLY to write")->required();
  command
      ->add_option(
          "--rotation", *rotation,
          "Order of rot_0 .. rot_3 in a PLY: wxyz as all tools but world bundles write it. "
          "By default recognised by the order of the properties")
      ->check(CLI::IsMember({"wxyz", "xyzw"}));
  command->add_flag(
      "--keep-spz-axes", arguments->options.keeps_spz_axes,
      "Leave an .spz in its own axes (right, up, back) instead of turning it to those "
      "of the PLY it was made from (right, down, forward)");
  command->add_flag("-f,--force", arguments->overwrites, "Replace an existing output");
  command->add_flag("--json", arguments->prints_json, "Print the summary as JSON");

  command->callback([arguments, rotation] {
    if (*rotation == "wxyz") arguments->options.rotation = gs::RotationOrder::Wxyz;
    if (*rotation == "xyzw") arguments->options.rotation = gs::RotationOrder::Xyzw;
    runImport(*arguments);
  });
}

}  // namespace apps
