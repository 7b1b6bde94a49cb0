// SPDX-License-Identifier: Apache-2.0
// gs-simulator run: a world, a driver, and what becomes of it. All judgement is in gs_sim; this
// file turns arguments into calls and the report into text and files.
#include <csignal>
#include <iostream>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "apps/common/run_program.hpp"
#include "apps/simulator/commands.hpp"
#include "apps/simulator/exit_codes.hpp"
#include "apps/simulator/ros2_options.hpp"
#include "apps/simulator/run_arguments.hpp"
#include "apps/simulator/web_options.hpp"
#include "gs/core/file.hpp"
#include "gs/core/load_config.hpp"
#include "gs/core/log.hpp"
#include "gs/core/parallel.hpp"
#include "gs/core/version.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_ros2/ros2_bridge.hpp"
#include "gs_sim/recorder.hpp"
#include "gs_sim/run_host.hpp"
#include "gs_sim/run_simulation.hpp"
#include "gs_sim/sensor_kinds.hpp"
#include "gs_web/web_bridge.hpp"

namespace apps {
namespace {

struct RunArguments {
  ParameterArguments parameters;
  std::filesystem::path script, record, report, junit;
  std::string follow;
  bool begins_again = false;
  WebArguments web;
  std::optional<double> duration;
  std::vector<std::string> stop_when, fail_when;
  bool is_headless = false;
  std::string interface = "standard";
  std::vector<std::string> ros_arguments;
  int threads = 0;
};

volatile std::sig_atomic_t is_interrupted = 0;

bool isInterrupted() { return is_interrupted != 0; }

gs::Error usageError(const std::string& message, const std::string& suggestion) {
  return gs::Error({.code = gs::ErrorCode::UsageError,
                    .component = "gs-simulator",
                    .message = message,
                    .suggestion = suggestion});
}

std::vector<gs_sim::RunEvent> eventsOf(const std::vector<std::string>& words,
                                       const std::string& option) {
  std::vector<gs_sim::RunEvent> events;
  std::vector<std::string> known;
  for (const auto& [event, word] : enumWords(std::type_identity<gs_sim::RunEvent>()))
    known.emplace_back(word);
  for (const std::string& word : words) {
    if (word == "none") continue;
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      const std::string nearest = gs::nearestWord(word, known);
      throw usageError(fmt::format("{}: there is no '{}'", option, word),
                       (nearest.empty() ? "" : "Did you mean '" + nearest + "'? ") +
                           fmt::format("Known are {}, and none.", fmt::join(known, ", ")));
    }
    events.push_back(static_cast<gs_sim::RunEvent>(found - known.begin()));
  }
  return events;
}

bool hasWeb(const RunArguments& arguments) {
  return !arguments.web.is_off && (!arguments.is_headless || arguments.web.is_on);
}

// The script with what the command line says in its place.
gs_sim::DriveScript scriptFrom(const RunArguments& arguments) {
  gs_sim::DriveScript script;
  if (!arguments.follow.empty()) {
    script.follow.emplace();
    if (arguments.follow == "recorded") script.follow->recorded = true;
    else script.follow->file = arguments.follow;
    // Somebody watches and may drive on by hand: the end of the path is not the end of the run.
    if (hasWeb(arguments) || !arguments.is_headless) script.stop_when.clear();
  }
  if (!arguments.script.empty()) script = gs::loadConfig<gs_sim::DriveScript>(arguments.script);
  if (arguments.duration) script.duration = arguments.duration;
  if (!arguments.stop_when.empty()) script.stop_when = eventsOf(arguments.stop_when, "--stop-when");
  if (!arguments.fail_when.empty()) script.fail_when = eventsOf(arguments.fail_when, "--fail-when");
  const auto problems = problemsIn(script);
  if (!problems.empty()) throw gs::configError("the command line", problems);
  return script;
}

// Null when neither script nor log drives: then commands come over the wire, or nobody does.
std::unique_ptr<gs_sim::Driver> driverFor(const gs_sim::DriveScript& script,
                                          const gs_sim::Simulator& simulator) {
  const gs_sim::SimulationParameters& parameters = simulator.parameters();
  const gs::Stamp start = simulator.current().info.stamp;
  if (const auto& log = parameters.simulation.replay_control) {
    if (!script.commands.empty() || script.follow)
      throw usageError("a script and a control log cannot both drive",
                       "Leave out the commands of the script, or replay_control.");
    return gs_sim::createReplayDriver(*log, parameters.vehicle, start);
  }
  if (script.follow)
    return gs_sim::createPathFollower(pathFor(*script.follow, simulator.world()), *script.follow,
                                      parameters.vehicle);
  if (!script.commands.empty()) return gs_sim::createTimedDriver(script.commands, start);
  return nullptr;
}

// While paused, lines on stdin are the buttons: Enter steps once, a number so often.
class PauseConsole {
 public:
  bool wait(gs_sim::Simulator& simulator) {
    if (steps_ > 0) {
      --steps_;
      return true;
    }
    std::cerr << "paused: Enter steps, a number steps so often, r resumes, q quits\n";
    std::string line;
    if (!std::getline(std::cin, line) || line == "q") return false;
    if (line == "r") simulator.setPaused(false);
    else if (!line.empty()) steps_ = std::max(0, std::atoi(line.c_str()) - 1);
    return true;
  }

