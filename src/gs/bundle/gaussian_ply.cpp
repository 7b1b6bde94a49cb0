// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_ply.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "gs/bundle/gaussian_columns.hpp"
#include "gs/formats/ply.hpp"

namespace gs {
namespace {

constexpr const char* kComponent = "gaussians";

// What the header says, with the byte offset in a row of every attribute.
struct GaussianTable {
  GaussianPlyInfo info;
  PlyRows rows;
  std::array<size_t, kScalarCount> scalar_offset{};
  std::vector<size_t> rest_offset;
  bool is_rest_contiguous = true;  // f_rest_0, f_rest_1, ... stand side by side
};

GaussianTable readTable(const ByteSource& source) {
  const PlyHeader header = readPlyHeader(source, kComponent);
  if (header.format != PlyFormat::BinaryLittleEndian)
    failGaussianPly(
        source, "format",
        "its format is " + std::string(toString(header.format)) + ", not binary_little_endian",
        "Convert it with `gs-world-builder import`.");
  GaussianColumns columns = findGaussianColumns(source, header);
  if (!columns.is_all_float)
    failGaussianPly(source, "property_missing", "not all of its attributes are floats",
                    "Convert it with `gs-world-builder import`.");
  const PlyElement& vertex = *header.findElement("vertex");
  GaussianTable table;
  for (size_t k = 0; k < kScalarCount; ++k)
    table.scalar_offset[k] = vertex.properties[columns.scalar[k]].offset;
  for (size_t i = 0; i < columns.rest.size(); ++i) {
    table.rest_offset.push_back(vertex.properties[columns.rest[i]].offset);
    table.is_rest_contiguous &= table.rest_offset[i] == table.rest_offset[0] + i * sizeof(float);
  }
  table.rows = findPlyRows(source, header, vertex, kComponent);
  const uint64_t end = table.rows.offset + table.rows.count * table.rows.row_size;
  table.info = {.count = table.rows.count,
                .sh_degree = columns.sh_degree,
                .has_specified_order = columns.has_specified_order,
                .ignored = std::move(columns.ignored),
                .trailing_bytes = source.size() - end};
  return table;
}

float floatAt(const std::byte* at) {
  float value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void copyRest(const GaussianTable& table, Bytes rows, float* out) {
  const size_t count = table.rest_offset.size();
  for (const std::byte* row = rows.data(); row < rows.data() + rows.size();
       row += table.rows.row_size, out += count) {
    if (table.is_rest_contiguous)
      std::memcpy(out, row + table.rest_offset[0], count * sizeof(float));
    else
      for (size_t i = 0; i < count; ++i) out[i] = floatAt(row + table.rest_offset[i]);
  }
}

// Rows of the file into splats [first, ...) of the cloud. Column after column for a few rows at a
// time: those rows stay in the L1 cache and every array is written in one run.
void deinterleave(const GaussianTable& table, Bytes rows, size_t first, GaussianCloud& cloud) {
  constexpr size_t kRowsAtOnce = 64;
  const auto arrays = scalarArrays(cloud);
  const size_t stride = table.rows.row_size;
  const size_t rest = table.rest_offset.size();
  while (!rows.empty()) {
    const size_t count = std::min(kRowsAtOnce, rows.size() / stride);
    const Bytes group = rows.first(count * stride);
    for (size_t k = 0; k < kScalarCount; ++k) {
      float* out = arrays[k]->data() + first;
      const std::byte* in = group.data() + table.scalar_offset[k];
      for (size_t i = 0; i < count; ++i) out[i] = floatAt(in + i * stride);
    }
    if (rest > 0) copyRest(table, group, cloud.sh_rest.data() + first * rest);
    rows = rows.subspan(group.size());
    first += count;
  }
}

void convert(const GaussianEncoding& encoding, size_t begin, size_t end, GaussianCloud& cloud) {
  if (encoding.scale == ScaleEncoding::Linear)
    for (auto& axis : cloud.log_scale)
      for (size_t i = begin; i < end; ++i) axis[i] = logFromScale(axis[i]);
  if (encoding.opacity == OpacityEncoding::Linear)
    for (size_t i = begin; i < end; ++i)
      cloud.logit_opacity[i] = logitFromOpacity(cloud.logit_opacity[i]);
}

}  // namespace

GaussianPlyInfo inspectGaussianPly(const ByteSource& source) { return readTable(source).info; }

GaussianCloud readGaussianPly(const ByteSource& source, const GaussianEncoding& encoding) {
  GaussianTable table = readTable(source);
  if (encoding.rotation == RotationOrder::Wxyz) {
    const auto rotation = table.scalar_offset.begin() + kRotationAt;
    std::rotate(rotation, rotation + 1, rotation + 4);
  }
  GaussianCloud cloud;
  cloud.sh_degree = table.info.sh_degree;
  cloud.resize(static_cast<size_t>(table.rows.count));
  readPlyBlocks(
      source, table.rows,
      [&](uint64_t first, Bytes rows) {
        deinterleave(table, rows, first, cloud);
        convert(encoding, first, first + rows.size() / table.rows.row_size, cloud);
      },
      kComponent);
  return cloud;
}

void writeGaussianPly(const std::filesystem::path& path, const GaussianCloud& cloud) {
  GaussianRowLayout layout;
  for (size_t k = 0; k < kScalarCount; ++k) {
    layout.names.emplace_back(kScalarNames[k]);
    layout.scalar_at[k] = k;
  }
  layout.rest_at = kScalarCount;
  for (size_t i = 0; i < restCount(cloud.sh_degree); ++i) layout.names.push_back(restName(i));
  writeGaussianRows(path, layout, cloud);
}

}  // namespace gs
