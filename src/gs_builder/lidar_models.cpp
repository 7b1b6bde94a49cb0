// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/lidar_models.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "gs_builder/median.hpp"

namespace gs_builder {
namespace {

// Beams between two knots are evenly spread. The first knot is the lowest beam, the last the
// highest; `beam` counts from 0.
struct Knot {
  int beam;
  double elevation_deg;
};

struct LidarModel {
  const char* name;
  std::vector<Knot> knots;
  // How far a unit's beam may be from this table. Below 0.15 degrees the table is the truth, above
  // it is what the maker aims at.
  double tolerance_deg;

  size_t channels() const { return static_cast<size_t>(knots.back().beam) + 1; }
  bool isExact() const { return tolerance_deg < 0.15; }
};

const std::vector<LidarModel>& knownModels() {
  static const std::vector<LidarModel> models = {
      {"VLP-16", {{0, -15}, {15, 15}}, 0.14},
      {"VLP-16 Hi-Res", {{0, -10}, {15, 10}}, 0.1},
      {"HDL-32E", {{0, -92.0 / 3}, {31, 32.0 / 3}}, 0.14},
      {"VLP-32C",
       {{0, -25},
        {1, -15.639},
        {2, -11.31},
        {3, -8.843},
        {4, -7.254},
        {5, -6.148},
        {6, -5.333},
        {7, -4.667},
        {8, -4},
        {25, 5.0 / 3},
        {26, 7.0 / 3},
        {27, 10.0 / 3},
        {28, 14.0 / 3},
        {29, 7},
        {30, 31.0 / 3},
        {31, 15}},
       0.1},
      {"VLS-128",
       {{0, -25},     {1, -19.582}, {2, -16.042}, {3, -13.565}, {4, -11.742}, {5, -10.346},
        {6, -9.244},  {7, -8.352},  {8, -7.65},   {9, -7.15},   {10, -6.85},  {11, -6.65},
        {12, -6.5},   {115, 4.83},  {116, 4.98},  {117, 5.18},  {118, 5.43},  {119, 5.73},
        {120, 6.08},  {121, 6.48},  {122, 6.98},  {123, 7.58},  {124, 8.43},  {125, 9.7},
        {126, 11.75}, {127, 15}},
       0.05},
      // S2 and S3: a lower block at half a degree, an upper one at a third.
      {"HDL-64E", {{0, -24.33}, {31, -8.83}, {32, -8.33}, {63, 2}}, 0.9},
      {"Pandar64",
       {{0, -25},
        {1, -19},
        {2, -14},
        {10, -6},
        {58, 2},
        {59, 3},
        {60, 5},
        {61, 8},
        {62, 11},
        {63, 15}},
       0.25},
      {"Pandar128",
       {{0, -24.7},
        {1, -23},
        {2, -21.6},
        {3, -20.3},
        {7, -17.64},
        {39, -5.91},
        {104, 2.2},
        {120, 7.94},
        {124, 10.63},
        {125, 11.92},
        {126, 13.43},
        {127, 15.14}},
       0.3},
      {"PandarQT",
       {{0, -52.1},
        {3, -45.48},
        {8, -36.06},
        {16, -22.96},
        {47, 22.96},
        {55, 36.06},
        {60, 45.49},
        {63, 52.1}},
       0.7},
      {"OS0-32", {{0, -45}, {31, 45}}, 1.6},
      {"OS0-64", {{0, -45}, {63, 45}}, 1.6},
      {"OS0-128", {{0, -45}, {127, 45}}, 1.6},
      {"OS1-16", {{0, -16.6}, {15, 16.6}}, 0.8},
      {"OS1-32", {{0, -22.5}, {31, 22.5}}, 1.6},
      {"OS1-64", {{0, -22.5}, {63, 22.5}}, 1.6},
      {"OS1-64", {{0, -16.6}, {63, 16.6}}, 0.8},  // the first generation
      {"OS1-128", {{0, -22.5}, {127, 22.5}}, 1.6},
      {"OS2-32", {{0, -11.25}, {31, 11.25}}, 0.8},
      {"OS2-64", {{0, -11.25}, {63, 11.25}}, 0.8},
      {"OS2-128", {{0, -11.25}, {127, 11.25}}, 0.8},
  };
  return models;
}

std::vector<double> elevationsOf(const LidarModel& model) {
  std::vector<double> elevations;
  for (size_t k = 0; k + 1 < model.knots.size(); ++k) {
    const Knot &from = model.knots[k], &to = model.knots[k + 1];
    for (int beam = from.beam; beam < to.beam; ++beam)
      elevations.push_back(from.elevation_deg + (to.elevation_deg - from.elevation_deg) *
                                                    (beam - from.beam) / (to.beam - from.beam));
  }
  elevations.push_back(model.knots.back().elevation_deg);
  return elevations;
}

constexpr double kNoFit = std::numeric_limits<double>::infinity();

// The usual distance of a beam from its own in the table; infinity when one is too far.
double misfit(const std::vector<double>& measured, const std::vector<double>& table,
              const LidarModel& model) {
  std::vector<double> distances;
  if (!model.isExact()) {
    if (measured.size() != table.size()) return kNoFit;
    for (size_t i = 0; i < table.size(); ++i) distances.push_back(std::abs(measured[i] - table[i]));
  } else {
    if (measured.size() > table.size() || 4 * measured.size() < 3 * table.size()) return kNoFit;
    size_t next = 0;  // each beam of the table is taken once
    for (const double elevation : measured) {
      while (next < table.size() && table[next] < elevation - model.tolerance_deg) ++next;
      if (next == table.size()) return kNoFit;
      distances.push_back(std::abs(table[next++] - elevation));
    }
  }
  if (*std::max_element(distances.begin(), distances.end()) > model.tolerance_deg) return kNoFit;
  return medianOf(std::move(distances));
}

}  // namespace

std::optional<LidarModelMatch> findLidarModel(const std::vector<double>& elevations_deg) {
  if (elevations_deg.size() < 8) return std::nullopt;
  std::optional<LidarModelMatch> best;
  // Relative to what the table promises: an exact one that fits wins over a rough one that does.
  double best_misfit = 0.7;
  for (const LidarModel& model : knownModels()) {
    const std::vector<double> table = elevationsOf(model);
    const double relative = misfit(elevations_deg, table, model) / model.tolerance_deg;
    const bool is_better =
        best && !best->elevations_deg.empty() && !model.isExact() ? false : relative < best_misfit;
    if (!is_better) continue;
    best = LidarModelMatch{model.name, model.channels(),
                           model.isExact() ? table : std::vector<double>()};
    best_misfit = relative;
  }
  return best;
}

std::string whyBeamsLookMissing(const std::vector<double>& elevations_deg,
                                const std::optional<LidarModelMatch>& model) {
  const std::vector<double>& e = elevations_deg;
  if (model)
    return e.size() == model->channels
               ? std::string()
               : fmt::format("{} of the {} beams of a {} were seen, the others are its maker's",
                             e.size(), model->channels, model->name);
  if (e.size() < 4) return {};
  for (const LidarModel& known : knownModels()) {
    const double low = known.knots.front().elevation_deg, high = known.knots.back().elevation_deg;
    if (e.size() < known.channels() && 2 * e.size() > known.channels() &&
        std::abs(e.front() - low) < 1 && std::abs(e.back() - high) < 1)
      return fmt::format("{} beams from {:.1f} to {:.1f} degrees, where a {} has {}", e.size(),
                         e.front(), e.back(), known.name, known.channels());
  }
  // A gap much wider than those beside it; towards the ends beams may be spread wider.
  for (size_t i = 2; i + 1 < e.size(); ++i) {
    const double gap = e[i] - e[i - 1];
    const double beside = std::max(e[i - 1] - e[i - 2], e[i + 1] - e[i]);
    if (gap > 1.8 * beside)
      return fmt::format("{} beams, with a gap from {:.1f} to {:.1f} degrees", e.size(), e[i - 1],
                         e[i]);
  }
  return {};
}

}  // namespace gs_builder
