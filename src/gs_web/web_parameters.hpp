// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gs_sim/simulation_host.hpp"

// Parameters as clients of Foxglove's protocol ask for them. All of it belongs to the loop's
// thread.
namespace gs_web {

// Those of these names that have a value; all of them where no name is given.
std::vector<gs_sim::Parameter> parametersOf(const gs_sim::ParameterStore& store,
                                            const std::vector<std::string>& names);

struct ParameterChange {
  std::vector<std::string> problems;      // of the wishes that were refused
  std::vector<gs_sim::Parameter> values;  // of all that were asked for, as they are now
};
// Sets what may be set; every wire learns of it.
ParameterChange changeParameters(gs_sim::SimulationHost& host,
                                 const std::vector<gs_sim::Parameter>& wishes);

}  // namespace gs_web