 private:
  int steps_ = 0;
};

// Everything published goes into the log.
class RunRecording {
 public:
  RunRecording(const std::filesystem::path& path, const gs_sim::RunHost& host, bool has_driver)
      : recorder_(path, host.describe().topics->topics(), host.describe().frames,
                  {.commands = host.describe().commands,
                   .has_driver = has_driver,
                   .about = {{"world", host.describe().world->bundle.index.scene_id},
                             {"simulator", std::string(gs::buildVersion())}}}) {
    recorder_.record(host.describe().topics->saidOnce(host.current().info.stamp));
  }

  void add(const gs_sim::PublishedStep& step) { recorder_.record(step); }
  void close() { recorder_.close(); }
  std::string text() const {
    return fmt::format("{} messages in {}", recorder_.messageCount(), recorder_.file().string());
  }

 private:
  gs_sim::Recorder recorder_;
};

// "2 camera, 1 lidar"
std::string sensorsText(const std::vector<gs_sim::SensorDescription>& sensors) {
  std::map<std::string, int> counts;
  for (const gs_sim::SensorDescription& sensor : sensors) ++counts[sensor.kind];
  std::vector<std::string> words;
  for (const auto& [kind, count] : counts) words.push_back(fmt::format("{} {}", count, kind));
  return words.empty() ? "no sensors" : fmt::format("{}", fmt::join(words, ", "));
}

void printReport(const gs_sim::RunReport& report) {
  std::cout << fmt::format("{}: {:.2f} s in {:.2f} s ({:.1f}x real time), {:.1f} m, ended by {}\n",
                           report.world, report.simulated_sec, report.timing.wall_time_sec,
                           report.timing.real_time_factor, report.distance_m, report.ended_by);
  std::cout << fmt::format("  {} steps, {} images, {} clouds; at ({:.2f}, {:.2f}), {:.2f} m/s\n",
                           report.steps, report.images, report.clouds, report.final_state.x,
                           report.final_state.y, report.final_state.speed);
  for (const std::string& error : report.errors) std::cout << "  error: " << error << '\n';
  for (const std::string& warning : report.warnings) std::cout << "  warning: " << warning << '\n';
  for (const std::string& failure : report.failures) std::cout << "  FAILED: " << failure << '\n';
}

gs_sim::LoadedSimulation load(const gs_sim::SimulationParameters& parameters) {
  const auto world = std::make_shared<const gs_sim::WorldData>(gs_sim::loadWorld(parameters.world));
  auto [sensors, warnings] = gs_sim::createSensors(*world, parameters);
  gs_sim::Simulator simulator(world, parameters, std::move(sensors));
  for (const std::string& warning : warnings) simulator.reportWarning(warning);
  gs::logger("simulator")
      .info(fmt::format("world '{}' in {}: {}, {} s per step", world->bundle.index.scene_id,
                        parameters.world, sensorsText(simulator.sensors()),
                        gs::toSeconds(simulator.dt())));
  return {world, std::move(simulator)};
}

// The wires of this run; none when nobody outside is to hear of it.
std::vector<std::unique_ptr<gs_sim::SimulationWire>> openWires(
    const RunArguments& arguments, Ros2Options ros2, const gs_sim::SimulationParameters& parameters,
    gs_sim::RunHost& host) {
  std::vector<std::unique_ptr<gs_sim::SimulationWire>> wires;
  if (!arguments.is_headless) {
    ros2.bridge.is_interrupted = [&host] { return host.hasQuit() || isInterrupted(); };
    wires.push_back(std::make_unique<gs_ros2::Ros2Bridge>(ros2.bridge, parameters, host));
  }
  if (!hasWeb(arguments)) return wires;
  auto web = openWeb(arguments.web, parameters, host);
  const std::string where = fmt::format("open {} in a browser, or {} in Foxglove", web->url(),
                                        "ws" + web->url().substr(4));
  std::cout << where << std::endl;
  gs::logger("web").info(where);
  wires.push_back(std::move(web));
  return wires;
}

void run(RunArguments arguments) {
  gs::setThreadCount(arguments.threads);
  Ros2Options ros2_options = ros2OptionsFrom(arguments.ros_arguments);
  if (ros2_options.log_level) gs::initLogging(*ros2_options.log_level);
  for (const std::string& assignment : ros2_options.assignments)
    arguments.parameters.assignments.push_back(assignment);
  gs_sim::SimulationParameters defaults;
  // Nobody outside waits for a headless run: it may as well be over sooner.
  if (arguments.is_headless && !hasWeb(arguments)) defaults.simulation.real_time_factor = 0;
  const gs_sim::SimulationParameters parameters =
      parametersFrom(arguments.parameters, std::move(defaults));
  const gs_sim::DriveScript script = scriptFrom(arguments);

  gs_sim::LoadedSimulation simulation = load(parameters);
  gs_sim::Simulator& simulator = simulation.simulator;
  const auto script_driver = driverFor(script, simulator);
  gs_sim::LoadSimulation load_other = [&parameters](const std::string& path) {
    gs_sim::SimulationParameters changed = parameters;
    changed.world = path;
    return load(changed);
  };
  if (!arguments.record.empty()) load_other = nullptr;  // a recording is of one world
  gs_sim::RunHost host(
      simulation, {.load = std::move(load_other),
                   .script = script_driver.get(),
                   .begins_again = arguments.begins_again,
                   .interface = arguments.interface == "autoware" ? gs_sim::Interface::Autoware
                                                                  : gs_sim::Interface::Standard});
  std::optional<RunRecording> recording;
  const bool is_alone = arguments.is_headless && !hasWeb(arguments);
  if (!arguments.record.empty())
    recording.emplace(arguments.record, host, script_driver || is_alone);
  const auto wires = openWires(arguments, std::move(ros2_options), parameters, host);

  std::signal(SIGINT, [](int) { is_interrupted = 1; });
  std::signal(SIGTERM, [](int) { is_interrupted = 1; });
  PauseConsole console;
  gs_sim::RunOptions options{.stop_when = script.stop_when, .fail_when = script.fail_when};
  if (script.duration) options.duration = gs::findDuration(*script.duration);
  gs_sim::RunHooks hooks = host.hooks(isInterrupted);
  if (recording) host.onPublished([&](const gs_sim::PublishedStep& step) { recording->add(step); });
  if (!host.hasWires())
    hooks.waitWhilePaused = [&](gs_sim::Simulator& paused) { return console.wait(paused); };
  const gs_sim::RunReport report = gs_sim::runSimulation(simulator, host.seat(), options, hooks);

  if (recording) recording->close();
  if (!arguments.report.empty())
    gs::writeFileAtomically(arguments.report, std::string_view(gs::toText(gs::toJson(report))));
  if (!arguments.junit.empty())
    gs::writeFileAtomically(arguments.junit,
                            std::string_view(gs_sim::toJunit(report, script.fail_when)));
  gs::logger("simulator")
      .info(fmt::format("ended by {} after {:.2f} s", report.ended_by, report.simulated_sec));
  printReport(report);
  if (recording) std::cout << "  recorded: " << recording->text() << '\n';
  if (!report.success) throw ExitWith{runExitCode(report.failures.front())};
}

}  // namespace

