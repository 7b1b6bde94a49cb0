// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/reflectivity.hpp"

#include <algorithm>
#include <cmath>

namespace gs {
namespace {

constexpr int kReferenceRangeBin = 6;  // 8 m to 11.3 m

// Half octaves from 1 m on.
int rangeBin(float range) {
  const int bin = static_cast<int>(2 * std::log2(std::max(1.0f, range)));
  return std::min(bin, IntensityModel::kRangeBins - 1);
}
int cosineBin(float cosine) {
  return std::clamp(static_cast<int>(cosine * IntensityModel::kCosineBins), 0,
                    IntensityModel::kCosineBins - 1);
}

// Bins that nobody saw continue the nearest one that somebody did, starting from `reference`.
template <size_t N>
void fillFrom(std::array<double, N>& gain, const std::array<double, N>& weight, int reference) {
  constexpr double kEnough = 50;
  for (int i = reference + 1; i < static_cast<int>(N); ++i)
    if (weight[i] < kEnough) gain[i] = gain[i - 1];
  for (int i = reference - 1; i >= 0; --i)
    if (weight[i] < kEnough) gain[i] = gain[i + 1];
  const double zero = gain[reference];
  for (double& g : gain) g -= zero;
}

// Between the middles of two bins, so that no edge of a bin shows in the map.
template <size_t N>
double between(const std::array<double, N>& gain, float position) {
  const double at = std::clamp(static_cast<double>(position) - 0.5, 0.0, N - 1.0);
  const size_t low = std::min(static_cast<size_t>(at), N - 2);
  return gain[low] + (at - static_cast<double>(low)) * (gain[low + 1] - gain[low]);
}

}  // namespace

IntensityModel IntensityModel::fit(const std::vector<Sight>& sights, uint32_t voxel_count) {
  struct Row {
    uint32_t voxel;
    float log_intensity;
    uint8_t range, cosine;
  };
  std::vector<Row> rows;
  rows.reserve(sights.size());
  for (const Sight& s : sights)
    rows.push_back({s.voxel, std::log(s.intensity), static_cast<uint8_t>(rangeBin(s.range)),
                    static_cast<uint8_t>(cosineBin(s.cosine))});

  IntensityModel model;
  std::vector<float> level(voxel_count), count(voxel_count);
  for (int iteration = 0; iteration < 12; ++iteration) {
    std::fill(level.begin(), level.end(), 0.0f);
    std::fill(count.begin(), count.end(), 0.0f);
    for (const Row& row : rows) {
      level[row.voxel] += row.log_intensity - static_cast<float>(model.range_gain_[row.range] +
                                                                 model.cosine_gain_[row.cosine]);
      count[row.voxel] += 1;
    }
    std::array<double, kRangeBins> range_sum{}, range_weight{};
    std::array<double, kCosineBins> cosine_sum{}, cosine_weight{};
    for (const Row& row : rows) {
      if (count[row.voxel] < 2) continue;  // seen once: says nothing about the view
      const double rest = static_cast<double>(row.log_intensity) -
                          level[row.voxel] / count[row.voxel] - model.range_gain_[row.range] -
                          model.cosine_gain_[row.cosine];
      range_sum[row.range] += rest;
      range_weight[row.range] += 1;
      cosine_sum[row.cosine] += rest;
      cosine_weight[row.cosine] += 1;
    }
    for (int i = 0; i < kRangeBins; ++i)
      if (range_weight[i] > 0) model.range_gain_[i] += 0.7 * range_sum[i] / range_weight[i];
    for (int i = 0; i < kCosineBins; ++i)
      if (cosine_weight[i] > 0) model.cosine_gain_[i] += 0.7 * cosine_sum[i] / cosine_weight[i];
    fillFrom(model.range_gain_, range_weight, kReferenceRangeBin);
    fillFrom(model.cosine_gain_, cosine_weight, kCosineBins - 1);
  }
  return model;
}

float IntensityModel::corrected(float intensity, float range, float cosine) const {
  const double gain = between(range_gain_, 2 * std::log2(std::max(1.0f, range))) +
                      between(cosine_gain_, cosine * kCosineBins);
  return intensity * static_cast<float>(std::exp(-gain));
}

}  // namespace gs
