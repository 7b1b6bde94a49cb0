// SPDX-License-Identifier: Apache-2.0
#include "apps/simulator/run_arguments.hpp"

#include "gs/core/error.hpp"
#include "gs/core/value_checks.hpp"
#include "gs_sim/load_parameters.hpp"

namespace apps {

void addParameterOptions(CLI::App& command, ParameterArguments& arguments) {
  command.add_option("world", arguments.world,
                     "Folder that contains world.yaml (or 'world' in a parameter file)");
  const char* const group = "Parameters";
  command.add_option("--params", arguments.files, "YAML file with parameters; may be repeated")
      ->group(group)
      ->allow_extra_args(false);
  command.add_option("--vehicle-config", arguments.vehicle_config, "The same, for 'vehicle'")
      ->group(group);
  command.add_option("--sim-config", arguments.sim_config, "The same, for 'simulation'")
      ->group(group);
  command.add_option("--sensor-config", arguments.sensor_config, "The same, for 'sensors'")
      ->group(group);
  command
      .add_option("--set", arguments.assignments,
                  "One parameter, such as vehicle.max_speed=10; may be repeated")
      ->group(group)
      ->allow_extra_args(false);
  command.add_option("--dt", arguments.dt, "Seconds per step (simulation.dt)")->group(group);
  auto* factor = command.add_option("--real-time-factor", arguments.real_time_factor,
                                    "Simulated over real time; 0: as fast as possible");
  factor->group(group);
  command.add_flag("--fast", arguments.is_fast, "As fast as possible: --real-time-factor 0")
      ->group(group)
      ->excludes(factor);
  command.add_flag("--start-paused", arguments.start_paused, "simulation.start_paused")
      ->group(group);
  command.add_flag("--no-sensors", arguments.is_without_sensors, "No sensors at all")->group(group);
  command
      .add_option("--replay-control", arguments.replay_control,
                  "Drive with the commands of this log (simulation.replay_control)")
      ->group(group);
  command
      .add_option("--on-collision", arguments.on_collision,
                  "report or stop (simulation.on_collision)")
      ->group(group);
  command
      .add_option("--renderer", arguments.renderer,
                  "auto or cpu; vulkan has no renderer yet (sensors.camera.renderer)")
      ->group(group);
}

gs_sim::SimulationParameters parametersFrom(const ParameterArguments& arguments,
                                            gs_sim::SimulationParameters defaults) {
  gs_sim::ParameterSources sources{std::move(defaults), arguments.files, arguments.assignments};
  for (const std::string& file :
       {arguments.vehicle_config, arguments.sim_config, arguments.sensor_config})
    if (!file.empty()) sources.files.emplace_back(file);
  // A flag is an assignment by another name: checked in the same place, refused in the same words.
  const auto assign = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) sources.assignments.push_back(name + "=" + value);
  };
  if (arguments.dt) assign("simulation.dt", gs::shortNumber(*arguments.dt));
  if (arguments.real_time_factor)
    assign("simulation.real_time_factor", gs::shortNumber(*arguments.real_time_factor));
  if (arguments.is_fast) assign("simulation.real_time_factor", "0");
  if (arguments.start_paused) assign("simulation.start_paused", "true");
  if (arguments.is_without_sensors)
    for (const gs_sim::NamedChoice& named : choicesIn(sources.defaults.sensors))
      assign("sensors." + named.kind + ".enable", "false");
  assign("simulation.on_collision", arguments.on_collision);
  assign("sensors.camera.renderer", arguments.renderer);
  gs_sim::SimulationParameters parameters = gs_sim::loadParameters(sources);
  if (!arguments.replay_control.empty())
    parameters.simulation.replay_control = arguments.replay_control;
  if (!arguments.world.empty()) parameters.world = arguments.world;
  if (parameters.world.empty())
    throw gs::Error({.code = gs::ErrorCode::UsageError,
                     .component = "gs-simulator",
                     .message = "no world was given",
                     .suggestion = "Name the folder that contains world.yaml: gs-simulator run "
                                   "worlds/minimal_test"});
  return parameters;
}

}  // namespace apps
