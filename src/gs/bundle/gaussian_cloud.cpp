// SPDX-License-Identifier: Apache-2.0
#include "gs/bundle/gaussian_cloud.hpp"

namespace gs {

void GaussianCloud::resize(size_t count) {
  for (Floats& axis : position) axis.resize(count);
  for (Floats& axis : log_scale) axis.resize(count);
  for (Floats& axis : rotation) axis.resize(count);
  logit_opacity.resize(count);
  for (Floats& channel : sh_dc) channel.resize(count);
  sh_rest.resize(count * restCount(sh_degree));
}

}  // namespace gs
