// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gs/core/triangle_mesh.hpp"  // geometry/static_mesh.glb: gs/formats/glb.hpp reads it
