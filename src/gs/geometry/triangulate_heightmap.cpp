// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/triangulate_heightmap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr int kBlock = 256;  // samples along a side of the largest triangles
constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr uint32_t kNoVertex = 0xffffffff;

// The network's hierarchy. At spacing s there are two kinds of points where a triangle may be
// split: middles of horizontal or vertical edges of length 2s (one of x/s, y/s is odd), and centres
// of squares of side 2s (both odd), which split that square's diagonal.
class Network {
 public:
  explicit Network(const Heightmap& map)
      : map_(map),
        columns_((map.width - 2) / kBlock + 1),
        rows_((map.height - 2) / kBlock + 1),
        width_(columns_ * kBlock + 1),
        height_(rows_ * kBlock + 1),
        error_(static_cast<size_t>(width_) * height_, 0.0f) {
    for (int s = 1; 2 * s <= kBlock; s *= 2) {
      rateEdges(s);
      rateCentres(s);
    }
  }

  void emit(float tolerance, HeightmapTriangles& out) {
    vertex_of_.assign(map_.samples.size(), kNoVertex);
    out.positions.clear();
    out.triangles.clear();
    for (int j = 0; j < rows_; ++j)
      for (int i = 0; i < columns_; ++i) {
        const int x = i * kBlock, y = j * kBlock;
        const Point low_left{x, y}, low_right{x + kBlock, y}, up_left{x, y + kBlock},
            up_right{x + kBlock, y + kBlock};
        if (isRising(i, j)) {
          split(up_right, low_left, low_right, tolerance, out);
          split(low_left, up_right, up_left, tolerance, out);
        } else {
          split(up_left, low_right, up_right, tolerance, out);
          split(low_right, up_left, low_left, tolerance, out);
        }
      }
  }

 private:
  struct Point {
    int x, y;
  };

  // Diagonals of neighbouring squares mirror each other: they meet where the square above is split.
  static bool isRising(int i, int j) { return (i + j) % 2 == 0; }

  float sample(int x, int y) const {
    const float z = x < map_.width && y < map_.height ? map_.at(x, y) : std::nanf("");
    return std::isfinite(z) ? z : std::nanf("");
  }
  float errorAt(int x, int y) const {
    return x >= 0 && y >= 0 && x < width_ && y < height_
               ? error_[static_cast<size_t>(y) * width_ + x]
               : 0.0f;
  }
  // Of leaving out the middle between a and b. Where some are NaN and some are not, infinite.
  float errorOfMiddle(int x, int y, int dx, int dy) const {
    const float middle = sample(x, y), a = sample(x - dx, y - dy), b = sample(x + dx, y + dy);
    const int holes = std::isnan(middle) + std::isnan(a) + std::isnan(b);
    if (holes == 3) return 0;
    return holes > 0 ? kInfinite : std::abs((a + b) / 2 - middle);
  }
  void store(int x, int y, float own, std::array<float, 4> below) {
    for (const float error : below) own = std::max(own, error);
    error_[static_cast<size_t>(y) * width_ + x] = own;
  }

  void rateEdges(int s) {
    const int h = s / 2;
    forEachRow(s, 0, [&](int y) {
      const bool is_row_odd = (y / s) % 2 != 0;
      for (int x = is_row_odd ? 0 : s; x < width_; x += 2 * s) {
        std::array<float, 4> below{};
        if (h > 0)
          below = {errorAt(x - h, y - h), errorAt(x + h, y - h), errorAt(x - h, y + h),
                   errorAt(x + h, y + h)};
        store(x, y, errorOfMiddle(x, y, is_row_odd ? 0 : s, is_row_odd ? s : 0), below);
      }
    });
  }
  void rateCentres(int s) {
    forEachRow(2 * s, s, [&](int y) {
      for (int x = s; x < width_; x += 2 * s) {
        const int slope = isRising(x / (2 * s), y / (2 * s)) ? s : -s;
        store(x, y, errorOfMiddle(x, y, s, slope),
              {errorAt(x - s, y), errorAt(x + s, y), errorAt(x, y - s), errorAt(x, y + s)});
      }
    });
  }
  template <typename Body>
  void forEachRow(int step, int first, const Body& body) const {
    const auto count = static_cast<size_t>((height_ - 1 - first) / step + 1);
    parallelFor(count, 16, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) body(first + static_cast<int>(i) * step);
    });
  }

  // The triangle with right angle at c and longest edge a-b.
  void split(Point a, Point b, Point c, float tolerance, HeightmapTriangles& out) {
    const bool is_half_cell = std::abs(a.x - b.x) == 1;  // its longest edge is a cell's diagonal
    const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (!is_half_cell && errorAt(middle.x, middle.y) > tolerance) {
      split(c, a, middle, tolerance, out);
      split(b, c, middle, tolerance, out);
      return;
    }
    if (std::isnan(sample(a.x, a.y)) || std::isnan(sample(b.x, b.y)) ||
        std::isnan(sample(c.x, c.y)))
      return;
    out.triangles.push_back({vertexAt(a, out), vertexAt(b, out), vertexAt(c, out)});
  }

  uint32_t vertexAt(Point p, HeightmapTriangles& out) {
    uint32_t& vertex = vertex_of_[static_cast<size_t>(p.y) * map_.width + p.x];
    if (vertex == kNoVertex) {
      vertex = static_cast<uint32_t>(out.positions.size());
      out.positions.push_back(
          {static_cast<float>(map_.origin_x + p.x * map_.resolution - out.origin.x()),
           static_cast<float>(map_.origin_y + p.y * map_.resolution - out.origin.y()),
           map_.at(p.x, p.y)});
    }
    return vertex;
  }

  const Heightmap& map_;
  int columns_, rows_;  // of blocks
  int width_, height_;  // of samples, up to whole blocks
  std::vector<float> error_;
  std::vector<uint32_t> vertex_of_;
};

}  // namespace

HeightmapTriangles triangulate(const Heightmap& map, const TriangulationOptions& options) {
  HeightmapTriangles out{.tolerance = options.tolerance};
  if (map.width < 2 || map.height < 2) return out;
  out.origin = {std::round(map.origin_x + map.resolution * map.width / 2),
                std::round(map.origin_y + map.resolution * map.height / 2), 0.0};
  Network network(map);
  network.emit(static_cast<float>(out.tolerance), out);
  while (out.triangles.size() > options.max_triangles && out.tolerance < 1e3) {
    out.tolerance *= 2;
    network.emit(static_cast<float>(out.tolerance), out);
  }
  return out;
}

}  // namespace gs
