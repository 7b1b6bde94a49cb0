// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gs/render/prepared_camera.hpp"
#include "gs/render/sky.hpp"
#include "gs/train/kernels/image_loss.hpp"

namespace gs {

// One view of the scene and what it should look like.
struct SkyView {
  const PreparedCamera& camera;
  const Rigid3& map_from_opencv;
  const PlanarImage& color;   // rendered, with the sky in it
  const PlanarImage& extras;  // plane 0: transmittance
  const PlanarImage& target;
  const Image8& mask;  // empty, or 0 where the image shows what moves
};

// The learned sky: an equirectangular picture. What is at infinity has the same colour in a
// direction wherever the car is; a wall has not. So first, images of all along the drive are asked
// what they see past the splats, and a direction is sky when most of them agree. Then, while
// training goes on, each pixel moves towards what is seen through what has become transparent.
class SkyModel {
 public:
  explicit SkyModel(int height = 16);

  const Sky& sky() const { return sky_; }  // to render with
  Image8 image() const;
  // Whether this is the colour of the sky in a direction, as far as is known.
  bool isSky(const Vec3f& direction, const Vec3f& rgb) const;

  // Keeps what a view sees past the splats, for settle().
  void collect(const SkyView& view);
  // Decides from what was collected; directions without sky take the colour of those around.
  void settle();
  // One step: looks at some pixels of a view, others each time by `turn`.
  void learn(const SkyView& view, uint64_t turn, double rate);
  // Adds to the derivative by transmittance (plane 0) what keeps splats out of the sky: `weight`
  // for each pixel of a quarter of the image that shows the sky.
  void keepClear(const SkyView& view, float weight, PlanarImage& by_extras) const;
  void publish();  // what was learned is what sky() shows from now on

  std::vector<float>& texels() { return texels_; }  // for checkpoints
  std::vector<float>& knowledge() { return knowledge_; }

 private:
  static constexpr size_t kSamples = 8;
  struct Samples {
    uint32_t seen = 0;
    std::array<std::array<uint8_t, 3>, kSamples> rgb;
  };
  size_t texelAt(const Vec3f& direction) const;
  void fillUnknown();

  int width_, height_;
  std::vector<float> texels_;     // 3 per direction
  std::vector<float> knowledge_;  // 1: the sky is known there; 0: a guess
  std::vector<Samples> samples_;  // between collect() and settle()
  Sky sky_;
};

}  // namespace gs
