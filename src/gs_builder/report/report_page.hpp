// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gs_builder/report/report_data.hpp"

namespace gs_builder {

// The report as one HTML page that needs nothing else: pictures, style and script are inside, and
// its own policy forbids it the network. The same report gives the same bytes; what differs from
// run to run is in <section id="timing">, which is there only when report.timing is.
std::string writeReportPage(const TwinReport& report);

}  // namespace gs_builder