void addRunCommand(CLI::App& app, const std::vector<std::string>& ros_arguments) {
  auto* command = app.add_subcommand("run", "Drive in a world, as a ROS 2 node or headless");
  auto arguments = std::make_shared<RunArguments>();
  arguments->ros_arguments = ros_arguments;
  addParameterOptions(*command, arguments->parameters);
  auto* script = command->add_option("--script", arguments->script,
                                     "drive.yaml: timed commands, or a path to follow");
  auto* follow = command->add_option(
      "--follow", arguments->follow,
      "Drive a path without a script: 'recorded', the way of the recording, or a poses.csv");
  follow->excludes(script);
  command->add_flag("--loop", arguments->begins_again, "At the end of the path, begin again")
      ->needs(follow);
  command->add_option("--duration", arguments->duration, "Seconds of simulated time");
  command->add_flag("--headless", arguments->is_headless,
                    "Without ROS 2 and browser, and as fast as possible unless told otherwise");
  command
      ->add_option("--interface", arguments->interface,
                   "Commands and reports on the wire: standard or autoware")
      ->check(CLI::IsMember({"standard", "autoware"}));
  addWebOptions(*command, arguments->web);
  command->add_option("--record", arguments->record, "Log of everything published: OUT.mcap");
  command->add_option("--report", arguments->report, "What happened, as JSON");
  command->add_option("--junit", arguments->junit, "The verdict, as JUnit XML");
  command
      ->add_option("--stop-when", arguments->stop_when,
                   "Ends the run: collision, offroad, arrived, standstill, none")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--fail-when", arguments->fail_when,
                   "Fails it: collision, offroad, missed_deadline, not_arrived, standstill, none")
      ->delimiter(',')
      ->allow_extra_args(false);
  command
      ->add_option("--threads", arguments->threads,
                   "At most so many; 0: one per CPU. Results do not depend on it")
      ->check(CLI::Range(0, 1024));
  command->footer(
      "Examples:\n"
      "  gs-simulator run worlds/minimal_test --headless --script drive.yaml --record out.mcap\n"
      "  gs-simulator run WORLD --headless --script drive.yaml --fail-when collision,offroad \\\n"
      "      --report out.json --junit out.xml\n"
      "  gs-simulator run WORLD --follow recorded --loop\n"
      "  gs-simulator run WORLD --headless --web --web-port 9000\n"
      "  gs-simulator run WORLD --headless --replay-control out.mcap --record again.mcap\n"
      "  gs-simulator run WORLD --set vehicle.dynamics_model=dynamic_bicycle --duration 20\n"
      "  gs-simulator run WORLD --ros-args -r __ns:=/lab -p simulation.real_time_factor:=0.5\n"
      "A script:\n"
      "  commands:\n"
      "  - {at: 0, speed: 5}\n"
      "  - {at: 4, steering_angle: 0.1}\n"
      "  duration: 10\n"
      "More: docs/interfaces/simulator.md, ros2.md, web.md");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace apps
