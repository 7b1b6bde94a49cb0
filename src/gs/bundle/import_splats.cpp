// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/import_splats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/gaussian_columns.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/ply.hpp"
#include "gs/formats/splat.hpp"
#include "gs/formats/spz.hpp"

namespace gs {
namespace {

constexpr size_t kSplatsPerTask = 4096;
constexpr float kShC0 = 0.28209479177387814f;  // 1 / (2 sqrt(pi))

[[noreturn]] void refuse(const ByteSource& source, const std::string& what,
                         const std::string& suggestion) {
  throw Error({.code = ErrorCode::InputInvalid,
               .component = "import",
               .message = "'" + source.name() + "' " + what,
               .details = {{"file", source.name()}},
               .suggestion = suggestion});
}

GaussianCloud sizedCloud(size_t count, int sh_degree) {
  GaussianCloud cloud;
  cloud.sh_degree = sh_degree;
  cloud.resize(count);
  return cloud;
}

// ASCII, big endian, or attributes that are not floats: slower, one value at a time.
GaussianCloud readAnyPly(const ByteSource& source, const PlyHeader& header,
                         const GaussianColumns& columns, RotationOrder order) {
  std::vector<size_t> wanted(columns.scalar.begin(), columns.scalar.end());
  if (order == RotationOrder::Wxyz)
    std::rotate(wanted.begin() + kRotationAt, wanted.begin() + kRotationAt + 1,
                wanted.begin() + kRotationAt + 4);
  wanted.insert(wanted.end(), columns.rest.begin(), columns.rest.end());
  const PlyElement& vertex = *header.findElement("vertex");
  GaussianCloud cloud;
  cloud.sh_degree = columns.sh_degree;
  const auto put = [&](uint64_t first, std::span<const float> values) {
    // Not before: by now the reader has compared the count with the file's size.
    if (first == 0) cloud.resize(static_cast<size_t>(vertex.count));
    const auto arrays = scalarArrays(cloud);
    const size_t rest = columns.rest.size();
    for (size_t i = first; !values.empty(); ++i, values = values.subspan(wanted.size())) {
      for (size_t k = 0; k < kScalarCount; ++k) (*arrays[k])[i] = values[k];
      std::copy_n(values.begin() + kScalarCount, rest, cloud.sh_rest.begin() + i * rest);
    }
  };
  readPlyColumns(source, header, vertex, wanted, put, "gaussians");
  return cloud;
}

ImportedSplats importPly(const ByteSource& source, const ImportOptions& options) {
  const PlyHeader header = readPlyHeader(source, "gaussians");
  const PlyElement* vertex = header.findElement("vertex");
  const bool is_packed = vertex != nullptr && vertex->findProperty("packed_position");
  if (is_packed || header.findElement("chunk") != nullptr)
    refuse(
        source, "is a compressed PLY of SuperSplat, whose splats are quantised in chunks",
        "Convert it to an ordinary PLY first, for example with `splat-transform in.compressed.ply "
        "out.ply`.");
  const GaussianColumns columns = findGaussianColumns(source, header);
  const RotationOrder order = options.rotation.value_or(
      columns.has_specified_order ? RotationOrder::Xyzw : RotationOrder::Wxyz);
  const bool is_direct = header.format == PlyFormat::BinaryLittleEndian && columns.is_all_float;
  ImportedSplats imported;
  imported.format = "PLY " + std::string(toString(header.format));
  imported.cloud = is_direct ? readGaussianPly(source, {.rotation = order})
                             : readAnyPly(source, header, columns, order);
  imported.notes.push_back(order == RotationOrder::Xyzw
                               ? "Quaternions were read as x, y, z, w, as world bundles store them."
                               : "Quaternions were read as w, x, y, z.");
  if (!columns.ignored.empty()) {
    std::string names;
    for (const std::string& name : columns.ignored) names += (names.empty() ? "" : ", ") + name;
    imported.notes.push_back(
        "Properties that splats do not need were ignored: " + names.substr(0, 200) + ".");
  }
  return imported;
}

ImportedSplats importSplatFile(const ByteSource& source) {
  ImportedSplats imported{.cloud = sizedCloud(countSplatRecords(source), 0), .format = "SPLAT"};
  GaussianCloud& cloud = imported.cloud;
  readSplatRecords(source, [&cloud](uint64_t first, std::span<const SplatRecord> records) {
    for (size_t n = 0; n < records.size(); ++n) {
      const SplatRecord& record = records[n];
      const size_t i = first + n;
      for (size_t axis = 0; axis < 3; ++axis) {
        cloud.position[axis][i] = record.position[axis];
        cloud.log_scale[axis][i] = logFromScale(record.scale[axis]);
        cloud.sh_dc[axis][i] = (static_cast<float>(record.rgba[axis]) / 255.f - 0.5f) / kShC0;
      }
      const auto rotation = record.rotationXyzw();
      for (size_t k = 0; k < 4; ++k) cloud.rotation[k][i] = rotation[k];
      cloud.logit_opacity[i] = logitFromOpacity(static_cast<float>(record.rgba[3]) / 255.f);
    }
  });
  return imported;
}

// Half a turn round x negates y and z: a basis function of the spherical harmonics changes sign
// with the number of y and z among its factors. In the order of the coefficients after the first:
//   y z x | xy yz zz xz xx-yy | y(..) xyz y(..) z(..) x(..) z(..) x(..)
constexpr std::array<float, 15> kHalfTurnSh{-1, -1, 1, -1, 1, 1, -1, 1, -1, 1, -1, -1, 1, -1, 1};

ImportedSplats importSpz(const ByteSource& source, const ImportOptions& options) {
  const SpzFile file(source);
  ImportedSplats imported{.cloud = sizedCloud(file.size(), file.shDegree()),
                          .format = "SPZ version " + std::to_string(file.version())};
  GaussianCloud& cloud = imported.cloud;
  const bool turns = !options.keeps_spz_axes;
  const std::array<float, 3> flip{1.f, turns ? -1.f : 1.f, turns ? -1.f : 1.f};
  const size_t coefficients = restCount(file.shDegree()) / 3;
  parallelFor(file.size(), kSplatsPerTask, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const SpzSplat splat = file.at(i);
      for (size_t axis = 0; axis < 3; ++axis) {
        cloud.position[axis][i] = flip[axis] * splat.position[axis];
        cloud.log_scale[axis][i] = splat.log_scale[axis];
        cloud.rotation[axis][i] = flip[axis] * splat.rotation[axis];
        cloud.sh_dc[axis][i] = splat.sh_dc[axis];
      }
      cloud.rotation[3][i] = splat.rotation[3];
      cloud.logit_opacity[i] = logitFromOpacity(splat.opacity);
      float* rest = cloud.sh_rest.data() + i * 3 * coefficients;
      for (size_t channel = 0; channel < 3; ++channel)
        for (size_t k = 0; k < coefficients; ++k)
          *rest++ = (turns ? kHalfTurnSh[k] : 1.f) * splat.sh_rest[k][channel];
    }
  });
  imported.notes.push_back(turns ? "Axes were turned from right, up, back to right, down, forward."
                                 : "Axes were kept: right, up, back.");
  if (file.hasDroppedBand())
    imported.notes.push_back("Spherical harmonics of degree 4 were reduced to degree 3.");
  return imported;
}

