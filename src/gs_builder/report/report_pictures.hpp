// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gs_builder/report/report_data.hpp"

// The pictures of the report, small enough to travel inside a page.
namespace gs_builder {

gs::Image8 shrunk(const gs::Image8& rgb, int width);  // keeps the shape; never larger
EncodedImage asJpeg(const gs::Image8& rgb, int quality);
EncodedImage asPng(const gs::Image8& rgb);

FramePictures drawFrame(const FrameEvaluation& frame, const gs::Image8& recorded,
                        const gs::Image8& rendered, int width);

// Keeps pictures of the frames that a report shows, without knowing beforehand which: of each
// camera the best, the worst, and enough others for one near the median. At most a hundred or so
// per camera, however many frames there are.
class FrameAlbum {
 public:
  explicit FrameAlbum(int width) : width_(width) {}

  void add(const FrameEvaluation& frame, const gs::Image8& recorded, const gs::Image8& rendered);

  std::vector<FramePictures> bestMedianWorst() const;  // of all cameras; different frames
  std::vector<FramePictures> medianAndWorst(const std::string& camera) const;

 private:
  struct Pages {
    std::vector<FramePictures> sampled;
    std::vector<FramePictures> extremes;  // best, worst
    size_t seen = 0, stride = 1;
    std::vector<double> psnrs;
  };
  int width_;
  std::map<std::string, Pages> cameras_;
};

// A sweep from above, north of the LiDAR up: what was recorded, coloured by how it fares in the
// simulation, at the left; what was simulated at the right. `reach` metres to each side.
gs::Image8 drawSweep(const std::vector<ComparedReturn>& recorded,
                     const std::vector<gs::Vec3>& simulated, double reach, int size);
// The colours of the left half, as the page names them.
struct SweepColors {
  static constexpr const char* kNear = "#5ac8fa";
  static constexpr const char* kMiddle = "#ffd60a";
  static constexpr const char* kFar = "#ff453a";
  static constexpr const char* kMissing = "#8e8e93";
};

}  // namespace gs_builder
