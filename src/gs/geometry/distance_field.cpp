// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/distance_field.hpp"

#include <algorithm>

#include "gs/core/parallel.hpp"

namespace gs {
namespace {

constexpr float kFar = 1e12f;

// Lower envelope of the parabolas (x - i)^2 + line[i]: how far is the nearest, one axis at a time.
class LineTransform {
 public:
  void run(std::vector<float>& line) {
    const int n = static_cast<int>(line.size());
    values_ = line;
    places_.resize(n);
    starts_.resize(n + 1);
    int top = -1;
    for (int i = 0; i < n; ++i) {
      if (values_[i] >= kFar) continue;
      double start = -1e30;
      while (top >= 0) {
        const int j = places_[top];
        start = ((static_cast<double>(values_[i]) + static_cast<double>(i) * i) -
                 (static_cast<double>(values_[j]) + static_cast<double>(j) * j)) /
                (2.0 * (i - j));
        if (start > starts_[top]) break;
        --top;
        start = -1e30;
      }
      places_[++top] = i;
      starts_[top] = start;
    }
    if (top < 0) return;  // nothing on this line
    int k = 0;
    for (int x = 0; x < n; ++x) {
      while (k < top && starts_[k + 1] < x) ++k;
      const double d = x - places_[k];
      line[x] = static_cast<float>(d * d + static_cast<double>(values_[places_[k]]));
    }
  }

 private:
  std::vector<float> values_;
  std::vector<int> places_;
  std::vector<double> starts_;
};

}  // namespace

std::vector<float> squaredDistances(const CellGrid& grid, const std::vector<uint8_t>& is_set) {
  std::vector<float> distance(grid.size());
  parallelFor(static_cast<size_t>(grid.height), 32, [&](size_t begin, size_t end) {
    LineTransform transform;
    std::vector<float> line(grid.width);
    for (size_t row = begin; row < end; ++row) {
      for (int col = 0; col < grid.width; ++col)
        line[col] = is_set[grid.index(col, static_cast<int>(row))] ? 0.0f : kFar;
      transform.run(line);
      std::copy(line.begin(), line.end(), distance.begin() + row * grid.width);
    }
  });
  parallelFor(static_cast<size_t>(grid.width), 32, [&](size_t begin, size_t end) {
    LineTransform transform;
    std::vector<float> line(grid.height);
    for (size_t col = begin; col < end; ++col) {
      for (int row = 0; row < grid.height; ++row)
        line[row] = distance[grid.index(static_cast<int>(col), row)];
      transform.run(line);
      for (int row = 0; row < grid.height; ++row)
        distance[grid.index(static_cast<int>(col), row)] = line[row];
    }
  });
  return distance;
}

}  // namespace gs
