// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gs/bundle/gaussian_cloud.hpp"
#include "gs/bundle/gaussian_encoding.hpp"
#include "gs/core/bytes.hpp"

namespace gs {

struct ImportOptions {
  // PLY only: which order rot_0 .. rot_3 have. Absent: a file with the property order of a world
  // bundle is x, y, z, w like every bundle; any other is w, x, y, z like every other tool's file.
  std::optional<RotationOrder> rotation;
  // SPZ only: its axes are right, up, back. False turns them half round x, to the right, down,
  // forward of the PLY that such files are made from; true keeps them.
  bool keeps_spz_axes = false;
};

// A cloud of sound splats (all finite, rotations of unit length) and what was done to get it.
struct ImportedSplats {
  GaussianCloud cloud;
  std::string format;                // "PLY binary_little_endian", "SPLAT", "SPZ version 3"
  size_t dropped_non_finite = 0;     // splats with a NaN or an infinity
  size_t dropped_zero_rotation = 0;  // splats whose quaternion is 0, 0, 0, 0
  size_t normalized_rotations = 0;   // quaternions that were not within 1e-6 of unit length
  std::vector<std::string> notes;    // what else was changed or left out, one sentence each
};

// Splats of other programs. The kind of file is recognised by its first bytes, `.splat` files
// (which have nothing to recognise) by their name. Throws gs::Error (INPUT_INVALID) that names the
// kind for files that hold splats in a form we do not read, and those of the readers.
ImportedSplats importSplats(const ByteSource& source, const ImportOptions& options = {});

// A PLY with the properties, order and quaternion (w, x, y, z) of the original 3DGS implementation,
// which every splat viewer and editor reads. Written atomically.
void exportInriaPly(const std::filesystem::path& path, const GaussianCloud& cloud);

}  // namespace gs
