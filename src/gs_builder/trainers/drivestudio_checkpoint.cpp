// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/trainers/drivestudio_checkpoint.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs/core/error.hpp"
#include "gs/core/parallel.hpp"
#include "gs/formats/torch_checkpoint.hpp"
#include "gs/render/transform_cloud.hpp"

namespace gs_builder {
namespace {

[[noreturn]] void fail(const std::string& file, const std::string& why) {
  throw gs::Error({.code = gs::ErrorCode::InputInvalid,
                   .component = "drivestudio",
                   .message = "'" + file + "': " + why,
                   .details = {{"file", file}},
                   .suggestion = "Use a checkpoint of DriveStudio with a Background model."});
}

gs::TorchTensor columnsOf(const gs::TorchCheckpoint& checkpoint, const char* key, uint64_t columns,
                          const std::string& file) {
  auto tensor = checkpoint.findTensor({"models", "Background", key});
  if (!tensor) fail(file, fmt::format("models/Background/{} is not there", key));
  uint64_t width = 1;
  for (size_t i = 1; i < tensor->shape.size(); ++i) width *= tensor->shape[i];
  if (tensor->shape.empty() || width != columns)
    fail(file, fmt::format("models/Background/{} has {} numbers per splat instead of {}", key,
                           width, columns));
  return std::move(*tensor);
}

// Colour of a cube map along a direction, with the faces and axes of OpenGL.
std::array<float, 3> cubeColor(const gs::TorchTensor& cube, const gs::Vec3& d) {
  const gs::Vec3 size = d.cwiseAbs();
  int face = 0;
  double s = 0, t = 0, major = 1;
  if (size.z() > std::max(size.x(), size.y())) {
    face = d.z() > 0 ? 4 : 5;
    s = d.z() > 0 ? d.x() : -d.x();
    t = -d.y();
    major = size.z();
  } else if (size.y() > size.x()) {
    face = d.y() > 0 ? 2 : 3;
    s = d.x();
    t = d.y() > 0 ? d.z() : -d.z();
    major = size.y();
  } else {
    face = d.x() > 0 ? 0 : 1;
    s = d.x() > 0 ? -d.z() : d.z();
    t = -d.y();
    major = size.x();
  }
  const auto edge = static_cast<int>(cube.shape[1]);
  const auto place = [&](double v) {
    return std::clamp((v / major + 1) / 2 * edge - 0.5, 0.0, edge - 1.0);
  };
  const double x = place(s), y = place(t);
  const int x0 = std::min(static_cast<int>(x), std::max(0, edge - 2));
  const int y0 = std::min(static_cast<int>(y), std::max(0, edge - 2));
  const int x1 = std::min(x0 + 1, edge - 1), y1 = std::min(y0 + 1, edge - 1);
  std::array<float, 3> color{};
  for (size_t c = 0; c < 3; ++c) {
    const auto at = [&](int column, int row) -> double {
      return cube.values[(static_cast<size_t>(face * edge + row) * edge + column) * 3 + c];
    };
    color[c] =
        static_cast<float>((1 - (y - y0)) * ((1 - (x - x0)) * at(x0, y0) + (x - x0) * at(x1, y0)) +
                           (y - y0) * ((1 - (x - x0)) * at(x0, y1) + (x - x0) * at(x1, y1)));
  }
  return color;
}

gs::Image8 skyOf(const gs::TorchCheckpoint& checkpoint, const gs::Rigid3& map_from_world) {
  const auto cube = checkpoint.findTensor({"models", "Sky", "base"});
  if (!cube || cube->shape.size() != 4 || cube->shape[0] != 6 || cube->shape[1] == 0 ||
      cube->shape[1] > 8192 || cube->shape[1] != cube->shape[2] || cube->shape[3] != 3)
    return {};
  gs::Image8 sky(1024, 512, 3);
  gs::parallelFor(static_cast<size_t>(sky.height), 16, [&](size_t begin, size_t end) {
    for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
      for (int x = 0; x < sky.width; ++x) {
        const double yaw = -2 * M_PI * ((x + 0.5) / sky.width - 0.5);
        const double pitch = M_PI * (0.5 - (y + 0.5) / sky.height);
        const gs::Vec3 in_map(std::cos(pitch) * std::cos(yaw), std::cos(pitch) * std::sin(yaw),
                              std::sin(pitch));
        const gs::Vec3 d = map_from_world.rotation.conjugate() * in_map;
        // DriveStudio looks its sky up along (x, z, -y).
        const auto color = cubeColor(*cube, gs::Vec3(d.x(), d.z(), -d.y()));
        for (size_t c = 0; c < 3; ++c)
          sky.at(x, y)[c] = static_cast<uint8_t>(
              std::lround(255 * (color[c] >= 0 ? std::min(color[c], 1.0f) : 0.0f)));
      }
  });
  return sky;
}

}  // namespace

ForeignResult readDriveStudioCheckpoint(const std::filesystem::path& file,
                                        const gs::Rigid3& map_from_world) {
  const gs::TorchCheckpoint checkpoint(gs::openFile(file));
  const std::string name = file.string();
  const auto means = columnsOf(checkpoint, "_means", 3, name);
  const auto scales = columnsOf(checkpoint, "_scales", 3, name);
  const auto quats = columnsOf(checkpoint, "_quats", 4, name);
  const auto opacities = columnsOf(checkpoint, "_opacities", 1, name);
  const auto dc = columnsOf(checkpoint, "_features_dc", 3, name);
  const auto rest = checkpoint.findTensor({"models", "Background", "_features_rest"});
  const size_t count = means.shape[0];
  for (const gs::TorchTensor* tensor : {&scales, &quats, &opacities, &dc})
    if (tensor->shape[0] != count) fail(name, "its tensors have different numbers of splats");
  int degree = 0;
  if (rest && rest->values.size() > 0) {
    while (degree <= gs::kMaxShDegree && rest->values.size() != count * gs::restCount(degree))
      ++degree;
    if (degree > gs::kMaxShDegree || rest->shape.size() != 3 || rest->shape[2] != 3)
      fail(name, "_features_rest does not fit a degree of spherical harmonics");
  }

  ForeignResult result;
  gs::GaussianCloud& cloud = result.cloud;
  cloud.sh_degree = degree;
  cloud.resize(count);
  const size_t rest_count = gs::restCount(degree), per_channel = rest_count / 3;
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const auto row = [i](const gs::TorchTensor& tensor, size_t columns) {
      return tensor.values.data() + i * columns;
    };
    const float* q = row(quats, 4);  // w, x, y, z
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    bool is_sound = std::isfinite(length) && length > 1e-6 && std::isfinite(opacities.values[i]);
    for (size_t k = 0; k < 3; ++k)
      is_sound = is_sound && std::isfinite(row(means, 3)[k]) && std::isfinite(row(scales, 3)[k]) &&
                 std::isfinite(row(dc, 3)[k]);
    for (size_t k = 0; k < rest_count; ++k)
      is_sound = is_sound && std::isfinite(rest->values[i * rest_count + k]);
    if (!is_sound) continue;
    for (size_t k = 0; k < 3; ++k) {
      cloud.position[k][kept] = row(means, 3)[k];
      cloud.log_scale[k][kept] = row(scales, 3)[k];
      cloud.sh_dc[k][kept] = row(dc, 3)[k];
      cloud.rotation[k][kept] = static_cast<float>(q[k + 1] / length);
      for (size_t c = 0; c < per_channel; ++c)  // [coefficient][channel] becomes channel-major
        cloud.sh_rest[kept * rest_count + k * per_channel + c] =
            rest->values[i * rest_count + c * 3 + k];
    }
    cloud.rotation[3][kept] = static_cast<float>(q[0] / length);
    cloud.logit_opacity[kept] = opacities.values[i];
    ++kept;
  }
  cloud.resize(kept);
  if (kept == 0) fail(name, "it holds no splat that is a number");
  result.dropped = count - kept;
  gs::transformCloud(map_from_world, cloud);
  result.sky = skyOf(checkpoint, map_from_world);
  result.iteration =
      static_cast<int>(std::clamp(checkpoint.findNumber({"step"}).value_or(0), 0.0, 1e9));
  return result;
}

}  // namespace gs_builder
