// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/heightmap_file.hpp"

#include <cmath>
#include <utility>

#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/write_fields.hpp"

namespace gs {
namespace {

[[noreturn]] void fail(const ByteSource& source, const HeightmapMeta& meta, const char* problem,
                       const std::string& why, uint64_t expected_bytes = 0) {
  throw Error(
      {.code = ErrorCode::HeightmapInvalid,
       .component = "heightmap",
       .message = "'" + source.name() + "' cannot be read as a heightmap: " + why,
       .details = {{"file", source.name()},
                   {"problem", problem},
                   {"width", meta.width},
                   {"height", meta.height},
                   {"resolution", meta.resolution},
                   {"expected_bytes", expected_bytes},
                   {"actual_bytes", source.size()}},
       .suggestion = "Make heightmap.yaml describe heightmap.bin, or build the world again."});
}

}  // namespace

Heightmap readHeightmapSamples(const ByteSource& source, const HeightmapMeta& meta) {
  if (meta.width < 1 || meta.height < 1)
    fail(source, meta, "grid",
         "heightmap.yaml says it is " + std::to_string(meta.width) + " x " +
             std::to_string(meta.height) + " samples");
  if (!(meta.resolution > 0.0) || !std::isfinite(meta.resolution))
    fail(source, meta, "resolution",
         "the resolution in heightmap.yaml is " + std::to_string(meta.resolution) + " m");
  if (!std::isfinite(meta.origin.x) || !std::isfinite(meta.origin.y) ||
      !std::isfinite(meta.origin.z))
    fail(source, meta, "origin", "the origin in heightmap.yaml is not finite");

  // Two positive ints and a 4: at most 2^64 - 2^34 + 4, so this cannot wrap.
  const uint64_t count = static_cast<uint64_t>(meta.width) * static_cast<uint64_t>(meta.height);
  const uint64_t bytes = count * sizeof(float);
  const std::string expectation = std::to_string(meta.width) + " x " + std::to_string(meta.height) +
                                  " samples need " + std::to_string(bytes) +
                                  " bytes, the file has ";
  if (source.size() != bytes)
    fail(source, meta, "size", expectation + std::to_string(source.size()), bytes);

  Heightmap map{.origin_x = meta.origin.x,
                .origin_y = meta.origin.y,
                .origin_z = meta.origin.z,
                .resolution = meta.resolution,
                .width = meta.width,
                .height = meta.height,
                .samples = std::vector<float>(count)};
  if (!source.readAt(0, std::as_writable_bytes(std::span(map.samples))))
    fail(source, meta, "size", expectation + "fewer", bytes);  // it shrank since it was opened
  return map;
}

HeightmapMeta metaOf(const Heightmap& map) {
  HeightmapMeta meta{.width = map.width,
                     .height = map.height,
                     .resolution = map.resolution,
                     .origin = {map.origin_x, map.origin_y, map.origin_z}};
  const HeightRange range = rangeOf(map);
  if (std::isfinite(range.min)) meta.min_height = range.min;
  if (std::isfinite(range.max)) meta.max_height = range.max;
  return meta;
}

void writeHeightmap(const Heightmap& map, const std::filesystem::path& bin_path,
                    const std::filesystem::path& yaml_path) {
  GS_CHECK(map.samples.size() == static_cast<size_t>(map.width) * static_cast<size_t>(map.height));
  writeFileAtomically(bin_path, std::as_bytes(std::span(map.samples)));
  writeFileAtomically(yaml_path, toYamlText(toJson(metaOf(map))));
}

}  // namespace gs
