// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/command_wait.hpp"

namespace gs_sim {

Heard awaitCommand(const std::vector<SimulationWire*>& wires, const StepInfo& last,
                   bool has_script) {
  Heard heard;
  for (SimulationWire* wire : wires) {
    if (has_script && !wire->overrulesScript()) continue;
    if (const auto command = wire->nextControl(last)) heard.command = {wire->name(), *command};
    heard.was_interrupted = heard.was_interrupted || wire->wasInterrupted();
  }
  return heard;
}

}  // namespace gs_sim
