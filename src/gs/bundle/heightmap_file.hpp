// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gs/bundle/heightmap.hpp"
#include "gs/core/bytes.hpp"
#include "gs/core/fields.hpp"

namespace gs {

// geometry/heightmap.yaml: how to read the bare floats of geometry/heightmap.bin. min_height and
// max_height are what the file claims; the samples may say otherwise (compare with rangeOf).
struct HeightmapMeta {
  struct Origin {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    static void fields(auto& self, auto&& visit) {
      visit("x", self.x, {.is_required = true});
      visit("y", self.y, {.is_required = true});
      visit("z", self.z);
    }
    bool operator==(const Origin&) const = default;
  };

  std::string version = "1.0.0";
  int width = 0;
  int height = 0;
  double resolution = 0.0;
  Origin origin;
  std::optional<double> min_height;  // absent when no sample is known
  std::optional<double> max_height;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("width", self.width, {.is_required = true});
    visit("height", self.height, {.is_required = true});
    visit("resolution", self.resolution, {.is_required = true});
    visit("origin", self.origin, {.is_required = true});
    visit("min_height", self.min_height);
    visit("max_height", self.max_height);
  }
  bool operator==(const HeightmapMeta&) const = default;
};

// heightmap.bin: little-endian float32 rows, nothing else. Throws gs::Error (HEIGHTMAP_INVALID,
// component "heightmap") with details.problem "grid" (width or height below 1), "resolution" (not
// above zero), "origin" (not finite) or "size" (not width * height * 4 bytes; nothing is allocated
// before that is known).
Heightmap readHeightmapSamples(const ByteSource& source, const HeightmapMeta& meta);

HeightmapMeta metaOf(const Heightmap& map);

// Each file atomically, the samples first: a meta file never describes samples that are not there.
void writeHeightmap(const Heightmap& map, const std::filesystem::path& bin_path,
                    const std::filesystem::path& yaml_path);

}  // namespace gs
