// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gs/render/prepared_camera.hpp"
#include "gs/render/sky.hpp"
#include "gs/train/kernels/image_loss.hpp"

namespace gs {

// The learned sky: an equirectangular picture of which each pixel moves towards what is seen
// through the splats. Where C is blended and T left over, the best sky is (image - C) / T; the mean
// over the pixels that look there, by T, is the step, so no learning rate has to fit a gradient.
class SkyModel {
 public:
  explicit SkyModel(int height = 512);
  explicit SkyModel(const Image8& image);

  const Sky& sky() const { return sky_; }  // to render with
  Image8 image() const;
  // How much was learned of a direction; 0: nothing, its colour is a guess.
  float knowledgeOf(const Vec3f& direction) const;

  // Learns from one view: its image (with the sky in it), transmittance (plane 0 of `extras`) and
  // what it should have been. Looks at four pixels of every 8 x 8, others each time by `turn`. What
  // is far from the colour that a direction is known to have is not the sky.
  void learn(const PreparedCamera& camera, const Rigid3& map_from_opencv, const PlanarImage& color,
             const PlanarImage& extras, const PlanarImage& target, const Image8& mask,
             uint64_t turn, double rate);
  void publish();  // what was learned is what sky() shows from now on

  // Directions that nothing was learned of take the colour of their neighbours.
  void fillUnknown();

  std::vector<float>& texels() { return texels_; }  // for checkpoints
  std::vector<float>& knowledge() { return knowledge_; }

 private:
  int width_, height_;
  std::vector<float> texels_;     // 3 per direction
  std::vector<float> knowledge_;  // sum of T of what was learned
  std::vector<float> sums_;       // 4 per direction, of one view
  std::vector<uint32_t> touched_;
  Sky sky_;
};

}  // namespace gs
