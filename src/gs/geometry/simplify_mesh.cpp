// SPDX-License-Identifier: Apache-2.0
#include "gs/geometry/simplify_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include <Eigen/Cholesky>

#include "gs/core/linear.hpp"

namespace gs {
namespace {

constexpr uint32_t kNone = 0xffffffff;
constexpr double kMinTurn = 0.3;        // cosine: a triangle may not turn farther in one step
constexpr double kNeedle = 0.02;        // of area over square length: hit by no ray
constexpr double kOutlineWeight = 0.5;  // of the plane that holds an outline, per square edge

// Sum of squared distances to weighted planes: p' A p + 2 b' p + c. Positions count from the
// middle of the mesh, or squares of a map's coordinates would drown the centimetres.
struct Quadric {
  Mat3 a = Mat3::Zero();
  Vec3 b = Vec3::Zero();
  double c = 0, weight = 0;

  void addPlane(const Vec3& unit, const Vec3& p, double w) {
    const double d = -unit.dot(p);
    a += w * unit * unit.transpose();
    b += w * d * unit;
    c += w * d * d;
    weight += w;
  }
  void add(const Quadric& other) {
    a += other.a;
    b += other.b;
    c += other.c;
    weight += other.weight;
  }
  double errorAt(const Vec3& p) const { return std::max(0.0, p.dot(a * p) + 2 * b.dot(p) + c); }
};

// An edge that may become one vertex. Stale once either end has changed since.
struct Collapse {
  float cost;
  uint32_t from, to;  // `from` < `to`: the lower number stays
  uint32_t from_age, to_age;
  Vec3f place;
  bool operator<(const Collapse& other) const {  // the queue gives the greatest first
    if (cost != other.cost) return cost > other.cost;
    return from != other.from ? from > other.from : to > other.to;
  }
};

class Simplifier {
 public:
  Simplifier(TriangleMesh& mesh, double tolerance) : mesh_(mesh), tolerance_(tolerance) {
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const auto& p : mesh.positions) {
      low = low.cwiseMin(Vec3(p[0], p[1], p[2]));
      high = high.cwiseMax(Vec3(p[0], p[1], p[2]));
    }
    middle_ = (low + high) / 2;
    for (const auto& p : mesh.positions) points_.push_back((Vec3(p[0], p[1], p[2]) - middle_));
    quadrics_.resize(points_.size());
    ages_.assign(points_.size(), 0);
    strayed_.assign(points_.size(), 0.0f);
    around_.resize(points_.size());
    for (uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (const uint32_t v : mesh.triangles[t]) around_[v].push_back(t);
    addFaces();
    addOutlines();
  }

  void run() {
    for (uint32_t v = 0; v < points_.size(); ++v) proposeAround(v, true);
    while (!queue_.empty()) {
      const Collapse next = queue_.top();
      queue_.pop();
      if (ages_[next.from] != next.from_age || ages_[next.to] != next.to_age) continue;
      const std::optional<double> strayed = tryCollapse(next);
      if (strayed) collapse(next, *strayed);
    }
    std::erase_if(mesh_.triangles, [](const auto& t) { return t[0] == kNone; });
    for (size_t v = 0; v < points_.size(); ++v) {
      const Vec3f p = (points_[v] + middle_).cast<float>();
      mesh_.positions[v] = {p.x(), p.y(), p.z()};
    }
    mesh_.normals.clear();
    mesh_.colors.clear();
    dropUnused(mesh_);
  }

 private:
  Vec3 crossOf(const std::array<uint32_t, 3>& t) const {
    return (points_[t[1]] - points_[t[0]]).cross(points_[t[2]] - points_[t[0]]);
  }

  void addFaces() {
    for (const auto& t : mesh_.triangles) {
      const Vec3 cross = crossOf(t);
      const double length = cross.norm();
      if (!(length > 1e-12)) continue;
      for (const uint32_t v : t) quadrics_[v].addPlane(cross / length, points_[t[0]], length / 6);
    }
  }

  // Edges of one triangle only: an upright plane keeps them where they are.
  void addOutlines() {
    for (uint32_t v = 0; v < points_.size(); ++v)
      for (const uint32_t t : around_[v])
        for (int k = 0; k < 3; ++k) {
          const auto& triangle = mesh_.triangles[t];
          const uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
          if (a != v || trianglesOf(a, b) != 1) continue;
          const Vec3 edge = points_[b] - points_[a];
          const Vec3 wall = edge.cross(crossOf(triangle));
          const double length = wall.norm();
          if (!(length > 1e-15)) continue;
          for (const uint32_t end : {a, b})
            quadrics_[end].addPlane(wall / length, points_[a], kOutlineWeight * edge.squaredNorm());
        }
  }

  static bool has(const std::array<uint32_t, 3>& t, uint32_t v) {
    return t[0] == v || t[1] == v || t[2] == v;
  }
  int trianglesOf(uint32_t a, uint32_t b) const {
    int count = 0;
    for (const uint32_t t : around_[a]) count += has(mesh_.triangles[t], b);
    return count;
  }

  // Edges to all neighbours; at the start every edge once, from its lower end.
  void proposeAround(uint32_t v, bool only_upwards) {
    neighbors_.clear();
    for (const uint32_t t : around_[v])
      for (const uint32_t other : mesh_.triangles[t])
        if (other != v && !(only_upwards && other < v)) neighbors_.push_back(other);
    std::sort(neighbors_.begin(), neighbors_.end());
    neighbors_.erase(std::unique(neighbors_.begin(), neighbors_.end()), neighbors_.end());
    for (const uint32_t other : neighbors_) propose(std::min(v, other), std::max(v, other));
  }

