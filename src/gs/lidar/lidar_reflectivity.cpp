// SPDX-License-Identifier: Apache-2.0
#include "gs/lidar/lidar_reflectivity.hpp"

#include <algorithm>
#include <cmath>

namespace gs {
namespace {

constexpr double kSquare = 0.5;       // m
constexpr double kOnTheGround = 0.1;  // m

uint64_t keyOf(double column, double row) {
  return static_cast<uint64_t>(static_cast<uint32_t>(static_cast<int32_t>(column))) << 32 |
         static_cast<uint32_t>(static_cast<int32_t>(row));
}

bool isOnEarth(double x, double y) { return std::abs(x) + std::abs(y) < 1e8; }  // false for NaN

}  // namespace

std::vector<float> meshReflectivity(const TriangleMesh& mesh) {
  const auto is_opaque = [](const std::array<uint8_t, 4>& color) { return color[3] == 255; };
  if (mesh.colors.size() != mesh.positions.size() ||
      std::all_of(mesh.colors.begin(), mesh.colors.end(), is_opaque))
    return {};
  std::vector<float> reflectivity;
  reflectivity.reserve(mesh.colors.size());
  for (const auto& color : mesh.colors) reflectivity.push_back(static_cast<float>(color[3]) / 255);
  return reflectivity;
}

SurfaceReflectivity::SurfaceReflectivity(const TriangleMesh& mesh, const Heightmap* ground)
    : vertices_(meshReflectivity(mesh)) {
  if (vertices_.empty()) return;
  triangles_ = mesh.triangles;
  if (!ground) return;
  for (size_t i = 0; i < mesh.positions.size(); ++i) {
    const double x = mesh.positions[i][0], y = mesh.positions[i][1], z = mesh.positions[i][2];
    if (!isOnEarth(x, y) || !(std::abs(heightAt(*ground, x, y) - z) < kOnTheGround)) continue;
    Mean& mean = squares_[keyOf(std::floor(x / kSquare), std::floor(y / kSquare))];
    mean.sum += vertices_[i];
    mean.count += 1;
  }
}

std::optional<float> SurfaceReflectivity::ofMesh(uint32_t triangle, float u, float v) const {
  if (vertices_.empty()) return std::nullopt;
  const auto& t = triangles_[triangle];
  const float mixed = (1 - u - v) * vertices_[t[0]] + u * vertices_[t[1]] + v * vertices_[t[2]];
  return std::clamp(mixed, 0.0f, 1.0f);
}

float SurfaceReflectivity::usual() const {
  if (vertices_.empty()) return 0;
  std::vector<float> values = vertices_;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Between the middles of four squares, so that no edge of one shows; those unknown do not count.
std::optional<float> SurfaceReflectivity::ofGround(double x, double y) const {
  if (squares_.empty() || !isOnEarth(x, y)) return std::nullopt;
  const double column = std::floor(x / kSquare - 0.5), row = std::floor(y / kSquare - 0.5);
  const double fx = x / kSquare - 0.5 - column, fy = y / kSquare - 0.5 - row;
  double sum = 0, weight = 0;
  for (int k = 0; k < 4; ++k) {
    const auto found = squares_.find(keyOf(column + k % 2, row + k / 2));
    if (found == squares_.end()) continue;
    const double w = (k % 2 ? fx : 1 - fx) * (k / 2 ? fy : 1 - fy) + 1e-6;
    sum += w * static_cast<double>(found->second.sum / found->second.count);
    weight += w;
  }
  if (weight == 0) return std::nullopt;
  return static_cast<float>(sum / weight);
}

}  // namespace gs
