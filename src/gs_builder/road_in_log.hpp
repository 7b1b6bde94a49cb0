// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "gs_builder/doctor.hpp"

namespace gs_builder {

// Reads some scans of the log and adds to the diagnosis how base_link hangs over the road, as
// mcap_ingest will measure it in many more. A log that cannot show it gets a warning.
void addRoadContact(Diagnosis& diagnosis, const std::filesystem::path& log, const LogDigest& digest,
                    const PipelineConfig& config);

}  // namespace gs_builder
