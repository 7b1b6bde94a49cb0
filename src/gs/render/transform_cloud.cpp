// SPDX-License-Identifier: Apache-2.0
#include "gs/render/transform_cloud.hpp"

#include <cmath>

#include <Eigen/LU>

#include "gs/core/parallel.hpp"
#include "gs/render/spherical_harmonics.hpp"

namespace gs {

std::vector<double> shRotation(int degree, const Quat& b_from_a) {
  // The harmonics of a degree stay among themselves when turned, so what they do in more directions
  // than there are of them says it all: Y(d) M a = Y(a_from_b d) a for every direction d and all a.
  // The directions are spread evenly (Fibonacci's spiral), which keeps the equations well posed.
  const int size = 2 * degree + 1, first = degree * degree;
  constexpr int kDirections = 32;
  Eigen::MatrixXd here(kDirections, size), there(kDirections, size);
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2 * i + 1.0) / kDirections, r = std::sqrt(1 - z * z);
    const double turn = i * M_PI * (3 - std::sqrt(5.0));
    const Vec3 d(r * std::cos(turn), r * std::sin(turn), z);
    const auto in_b = shBasis(d), in_a = shBasis(b_from_a.conjugate() * d);
    for (int k = 0; k < size; ++k) {
      here(i, k) = in_b[static_cast<size_t>(first + k)];
      there(i, k) = in_a[static_cast<size_t>(first + k)];
    }
  }
  const Eigen::MatrixXd m = (here.transpose() * here).inverse() * (here.transpose() * there);
  std::vector<double> rows(static_cast<size_t>(size * size));
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c) rows[static_cast<size_t>(r * size + c)] = m(r, c);
  return rows;
}

void transformCloud(const Rigid3& b_from_a, GaussianCloud& cloud) {
  std::array<std::vector<double>, kMaxShDegree + 1> turns;
  for (int degree = 1; degree <= cloud.sh_degree; ++degree)
    turns[static_cast<size_t>(degree)] = shRotation(degree, b_from_a.rotation);
  const size_t rest = restCount(cloud.sh_degree), per_channel = rest / 3;
  parallelFor(cloud.size(), 4096, [&](size_t begin, size_t end) {
    std::array<double, 7> turned{};
    for (size_t i = begin; i < end; ++i) {
      const Vec3 p =
          b_from_a * Vec3(cloud.position[0][i], cloud.position[1][i], cloud.position[2][i]);
      const Quat q = (b_from_a.rotation * Quat(cloud.rotation[3][i], cloud.rotation[0][i],
                                               cloud.rotation[1][i], cloud.rotation[2][i]))
                         .normalized();
      for (int axis = 0; axis < 3; ++axis) cloud.position[axis][i] = static_cast<float>(p[axis]);
      cloud.rotation[0][i] = static_cast<float>(q.x());
      cloud.rotation[1][i] = static_cast<float>(q.y());
      cloud.rotation[2][i] = static_cast<float>(q.z());
      cloud.rotation[3][i] = static_cast<float>(q.w());
      for (size_t channel = 0; channel < 3 && rest > 0; ++channel) {
        float* coefficients = cloud.sh_rest.data() + i * rest + channel * per_channel;
        for (int degree = 1; degree <= cloud.sh_degree; ++degree) {
          const auto& m = turns[static_cast<size_t>(degree)];
          const size_t size = 2 * static_cast<size_t>(degree) + 1;
          for (size_t r = 0; r < size; ++r) {
            turned[r] = 0;
            for (size_t c = 0; c < size; ++c)
              turned[r] += m[r * size + c] * static_cast<double>(coefficients[c]);
          }
          for (size_t r = 0; r < size; ++r) coefficients[r] = static_cast<float>(turned[r]);
          coefficients += size;
        }
      }
    }
  });
}

}  // namespace gs
