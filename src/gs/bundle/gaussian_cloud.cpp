// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_cloud.hpp"

#include <algorithm>

namespace gs {

void GaussianCloud::resize(size_t count) {
  for (Floats& axis : position) axis.resize(count);
  for (Floats& axis : log_scale) axis.resize(count);
  for (Floats& axis : rotation) axis.resize(count);
  logit_opacity.resize(count);
  for (Floats& channel : sh_dc) channel.resize(count);
  sh_rest.resize(count * restCount(sh_degree));
}

GaussianCloud selectSplats(const GaussianCloud& cloud, const std::vector<size_t>& kept) {
  GaussianCloud result;
  result.sh_degree = cloud.sh_degree;
  result.resize(kept.size());
  const size_t rest = restCount(cloud.sh_degree);
  for (size_t i = 0; i < kept.size(); ++i) {
    const size_t from = kept[i];
    for (size_t axis = 0; axis < 3; ++axis) {
      result.position[axis][i] = cloud.position[axis][from];
      result.log_scale[axis][i] = cloud.log_scale[axis][from];
      result.sh_dc[axis][i] = cloud.sh_dc[axis][from];
    }
    for (size_t k = 0; k < 4; ++k) result.rotation[k][i] = cloud.rotation[k][from];
    result.logit_opacity[i] = cloud.logit_opacity[from];
    std::copy_n(cloud.sh_rest.begin() + static_cast<std::ptrdiff_t>(from * rest), rest,
                result.sh_rest.begin() + static_cast<std::ptrdiff_t>(i * rest));
  }
  return result;
}

}  // namespace gs
