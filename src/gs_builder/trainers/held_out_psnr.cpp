// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/held_out_psnr.hpp"

#include <algorithm>
#include <numeric>

#include "gs/render/image_metrics.hpp"
#include "gs/render/make_splat_renderer.hpp"

namespace gs_builder {

HeldOutPsnr measurePsnr(const gs::TrainingSet& set, const gs::GaussianCloud& cloud,
                        const gs::Image8& sky, size_t max_images) {
  std::vector<size_t> chosen;
  for (size_t i = 0; i < set.images.size(); ++i)
    if (set.images[i].is_held_out) chosen.push_back(i);
  const bool has_held_out = !chosen.empty();
  if (!has_held_out) {
    chosen.resize(set.images.size());
    std::iota(chosen.begin(), chosen.end(), size_t{0});
  }
  const auto renderer = gs::makeSplatRenderer(gs::RendererKind::Auto, {&cloud});
  gs::RenderSettings settings;
  if (!sky.pixels.empty()) settings.sky = gs::Sky(sky);
  const size_t count = std::min(chosen.size(), max_images);
  double sum = 0;
  size_t measured = 0;
  for (size_t n = 0; n < count; ++n) {
    const size_t i = chosen[(2 * n + 1) * chosen.size() / (2 * count)];
    const gs::TrainingImage& image = set.images[i];
    const gs::Image8 wanted = set.load_image(i);
    const gs::RenderedView view = renderer->render(
        {.camera = image.camera, .map_from_camera = image.map_from_camera}, settings);
    if (wanted.pixels.size() != view.rgb.pixels.size()) continue;
    gs::Image8 mask = set.load_mask ? set.load_mask(i) : gs::Image8();
    if (mask.pixels.empty()) {
      mask = gs::Image8(wanted.width, wanted.height, 1);
      std::fill(mask.pixels.begin(), mask.pixels.end(), uint8_t{255});
    }
    // SSIM is not asked for: a map of zeros costs nothing.
    const auto similarity =
        gs::similarityWhere(mask, wanted, view.rgb, gs::ImageF(wanted.width, wanted.height, 1));
    if (similarity.pixels == 0) continue;
    sum += similarity.psnr_db;
    ++measured;
  }
  return {measured > 0 ? sum / static_cast<double>(measured) : 0, has_held_out ? measured : 0};
}

}  // namespace gs_builder
