// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "gs/bundle/gaussian_check.hpp"
#include "gs/bundle/gaussian_ply.hpp"
#include "gs/core/bytes.hpp"
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"

// Header and rows of a bundle PLY, with every conversion on.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto source = gs::openMemory({reinterpret_cast<const std::byte*>(data), size});
  try {
    const gs::GaussianPlyInfo info = gs::inspectGaussianPly(*source);
    const gs::GaussianCloud cloud = gs::readGaussianPly(
        *source, {gs::ScaleEncoding::Linear, gs::OpacityEncoding::Linear, gs::RotationOrder::Wxyz});
    GS_CHECK(cloud.size() == info.count);
    gs::findDefects(cloud);
  } catch (const gs::Error&) {
  }
  return 0;
}
