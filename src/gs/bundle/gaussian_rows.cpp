// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_rows.hpp"

#include <algorithm>
#include <cstring>

#include "gs/core/check.hpp"
#include "gs/core/file.hpp"
#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr size_t kChunkBytes = size_t{4} << 20;  // interleaved by all threads, written by one
constexpr size_t kRowsPerTask = 512;

std::string headerText(const GaussianRowLayout& layout, size_t count) {
  std::string text =
      "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(count) + "\n";
  for (const std::string& name : layout.names) text += "property float " + name + "\n";
  return text + "end_header\n";
}

// Rows [begin, end) of the cloud as the file stores them.
void interleave(const GaussianRowLayout& layout, const GaussianCloud& cloud, size_t begin,
                size_t end, float* rows) {
  const auto arrays = scalarArrays(cloud);
  const size_t stride = layout.names.size();
  const size_t rest = restCount(cloud.sh_degree);
  for (size_t i = begin; i < end; ++i, rows += stride) {
    for (size_t k = 0; k < kScalarCount; ++k) rows[layout.scalar_at[k]] = (*arrays[k])[i];
    if (rest > 0)
      std::memcpy(rows + layout.rest_at, cloud.sh_rest.data() + i * rest, rest * sizeof(float));
  }
}

template <typename Floats, typename Cloud>
std::array<Floats*, kScalarCount> arraysOf(Cloud& cloud) {
  return {&cloud.position[0],  &cloud.position[1],  &cloud.position[2],   &cloud.log_scale[0],
          &cloud.log_scale[1], &cloud.log_scale[2], &cloud.rotation[0],   &cloud.rotation[1],
          &cloud.rotation[2],  &cloud.rotation[3],  &cloud.logit_opacity, &cloud.sh_dc[0],
          &cloud.sh_dc[1],     &cloud.sh_dc[2]};
}

}  // namespace

std::array<GaussianCloud::Floats*, kScalarCount> scalarArrays(GaussianCloud& cloud) {
  return arraysOf<GaussianCloud::Floats>(cloud);
}

std::array<const GaussianCloud::Floats*, kScalarCount> scalarArrays(const GaussianCloud& cloud) {
  return arraysOf<const GaussianCloud::Floats>(cloud);
}

std::string restName(size_t index) { return "f_rest_" + std::to_string(index); }

void writeGaussianRows(const std::filesystem::path& path, const GaussianRowLayout& layout,
                       const GaussianCloud& cloud) {
  GS_CHECK(cloud.sh_rest.size() == (cloud.size() * restCount(cloud.sh_degree)));
  for (const auto* array : scalarArrays(cloud)) GS_CHECK(array->size() == cloud.size());
  AtomicFile file(path);
  file.write(asBytes(headerText(layout, cloud.size())));
  const size_t stride = layout.names.size();
  const size_t chunk = std::min(cloud.size(), kChunkBytes / sizeof(float) / stride);
  std::vector<float> rows(chunk * stride, 0.f);  // columns that are no attribute stay zero
  for (size_t first = 0; first < cloud.size(); first += chunk) {
    const size_t count = std::min(chunk, cloud.size() - first);
    parallelFor(count, kRowsPerTask, [&](size_t begin, size_t end) {
      interleave(layout, cloud, first + begin, first + end, rows.data() + begin * stride);
    });
    file.write(std::as_bytes(std::span(rows).first(count * stride)));
  }
  file.commit();
}

}  // namespace gs
