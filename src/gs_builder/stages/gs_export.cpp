// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/bundle/render_config.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/stage.hpp"

// gs_exporter: the Gaussians as the simulator reads them.
namespace gs_builder {
namespace fs = std::filesystem;

void runGsExport(StageContext& context) {
  const fs::path initial = context.input("05_geometry") / "initial.splat.ply";
  std::error_code ignored;
  if (!fs::is_regular_file(initial, ignored))
    throw gs::Error({.code = gs::ErrorCode::CheckpointNotFound,
                     .component = "gs_exporter",
                     .message = "there is neither a training result nor '" + initial.string() + "'",
                     .details = {{"file", initial.string()}},
                     .suggestion = "Run geometry_builder or gs_training first."});
  const fs::path folder = context.workspace.dir("04_gs_export");
  const gs::GaussianPlyInfo info = gs::inspectGaussianPly(*gs::openFile(initial));
  gs::hardLinkOrCopy(initial, folder / "background.splat.ply");
  gs::RenderConfig render;
  render.sh_degree = info.sh_degree;
  // A LiDAR map has no sky: a light grey-blue says "sky" better than black does.
  render.rendering.background_color = {0.66, 0.74, 0.84};
  gs::writeFile(folder / "render_config.json", gs::toText(gs::toJson(render)));
  context.statistics["gaussian_count"] = info.count;
}

}  // namespace gs_builder
