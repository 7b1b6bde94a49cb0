// SPDX-License-Identifier: Apache-2.0
#include "gs/train/residual_map.hpp"

#include <algorithm>
#include <cmath>

#include "gs/core/parallel.hpp"

namespace gs {

int residualBlock(int divisor) { return std::max(1, kResidualBlock / divisor); }

void addResiduals(const PlanarImage& seen, const PlanarImage& target, const Image8& mask,
                  int divisor, ResidualMap& residual) {
  const int width = target.width, height = target.height, block = residualBlock(divisor);
  const int columns = (width + block - 1) / block, rows = (height + block - 1) / block;
  if (residual.columns != columns || residual.rows != rows) {
    residual = {columns, rows, 0, {}};
    residual.error.assign(static_cast<size_t>(columns) * rows, 0.0f);
  }
  parallelFor(static_cast<size_t>(rows), 4, [&](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row)
      for (int column = 0; column < columns; ++column) {
        double sum = 0;
        int count = 0;
        const int y0 = static_cast<int>(row) * block;
        for (int y = y0; y < std::min(height, y0 + block); ++y)
          for (int x = column * block; x < std::min(width, (column + 1) * block); ++x) {
            if (!mask.pixels.empty() && *mask.at(x, y) == 0) continue;
            for (size_t c = 0; c < 3; ++c) sum += std::abs(seen.row(c, y)[x] - target.row(c, y)[x]);
            count += 3;
          }
        const auto error = static_cast<float>(count > 0 ? sum / count : 0);
        float& kept = residual.error[row * columns + column];
        kept = residual.visits == 0 ? error : 0.5f * (kept + error);
      }
  });
  ++residual.visits;
}

std::vector<uint8_t> badBlocks(const ResidualMap& residual) {
  if (residual.visits < 3 || residual.error.empty()) return {};
  std::vector<float> sorted = residual.error;
  const auto upper = sorted.begin() + static_cast<ptrdiff_t>(sorted.size() * 3 / 4);
  std::nth_element(sorted.begin(), upper, sorted.end());
  const float limit = std::max(0.12f, 5 * *upper);
  if (std::none_of(sorted.begin(), sorted.end(), [&](float error) { return error > limit; }))
    return {};
  std::vector<uint8_t> is_bad(residual.error.size(), 0);
  for (size_t i = 0; i < is_bad.size(); ++i) is_bad[i] = residual.error[i] > limit;
  return is_bad;
}

}  // namespace gs