  void propose(uint32_t from, uint32_t to) {
    Quadric sum = quadrics_[from];
    sum.add(quadrics_[to]);
    if (!(sum.weight > 0)) return;
    const Vec3 middle = (points_[from] + points_[to]) / 2;
    Vec3 best = middle;
    double error = sum.errorAt(middle);
    const auto consider = [&](const Vec3& p) {
      const double there = sum.errorAt(p);
      if (there < error) error = there, best = p;
    };
    consider(points_[from]);
    consider(points_[to]);
    // Where the quadric is least, held near the edge where planes leave it free.
    Mat3 held = sum.a;
    held.diagonal().array() += 1e-3 * sum.weight;
    const Vec3 step = held.ldlt().solve(-(sum.a * middle + sum.b));
    if (step.squaredNorm() < (points_[from] - points_[to]).squaredNorm()) consider(middle + step);
    if (!(error <= tolerance_ * tolerance_ * sum.weight)) return;
    queue_.push({static_cast<float>(error), from, to, ages_[from], ages_[to], best.cast<float>()});
  }

  // How far the surface would then be from where it began, at most: what either end has strayed
  // already, and the step to the new planes. Nothing when that is too far, when a triangle would
  // fold over or become a needle, or when sheets would be glued together.
  std::optional<double> tryCollapse(const Collapse& c) const {
    const Vec3 place = c.place.cast<double>();
    double strayed = 0;
    for (const auto& [v, other] : {std::pair(c.from, c.to), std::pair(c.to, c.from)})
      for (const uint32_t t : around_[v]) {
        const auto& triangle = mesh_.triangles[t];
        if (has(triangle, other)) continue;
        const Vec3 before = crossOf(triangle);
        std::array<Vec3, 3> p;
        for (int k = 0; k < 3; ++k) p[k] = triangle[k] == v ? place : points_[triangle[k]];
        const Vec3 after = (p[1] - p[0]).cross(p[2] - p[0]);
        const double area = after.norm(), old_area = before.norm();
        const double longest = std::max({(p[1] - p[0]).squaredNorm(), (p[2] - p[1]).squaredNorm(),
                                         (p[0] - p[2]).squaredNorm()});
        if (area < kNeedle * longest && area < old_area) return std::nullopt;
        if (!(before.dot(after) > kMinTurn * old_area * area)) return std::nullopt;
        const double step = std::max(std::abs(after.dot(points_[v] - place)) / area,
                                     std::abs(before.dot(points_[v] - place)) / old_area);
        strayed = std::max(strayed, static_cast<double>(strayed_[v]) + step);
        if (strayed > tolerance_) return std::nullopt;
      }
    if (sharedNeighbors(c.from, c.to) != trianglesOf(c.from, c.to)) return std::nullopt;
    return strayed;
  }

  int sharedNeighbors(uint32_t a, uint32_t b) const {
    std::vector<uint32_t> of_a, of_b, both;
    const auto collect = [&](uint32_t v, std::vector<uint32_t>& out) {
      for (const uint32_t t : around_[v])
        for (const uint32_t other : mesh_.triangles[t])
          if (other != v) out.push_back(other);
      std::sort(out.begin(), out.end());
      out.erase(std::unique(out.begin(), out.end()), out.end());
    };
    collect(a, of_a);
    collect(b, of_b);
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                          std::back_inserter(both));
    return static_cast<int>(both.size());
  }

  void collapse(const Collapse& c, double strayed) {
    strayed_[c.from] = static_cast<float>(std::max(
        {strayed, static_cast<double>(strayed_[c.from]), static_cast<double>(strayed_[c.to])}));
    points_[c.from] = c.place.cast<double>();
    quadrics_[c.from].add(quadrics_[c.to]);
    for (const uint32_t t : around_[c.to]) {
      auto& triangle = mesh_.triangles[t];
      if (has(triangle, c.from)) {
        for (const uint32_t v : triangle)
          if (v != c.to) std::erase(around_[v], t);
        triangle = {kNone, kNone, kNone};
        continue;
      }
      for (uint32_t& v : triangle)
        if (v == c.to) v = c.from;
      around_[c.from].push_back(t);
    }
    around_[c.to] = {};
    ++ages_[c.to];
    ++ages_[c.from];
    proposeAround(c.from, false);
  }

  TriangleMesh& mesh_;
  double tolerance_;
  Vec3 middle_;
  std::vector<Vec3> points_;
  std::vector<Quadric> quadrics_;
  std::vector<uint32_t> ages_;
  std::vector<float> strayed_;                 // m from where the surface began, at most
  std::vector<std::vector<uint32_t>> around_;  // triangles of each vertex
  std::priority_queue<Collapse> queue_;
  std::vector<uint32_t> neighbors_;
};

}  // namespace

void dropUnused(TriangleMesh& mesh) {
  std::erase_if(mesh.triangles,
                [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
  std::vector<uint32_t> number(mesh.positions.size(), kNone);
  TriangleMesh kept;
  for (auto& triangle : mesh.triangles)
    for (uint32_t& v : triangle) {
      if (number[v] == kNone) {
        number[v] = static_cast<uint32_t>(kept.positions.size());
        kept.positions.push_back(mesh.positions[v]);
        if (!mesh.normals.empty()) kept.normals.push_back(mesh.normals[v]);
        if (!mesh.colors.empty()) kept.colors.push_back(mesh.colors[v]);
      }
      v = number[v];
    }
  kept.triangles = std::move(mesh.triangles);
  mesh = std::move(kept);
}

void simplifyMesh(TriangleMesh& mesh, double tolerance) {
  if (mesh.triangles.empty()) return;
  Simplifier(mesh, tolerance).run();
}

}  // namespace gs
