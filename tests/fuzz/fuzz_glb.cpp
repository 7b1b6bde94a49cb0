// SPDX-License-Identifier: Apache-2.0
#include "gs/core/check.hpp"
#include "gs/core/error.hpp"
#include "gs/formats/glb.hpp"

// What can be read can be written, and then reads back the same (but for vertices without any
// triangle, which are not written).
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const gs::TriangleMesh mesh = gs::decodeGlb(std::as_bytes(std::span(data, size)), "fuzz");
    if (mesh.triangles.empty()) return 0;
    const std::string written = gs::encodeGlb(mesh);
    const bool is_same = gs::decodeGlb(gs::asBytes(written), "written") == mesh;
    GS_CHECK(is_same);
  } catch (const gs::Error&) {
  }
  return 0;
}
