// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs/core/rng.hpp"

namespace gs::fuzz {

// One to four random damages to seeds[index]: flipped bits, numbers that break arithmetic (binary
// or as text), cuts, repeated blocks, a piece of another seed. The same generator state and seeds
// give the same result on every machine.
std::string mutate(const std::vector<std::string>& seeds, size_t index, Rng& rng);

}  // namespace gs::fuzz
