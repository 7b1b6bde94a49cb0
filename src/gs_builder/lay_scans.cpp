// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "gs_builder/pose_agreement.hpp"

namespace gs_builder {
namespace {

using gs::Vec3;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

Vec3 vecOf(const std::array<float, 3>& p) { return {p[0], p[1], p[2]}; }

// Points in cells of a metre, sorted by cell: neighbours are found without a tree, and always in
// the same order.
class PointGrid {
 public:
  explicit PointGrid(std::vector<Vec3> points) : points_(std::move(points)) {
    for (size_t i = 0; i < points_.size(); ++i)
      order_.emplace_back(
          keyOf(cellOf(points_[i].x()), cellOf(points_[i].y()), cellOf(points_[i].z())), i);
    std::sort(order_.begin(), order_.end());
  }
  const std::vector<Vec3>& points() const { return points_; }

  // Every point at most a metre away (and some beyond) with its index.
  template <typename Visit>
  void near(const Vec3& at, const Visit& visit) const {
    const int64_t x = cellOf(at.x()), y = cellOf(at.y()), z = cellOf(at.z());
    for (int64_t i = x - 1; i <= x + 1; ++i)
      for (int64_t j = y - 1; j <= y + 1; ++j) {
        // The three cells above each other are neighbours in the order, too.
        auto entry = std::lower_bound(order_.begin(), order_.end(),
                                      std::pair(keyOf(i, j, z - 1), size_t{0}));
        for (; entry != order_.end() && entry->first <= keyOf(i, j, z + 1); ++entry)
          visit(entry->second, points_[entry->second]);
      }
  }

 private:
  static int64_t cellOf(double v) { return static_cast<int64_t>(std::floor(v)) + (1 << 19); }
  static int64_t keyOf(int64_t x, int64_t y, int64_t z) { return x << 42 | y << 21 | z; }

  std::vector<Vec3> points_;
  std::vector<std::pair<int64_t, size_t>> order_;
};

// Points of a scan that lie on a plane, with its normal.
struct Planes {
  PointGrid grid;
  std::vector<Vec3> normals;
};

Planes planesOf(const ThinScan& scan) {
  constexpr size_t kLeast = 6;
  constexpr double kRadius2 = 1.0;
  std::vector<Vec3> all;
  for (const auto& p : scan.points) all.push_back(vecOf(p));
  const PointGrid grid(std::move(all));
  std::vector<Vec3> points, normals;
  for (const Vec3& p : grid.points()) {
    Vec3 sum = Vec3::Zero();
    Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
    size_t count = 0;
    grid.near(p, [&](size_t, const Vec3& q) {
      const Vec3 d = q - p;
      if (d.squaredNorm() > kRadius2) return;
      sum += d;
      squares += d * d.transpose();
      ++count;
    });
    if (count < kLeast) continue;
    const double n = static_cast<double>(count);
    const Vec3 mean = sum / n;
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver;
    solver.computeDirect(Eigen::Matrix3d(squares / n - mean * mean.transpose()));
    // Flat, and no line: the rings of a scan on a far road are lines that travel with the sensor.
    const Vec3 extents = solver.eigenvalues();
    if (extents[0] > 0.1 * extents[1] || extents[1] < 0.08 * extents[2]) continue;
    points.push_back(p);
    normals.push_back(solver.eigenvectors().col(0));
  }
  return {PointGrid(std::move(points)), std::move(normals)};
}

// A turn and shift as six small numbers, seen from the first scan.
gs::Rigid3 moved(const gs::Rigid3& pose, const Vec6& step) {
  const Vec3 turn = step.tail<3>();
  const double angle = turn.norm();
  const gs::Quat rotation =
      angle > 1e-12 ? gs::Quat(Eigen::AngleAxisd(angle, turn / angle)) : gs::Quat::Identity();
  return gs::Rigid3{rotation, Vec3(step.head<3>())} * pose;
}

}  // namespace

std::optional<gs::Rigid3> layScans(const ThinScan& first, const ThinScan& second,
                                   const gs::Rigid3& guess) {
  constexpr int kIterations = 16, kCoarse = 6;
  constexpr size_t kMostPoints = 2500;
  constexpr double kPrior = 1e-3, kLever2 = 100;  // m^2
  const Planes planes = planesOf(first);
  const size_t stride = std::max<size_t>(1, second.points.size() / kMostPoints);
  gs::Rigid3 pose = guess;
  Vec6 offset = Vec6::Zero();
  size_t asked = 0, met = 0, close = 0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const bool is_coarse = iteration < kCoarse;
    const double reach2 = is_coarse ? 1.0 : 0.25, scale = is_coarse ? 0.3 : 0.1;
    Mat6 a = Mat6::Zero();
    Vec6 b = Vec6::Zero();
    asked = met = close = 0;
    for (size_t i = 0; i < second.points.size(); i += stride) {
      const Vec3 p = pose * vecOf(second.points[i]);
      double nearest2 = reach2;
      size_t nearest = planes.normals.size();
      planes.grid.near(p, [&](size_t index, const Vec3& q) {
        const double d2 = (q - p).squaredNorm();
        if (d2 >= nearest2) return;
        nearest2 = d2;
        nearest = index;
      });
      ++asked;
      if (nearest == planes.normals.size()) continue;
      ++met;
      const Vec3& normal = planes.normals[nearest];
      const double residual = normal.dot(p - planes.grid.points()[nearest]);
      close += std::abs(residual) < 0.1;
      const double ratio = residual / scale;
      const double weight = 1 / ((1 + ratio * ratio) * (1 + ratio * ratio));
      Vec6 j;
      j << normal, p.cross(normal);
      a += weight * j * j.transpose();
      b -= weight * residual * j;
    }
    // What the scans say nothing about stays as guessed.
    Vec6 prior = Vec6::Constant(kPrior * static_cast<double>(asked) + 1e-9);
    prior.tail<3>() *= kLever2;
    a.diagonal() += prior;
    b -= prior.cwiseProduct(offset);
    const Vec6 step = a.ldlt().solve(b);
    if (!step.allFinite()) return std::nullopt;
    pose = moved(pose, step);
    offset += step;
  }
  // Of another place, or of one where nearly all moves, few points would come to lie on planes.
  if (met < 200 || 10 * met < 2 * asked || 10 * close < 6 * met) return std::nullopt;
  return pose;
}

}  // namespace gs_builder
