// SPDX-License-Identifier: Apache-2.0
#include "gs/core/error.hpp"
#include "gs_builder/stage.hpp"

namespace gs_builder {

void runGeometryBuilder(StageContext&) {
  throw gs::Error({.code = gs::ErrorCode::PointcloudEmpty,
                   .component = "geometry_builder",
                   .message = "geometry is not part of this build",
                   .suggestion = "Run the other stages one by one with run-step."});
}

}  // namespace gs_builder
