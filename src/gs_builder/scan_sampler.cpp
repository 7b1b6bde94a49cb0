// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/scan_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace gs_builder {
namespace {

constexpr size_t kMostPairs = 128, kMostPoints = 12000;
constexpr gs::Duration kApart{1'500'000'000};
constexpr double kNear = 3, kFar = 50, kVoxel = 0.25;  // m

bool isDue(gs::Stamp first, gs::Stamp now) {
  // After a gap in the recording the second scan would show another place.
  return now - first >= kApart && now - first <= kApart + kApart;
}

std::vector<std::array<float, 3>> thinned(const std::vector<std::array<float, 3>>& points) {
  std::unordered_set<int64_t> taken;
  std::vector<std::array<float, 3>> kept;
  for (const auto& p : points) {
    const double range = std::hypot(p[0], p[1]);
    if (!(range > kNear && range < kFar && std::abs(p[2]) < kFar)) continue;
    const auto cell = [](float v) {
      return static_cast<int64_t>(std::floor(static_cast<double>(v) / kVoxel)) & 0xffff;
    };
    if (taken.insert(cell(p[0]) << 32 | cell(p[1]) << 16 | cell(p[2])).second) kept.push_back(p);
  }
  if (kept.size() <= kMostPoints) return kept;
  std::vector<std::array<float, 3>> fewer;
  for (size_t i = 0; i < kMostPoints; ++i) fewer.push_back(kept[i * kept.size() / kMostPoints]);
  return fewer;
}

}  // namespace

bool ScanSampler::wants(gs::Stamp log_time) {
  now_ = log_time;
  ++messages_;
  return anchors_.empty() || log_time - anchors_.back().log_time >= spacing_ ||
         std::any_of(anchors_.begin(), anchors_.end(), [&](const Anchor& anchor) {
           return !anchor.pair.second && isDue(anchor.log_time, log_time);
         });
}

void ScanSampler::add(const std::vector<std::array<float, 3>>& points) {
  const auto scan = std::make_shared<const ThinScan>(ThinScan{messages_ - 1, thinned(points)});
  for (Anchor& anchor : anchors_)
    if (!anchor.pair.second && isDue(anchor.log_time, now_)) anchor.pair.second = scan;
  if (!anchors_.empty() && now_ - anchors_.back().log_time < spacing_) return;
  anchors_.push_back({now_, {scan, nullptr}});
  if (anchors_.size() > kMostPairs) thinOut();
}

void ScanSampler::thinOut() {
  std::vector<Anchor> kept;
  for (size_t i = 0; i < anchors_.size(); i += 2) kept.push_back(std::move(anchors_[i]));
  anchors_ = std::move(kept);
  spacing_ = spacing_ + spacing_;
}

std::vector<ScanPair> ScanSampler::pairs() const {
  std::vector<ScanPair> pairs;
  for (const Anchor& anchor : anchors_)
    if (anchor.pair.second) pairs.push_back(anchor.pair);
  return pairs;
}

}  // namespace gs_builder
