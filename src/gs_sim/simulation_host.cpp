// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/simulation_host.hpp"

namespace gs_sim {

void declareParameters(SimulationHost& host, const SimulationParameters& effective) {
  ParameterStore& store = host.parameters();
  store.declareFields(effective);
  store.declare("simulation.real_time_factor",
                {.value = toParameter(effective.simulation.real_time_factor),
                 .description = "simulated over real time; 0: as fast as possible",
                 .change =
                     [&host](const gs::msgs::ParameterValue& value) {
                       host.setRealTimeFactor(value.double_value);
                       return std::string();
                     },
                 .range = gs::msgs::FloatingPointRange{0, kMaxRealTimeFactor, 0}});
}

void updateParameters(SimulationHost& host, const SimulationParameters& effective) {
  host.announceParameters(host.parameters().updateFields(effective));
}

gs::msgs::WorldInfo currentWorldInfo(const SimulationHost& host) {
  const WorldDescription now = host.describe();
  return worldInfoMessage(host.current().info.stamp, *now.world, now.frames, now.sensors);
}

}  // namespace gs_sim