enum class Verdict : uint8_t { Keep, Normalized, NonFinite, ZeroRotation };

Verdict judge(GaussianCloud& cloud, size_t i) {
  if (!isFinite(cloud, i)) return Verdict::NonFinite;
  const double length = rotationLength(cloud, i);
  if (!(length > 0)) return Verdict::ZeroRotation;
  if (std::abs(length - 1) <= kUnitTolerance) return Verdict::Keep;  // not a bit changes
  for (auto& axis : cloud.rotation) axis[i] = static_cast<float>(axis[i] / length);
  return Verdict::Normalized;
}

// Moves splat `from` to the earlier place `to`.
void moveSplat(GaussianCloud& cloud, size_t from, size_t to) {
  for (auto* array : scalarArrays(cloud)) (*array)[to] = (*array)[from];
  const size_t rest = restCount(cloud.sh_degree);
  std::copy_n(cloud.sh_rest.begin() + from * rest, rest, cloud.sh_rest.begin() + to * rest);
}

void keepSoundSplats(ImportedSplats& imported) {
  GaussianCloud& cloud = imported.cloud;
  std::vector<Verdict> verdicts(cloud.size());
  parallelFor(cloud.size(), kSplatsPerTask, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) verdicts[i] = judge(cloud, i);
  });
  size_t kept = 0;
  for (size_t i = 0; i < verdicts.size(); ++i) {
    imported.dropped_non_finite += verdicts[i] == Verdict::NonFinite;
    imported.dropped_zero_rotation += verdicts[i] == Verdict::ZeroRotation;
    imported.normalized_rotations += verdicts[i] == Verdict::Normalized;
    if (verdicts[i] > Verdict::Normalized) continue;
    if (kept != i) moveSplat(cloud, i, kept);
    ++kept;
  }
  cloud.resize(kept);
}

