// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs_builder/report/report_data.hpp"

namespace gs_builder {

// The world from above, its recorded path coloured by how good the images around it are.
std::string writeMapSection(const TwinReport& report);

}  // namespace gs_builder
