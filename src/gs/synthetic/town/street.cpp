// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gs/synthetic/town/road_loop.hpp"
#include "gs/synthetic/town/surface_builder.hpp"
#include "gs/synthetic/town/town_model.hpp"

namespace gs {
namespace {

struct Strip {
  double inner, outer;  // offsets
  uint16_t material;
};

// Where the strips are cut along the road: fine enough that corners follow the arc to 2 mm.
std::vector<double> cuts() {
  std::vector<double> out;
  const auto count = static_cast<int>(std::ceil(road::length() / 0.5));
  for (int i = 0; i <= count; ++i) out.push_back(road::length() * i / count);
  return out;
}

Vec3 groundPoint(double s, double offset, double profile) {
  const Vec2 p = road::pointAt(s, offset);
  return {p.x(), p.y(), road::slopeAt(p.x(), p.y()) + profile};
}

void addStrip(SurfaceBuilder& builder, const Strip& strip, const std::vector<double>& cuts) {
  builder.material = strip.material;
  // At the kerb both heights meet; a strip takes the one of its own side.
  const double middle = 0.5 * (strip.inner + strip.outer);
  const auto height = [&](double offset) {
    return road::profileAt(offset + (middle - offset) * 1e-9);
  };
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double s0 = cuts[i], s1 = cuts[i + 1];
    const auto corner = [&](double s, double offset) {
      return SurfaceBuilder::Corner{groundPoint(s, offset, height(offset)), s, offset};
    };
    builder.quad(corner(s0, strip.outer), corner(s1, strip.outer), corner(s1, strip.inner),
                 corner(s0, strip.inner));
  }
}

void addKerbFaces(SurfaceBuilder& builder, const std::vector<double>& cuts) {
  const double top = road::profileAt(road::kRoadHalf);
  const double gutter = -road::kCamber * road::kRoadHalf;
  for (const double side : {-1.0, 1.0})
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      const double from = side > 0 ? cuts[i] : cuts[i + 1], to = side > 0 ? cuts[i + 1] : cuts[i];
      const auto corner = [&](double s, double profile) {
        return SurfaceBuilder::Corner{groundPoint(s, side * road::kRoadHalf, profile), s, profile};
      };
      builder.quad(corner(to, gutter), corner(from, gutter), corner(from, top), corner(to, top));
    }
}

// The middle of the block, inside the innermost strip.
void addCourtyard(SurfaceBuilder& builder) {
  constexpr int kColumns = 32, kRows = 10;
  const auto corner = [](int column, int row) {
    const double x = road::kStraightX * (2.0 * column / kColumns - 1);
    const double y = road::kStraightY * (2.0 * row / kRows - 1);
    return SurfaceBuilder::Corner{Vec3(x, y, road::slopeAt(x, y)), x, y};
  };
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column)
      builder.quad(corner(column, row), corner(column + 1, row), corner(column + 1, row + 1),
                   corner(column, row + 1));
}

}  // namespace

void addStreet(TownModel& town) {
  using namespace road;
  const uint16_t asphalt = town.add({.texture = Texture::Road,
                                     .color = Vec3f(0.092f, 0.092f, 0.095f),
                                     .second = Vec3f(0.72f, 0.72f, 0.70f),
                                     .reflectivity = 0.16f});
  const uint16_t kerb = town.add(
      {.texture = Texture::Kerb, .color = Vec3f(0.42f, 0.41f, 0.39f), .reflectivity = 0.35f});
  const uint16_t paving = town.add(
      {.texture = Texture::Paving, .color = Vec3f(0.36f, 0.34f, 0.31f), .reflectivity = 0.32f});
  const uint16_t grass = town.add({.texture = Texture::Grass,
                                   .color = Vec3f(0.085f, 0.14f, 0.035f),
                                   .second = Vec3f(0.16f, 0.19f, 0.06f),
                                   .reflectivity = 0.45f});
  SurfaceBuilder builder(town.fixed);
  const std::vector<double> along = cuts();
  const double kerb_edge = kRoadHalf + kKerbWidth, middle_of_walk = 7;
  for (const Strip& strip : std::initializer_list<Strip>{{-kCornerRadius, -kLevelOffset, paving},
                                                         {-kLevelOffset, -kWalkEdge, paving},
                                                         {-kWalkEdge, -middle_of_walk, paving},
                                                         {-middle_of_walk, -kerb_edge, paving},
                                                         {-kerb_edge, -kRoadHalf, kerb},
                                                         {-kRoadHalf, -4.4, asphalt},
                                                         {-4.4, -kLaneWidth, asphalt},
                                                         {-kLaneWidth, -1.6, asphalt},
                                                         {-1.6, 0, asphalt},
                                                         {0, 1.6, asphalt},
                                                         {1.6, kLaneWidth, asphalt},
                                                         {kLaneWidth, 4.4, asphalt},
                                                         {4.4, kRoadHalf, asphalt},
                                                         {kRoadHalf, kerb_edge, kerb},
                                                         {kerb_edge, middle_of_walk, paving},
                                                         {middle_of_walk, kWalkEdge, paving},
                                                         {kWalkEdge, kLevelOffset, grass},
                                                         {kLevelOffset, 20, grass},
                                                         {20, kMapMargin, grass},
                                                         {kMapMargin, 60, grass},
                                                         {60, 110, grass},
                                                         {110, 320, grass}})
    addStrip(builder, strip, along);
  builder.material = kerb;
  addKerbFaces(builder, along);
  builder.material = paving;
  addCourtyard(builder);
}

namespace {

// A stretch of the road that does not reach over the seam of the loop.
std::array<float, 2> stretch(double s, double length) {
  const double from = std::clamp(s, 0.0, road::length() - length);
  return {static_cast<float>(from), static_cast<float>(from + length)};
}

}  // namespace

void addHardSun(TownModel& town, double s) {
  constexpr double kLength = 12;
  for (Material& material : town.materials)
    if (material.texture == Texture::Road || material.texture == Texture::Kerb)
      material.sunny = stretch(s, kLength);
}

void addWetPatch(TownModel& town, double s) {
  constexpr double kLength = 5;
  for (Material& material : town.materials)
    if (material.texture == Texture::Road) material.wet = stretch(s, kLength);
}

}  // namespace gs
