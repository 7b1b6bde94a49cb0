// SPDX-License-Identifier: Apache-2.0
// write_peer_files <directory>: one file of each kind for programs by others to judge.
#include <cmath>
#include <cstdio>

#include "gs/bundle/drivable_file.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/formats/glb.hpp"
#include "gs/formats/pcd.hpp"
#include "gs/geometry/ground_surface.hpp"
#include "gs/geometry/static_mesh.hpp"

namespace {

// A bumpy ground of 20 x 20 cells with normals and colours.
gs::TriangleMesh bumpyGround() {
  constexpr uint32_t kSide = 21;
  gs::TriangleMesh mesh;
  for (uint32_t row = 0; row < kSide; ++row) {
    for (uint32_t col = 0; col < kSide; ++col) {
      const auto x = static_cast<float>(col), y = static_cast<float>(row);
      const float slope = 0.3f * std::cos(x);
      const float length = std::sqrt(1 + slope * slope);
      mesh.positions.push_back({x, y, 0.3f * std::sin(x)});
      mesh.normals.push_back({-slope / length, 0, 1 / length});
      mesh.colors.push_back({static_cast<uint8_t>(12 * row), 128, 64, 255});
    }
  }
  for (uint32_t row = 0; row + 1 < kSide; ++row) {
    for (uint32_t col = 0; col + 1 < kSide; ++col) {
      const uint32_t a = row * kSide + col;
      mesh.triangles.push_back({a, a + 1, a + kSide});
      mesh.triangles.push_back({a + 1, a + kSide + 1, a + kSide});
    }
  }
  return mesh;
}

gs::DrivableArea roadWithIslandAndTwoYards() {
  gs::DrivableArea area;
  area.features.push_back(
      {.polygons = {{.outer = {{-500.25, -4}, {500, -4}, {500, 4}, {-500.25, 4}, {-500.25, -4}},
                     .holes = {{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}}}}},
       .speed_limit = 50.0});
  area.features.push_back({.polygons = {{.outer = {{0, 10}, {5, 10}, {5, 15}, {0, 10}}},
                                        {.outer = {{10, 10}, {15, 10}, {15, 15}, {10, 10}}}},
                           .priority = 1,
                           .is_multi = true});
  return area;
}

void writeAll(const std::filesystem::path& directory) {
  const gs::TriangleMesh mesh = bumpyGround();
  std::filesystem::create_directories(directory);
  gs::writeFileAtomically(directory / "mesh.glb", gs::encodeGlb(mesh));
  gs::writeFileAtomically(
      directory / "bare_mesh.glb",
      gs::encodeGlb({.positions = mesh.positions, .triangles = mesh.triangles}));
  gs::writeFileAtomically(directory / "empty_mesh.glb", gs::encodeGlb({}));
  gs::writeFileAtomically(directory / "compact_mesh.glb", gs::encodeCompactGlb(mesh));
  gs::writeFileAtomically(directory / "empty_compact_mesh.glb", gs::encodeCompactGlb({}));
  gs::MapCloud cloud = gs::sampleMesh(mesh, 0.1);
  cloud.colors.assign(cloud.size(), {90, 100, 110});
  gs::writeFileAtomically(directory / "tsdf_mesh.glb",
                          gs::encodeGlb(gs::buildTsdfMesh(cloud, {.voxel_size = 0.1})));
  gs::writeFileAtomically(directory / "poisson_mesh.glb",
                          gs::encodeGlb(gs::buildPoissonMesh(cloud, {.voxel_size = 0.1})));
  gs::writeFileAtomically(directory / "drivable.geojson",
                          gs::writeDrivable(roadWithIslandAndTwoYards()));
  gs::writeFileAtomically(directory / "empty_drivable.geojson", gs::writeDrivable({}));
  gs::writePcd(
      {.positions = mesh.positions, .intensity = std::vector<float>(mesh.positions.size(), 17.5f)},
      directory / "cloud.pcd");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_peer_files <directory>\n");
    return 1;
  }
  try {
    writeAll(argv[1]);
    return 0;
  } catch (const gs::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
