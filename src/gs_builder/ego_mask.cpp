// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/ego_mask.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gs_builder {
namespace {

constexpr int kCell = 4;  // px: noise of single pixels is not change
constexpr size_t kMinImages = 12, kMaxImages = 32;
constexpr double kMinDistance = 2;  // m between two images
constexpr double kStill = 2.0;      // grey levels of 255, standard deviation
constexpr double kMinArea = 0.003;  // of the image; less is dirt
constexpr double kMaxArea = 0.6;    // more is a camera that looks at nothing

// Images of a camera from different places, evenly over the drive.
std::vector<size_t> chooseImages(const gs::TrainingSet& set, const std::string& camera) {
  std::vector<size_t> apart;
  for (size_t i = 0; i < set.images.size(); ++i) {
    if (set.images[i].camera_id != camera) continue;
    const gs::Vec3& place = set.images[i].map_from_camera.translation;
    if (apart.empty() ||
        (place - set.images[apart.back()].map_from_camera.translation).norm() >= kMinDistance)
      apart.push_back(i);
  }
  if (apart.size() <= kMaxImages) return apart;
  std::vector<size_t> chosen;
  for (size_t k = 0; k < kMaxImages; ++k) chosen.push_back(apart[k * apart.size() / kMaxImages]);
  return chosen;
}

// Mean brightness of cells.
std::vector<float> cellsOf(const gs::Image8& image, int columns, int rows) {
  std::vector<float> cells(static_cast<size_t>(columns) * rows);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int sum = 0;
      for (int y = row * kCell; y < (row + 1) * kCell; ++y)
        for (int x = column * kCell; x < (column + 1) * kCell; ++x)
          for (int c = 0; c < 3; ++c) sum += image.at(x, y)[c];
      cells[static_cast<size_t>(row) * columns + column] =
          static_cast<float>(sum) / (3 * kCell * kCell);
    }
  return cells;
}

}  // namespace

EgoMasks findEgoMasks(const gs::TrainingSet& set) {
  std::map<std::string, gs::Camera> cameras;
  for (const gs::TrainingImage& image : set.images) cameras[image.camera_id] = image.camera;
  EgoMasks masks;
  for (const auto& [id, camera] : cameras) {
    const std::vector<size_t> chosen = chooseImages(set, id);
    const int columns = camera.width / kCell, rows = camera.height / kCell;
    if (chosen.size() < kMinImages || columns == 0 || rows == 0) continue;
    const size_t count = static_cast<size_t>(columns) * rows;
    std::vector<double> sums(count, 0), squares(count, 0);
    size_t used = 0;
    for (const size_t i : chosen) {
      const gs::Image8 image = set.load_image(i);
      if (image.width != camera.width || image.height != camera.height || image.channels != 3)
        continue;
      ++used;
      const std::vector<float> cells = cellsOf(image, columns, rows);
      for (size_t k = 0; k < count; ++k) {
        sums[k] += cells[k];
        squares[k] += static_cast<double>(cells[k]) * cells[k];
      }
    }
    if (used < kMinImages) continue;
    const auto n = static_cast<double>(used);
    const auto isStill = [&](size_t k) {
      return squares[k] / n - sums[k] / n * (sums[k] / n) < kStill * kStill;
    };
    // Upwards and sideways from the lowest row.
    std::vector<uint8_t> is_body(count, 0);
    std::vector<size_t> open;
    const auto visit = [&](int x, int y) {
      const size_t k = static_cast<size_t>(y) * columns + x;
      if (x < 0 || y < 0 || x >= columns || y >= rows || is_body[k] != 0 || !isStill(k)) return;
      is_body[k] = 1;
      open.push_back(k);
    };
    for (int x = 0; x < columns; ++x) visit(x, rows - 1);
    size_t area = 0;
    for (; !open.empty(); ++area) {
      const auto k = static_cast<int>(open.back());
      open.pop_back();
      const int x = k % columns, y = k / columns;
      visit(x - 1, y), visit(x + 1, y), visit(x, y - 1), visit(x, y + 1);
    }
    const double part = static_cast<double>(area) / static_cast<double>(count);
    if (part < kMinArea || part > kMaxArea) continue;
    gs::Image8 mask(camera.width, camera.height, 1);
    for (int y = 0; y < camera.height; ++y)
      for (int x = 0; x < camera.width; ++x) {
        // A cell more at its edge, where body and road are mixed.
        bool is_near = false;
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx) {
            const int cx = std::min(x / kCell, columns - 1) + dx;
            const int cy = std::min(y / kCell, rows - 1) + dy;
            is_near = is_near || (cx >= 0 && cy >= 0 && cx < columns && cy < rows &&
                                  is_body[static_cast<size_t>(cy) * columns + cx] != 0);
          }
        *mask.at(x, y) = is_near ? 255 : 0;
      }
    masks[id] = std::move(mask);
  }
  return masks;
}

void addEgoMasks(const EgoMasks& masks, gs::TrainingSet& set) {
  if (masks.empty()) return;
  std::vector<std::string> ids;
  for (const gs::TrainingImage& image : set.images) ids.push_back(image.camera_id);
  set.load_mask = [masks, ids = std::move(ids), other = std::move(set.load_mask)](size_t i) {
    gs::Image8 mask = other ? other(i) : gs::Image8();
    const auto body = masks.find(ids[i]);
    if (body == masks.end()) return mask;
    if (mask.pixels.empty()) {
      mask = gs::Image8(body->second.width, body->second.height, 1);
      std::fill(mask.pixels.begin(), mask.pixels.end(), uint8_t{255});
    }
    for (size_t k = 0; k < mask.pixels.size() && k < body->second.pixels.size(); ++k)
      if (body->second.pixels[k] != 0) mask.pixels[k] = 0;
    return mask;
  };
}

}  // namespace gs_builder
