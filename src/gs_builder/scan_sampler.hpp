// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "gs/core/time.hpp"

namespace gs_builder {

// A LiDAR scan as few points as tell where the sensor was.
struct ThinScan {
  size_t message = 0;                        // of its topic, counted from 0
  std::vector<std::array<float, 3>> points;  // m, in the frame of the sensor
};

// Two scans about 1.5 s apart.
struct ScanPair {
  std::shared_ptr<const ThinScan> first, second;
};

// Pairs of scans from all over a drive while it passes by: at most 128, some megabytes, whatever
// the length of the log. Up to three minutes they follow each other closely.
class ScanSampler {
 public:
  // Whether the next scan of the topic is one to keep; every scan is asked for, in order.
  bool wants(gs::Stamp log_time);
  // The scan that was wanted. Points near the sensor, far ones and close neighbours are dropped.
  void add(const std::vector<std::array<float, 3>>& points);

  std::vector<ScanPair> pairs() const;  // those with a second scan, in the order of the drive

 private:
  struct Anchor {
    gs::Stamp log_time;
    ScanPair pair;
  };
  void thinOut();

  std::vector<Anchor> anchors_;
  gs::Duration spacing_{750'000'000};  // between anchors
  size_t messages_ = 0;
  gs::Stamp now_;
};

}  // namespace gs_builder
