// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulation_host.hpp"

namespace gs_sim {

void declareParameters(SimulationHost& host, const SimulationParameters& effective) {
  ParameterStore& store = host.parameters();
  store.declareFields(effective);
  store.declare("simulation.real_time_factor",
                {.value = effective.simulation.real_time_factor,
                 .description = "simulated over real time; 0: as fast as possible",
                 .change =
                     [&host](const ParameterValue& value) {
                       host.setRealTimeFactor(std::get<double>(value));
                       return std::string();
                     },
                 .range = ParameterRange{0, kMaxRealTimeFactor}});
}

void updateParameters(SimulationHost& host, const SimulationParameters& effective) {
  host.announceParameters(host.parameters().updateFields(effective));
}

}  // namespace gs_sim