bool hasExtension(const ByteSource& source, std::string_view extension) {
  std::string own = std::filesystem::path(source.name()).extension().string();
  std::transform(own.begin(), own.end(), own.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return own == extension;
}

ImportedSplats decode(const ByteSource& source, const ImportOptions& options) {
  std::string start(4, '\0');
  start.resize(source.readSomeAt(0, std::as_writable_bytes(std::span(start.data(), start.size()))));
  if (start == "ply\n" || start == "ply\r") return importPly(source, options);
  if (start.starts_with("\x1f\x8b\x08")) return importSpz(source, options);
  if (start == "NGSP")
    refuse(source, "is an SPZ file of version 4 or later, which is not gzip any more",
           "Save it as SPZ version 3 or as PLY.");
  if (start == "PK\x03\x04" && hasExtension(source, ".npz"))
    refuse(source, "is an NPZ archive of NumPy arrays, whose names and meaning differ by program",
           "Export the splats as PLY from the program that wrote it, and import that.");
  if (start == "PK\x03\x04" && !hasExtension(source, ".splat"))
    refuse(source, "is a ZIP archive (a SOG file or a model archive), not a file of splats",
           "Convert it to PLY first, for example with `splat-transform in.sog out.ply`.");
  if (hasExtension(source, ".splat")) return importSplatFile(source);
  refuse(source, "is no splat file that is known here",
         "Give a 3DGS PLY (binary or ASCII), a .splat or a .spz file.");
}

}  // namespace

ImportedSplats importSplats(const ByteSource& source, const ImportOptions& options) {
  ImportedSplats imported = decode(source, options);
  keepSoundSplats(imported);
  return imported;
}

void exportInriaPly(const std::filesystem::path& path, const GaussianCloud& cloud) {
  GaussianRowLayout layout;
  const auto add = [&layout](size_t scalar, std::string_view name) {
    layout.scalar_at[scalar] = layout.names.size();
    layout.names.emplace_back(name);
  };
  for (size_t k = 0; k < 3; ++k) add(k, kScalarNames[k]);
  for (const char* normal : {"nx", "ny", "nz"}) layout.names.emplace_back(normal);
  for (size_t k = 11; k < 14; ++k) add(k, kScalarNames[k]);  // f_dc
  layout.rest_at = layout.names.size();
  for (size_t i = 0; i < restCount(cloud.sh_degree); ++i) layout.names.push_back(restName(i));
  add(10, kScalarNames[10]);                               // opacity
  for (size_t k = 3; k < 6; ++k) add(k, kScalarNames[k]);  // scale
  add(kRotationAt + 3, "rot_0");                           // w comes first
  for (size_t k = 0; k < 3; ++k) add(kRotationAt + k, "rot_" + std::to_string(k + 1));
  writeGaussianRows(path, layout, cloud);
}

}  // namespace gs
