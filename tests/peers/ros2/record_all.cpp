// SPDX-License-Identifier: Apache-2.0
// record_all SECONDS SIMULATOR WORLD BUILDER INSPECT: a peer records every topic of a simulator
// that keeps a log of its own, as `ros2 bag record -a` does, in the dialect of GS_PEER_DIALECT.
// Fails when a message is missing or has other bytes than in the simulator's log, and when
// `gs-world-builder doctor` or `gs-inspect log` cannot read the bag or find damage in it.
#include <algorithm>
#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include "gs/core/testing/temp_dir.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/gs_sim_msgs.hpp"
#include "gs/msgs/std_srvs.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/bag_recorder.hpp"
#include "peers/ros2/simulator_process.hpp"

namespace {

namespace fs = std::filesystem;
using gs_ros2::testing::eventually;
using gs_ros2::testing::kPatience;
using Clock = std::chrono::steady_clock;
using Log = std::map<std::string, std::vector<size_t>>;  // hashes of messages, by topic

// The rest of this long after a pause is taken to be none: heartbeats are some tens of ms apart.
constexpr std::chrono::milliseconds kSilence(1500);
// Topics that the simulator's log does not have.
const std::set<std::string> kOnlyOnTheWire = {"/rosout", "/parameter_events"};

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void require(bool holds, const std::string& otherwise) {
  if (!holds) throw Failure(otherwise);
}

// While paused only the status goes on, which no log of the simulator has.
constexpr const char* kStatus = "/sim/status";
bool isOfAPause(const gs::LogMessage& message) {
  return message.topic.name == kStatus &&
         gs::decodeCdr<gs::msgs::SimulationStatus>(message.data, kStatus).is_paused;
}

std::map<std::string, uint64_t> countsOfSteps(const peers::BagRecorder& recorder) {
  auto counts = recorder.counts();
  counts.erase(kStatus);
  return counts;
}

// Equal for what was published and what came of it.
size_t hashOf(const gs::LogMessage& message) {
  std::vector<std::byte> bytes(message.data.begin(), message.data.end());
  if (message.topic.name == kStatus) {  // to which the wire adds warnings of its own
    auto status = gs::decodeCdr<gs::msgs::SimulationStatus>(bytes, message.topic.name);
    status.warnings.clear();
    bytes = gs::encodeCdr(status);
  }
  bytes.resize((bytes.size() + 3) / 4 * 4);  // as RTPS fills the last word
  return std::hash<std::string_view>()(gs::asText(bytes));
}

Log readLog(const fs::path& path) {
  Log log;
  const gs::LogReader reader(path, {.is_strict = true});
  reader.read({}, [&](const gs::LogMessage& message) {
    if (!isOfAPause(message)) log[message.topic.name].push_back(hashOf(message));
  });
  return log;
}

// Everything that was published from the first message on that came.
void expectComplete(const std::string& topic, const Log& truth, const Log& bag) {
  const auto came = bag.find(topic);
  require(came != bag.end(), topic + " was not recorded");
  const auto& all = truth.at(topic);
  const size_t count = came->second.size();
  std::cout << "  " << topic << ": " << count << " of " << all.size() << '\n';
  require(count <= all.size(), topic + ": more messages came than were published");
  const auto [wrong, published] = std::mismatch(came->second.begin(), came->second.end(),
                                                all.end() - static_cast<ptrdiff_t>(count));
  require(wrong == came->second.end(),
          topic + ": not every message came behind the first, up to the number " +
              std::to_string(wrong - came->second.begin()));
}

void compare(const fs::path& own_log, const fs::path& bag_folder) {
  const Log truth = readLog(own_log), bag = readLog(bag_folder);
  for (const auto& [topic, messages] : truth)
    if (topic != "/vehicle/control_cmd") expectComplete(topic, truth, bag);
  for (const auto& [topic, messages] : bag)
    require(truth.contains(topic) || kOnlyOnTheWire.contains(topic), topic + " came from nowhere");
}

nlohmann::json ask(const std::vector<std::string>& command) {
  peers::ChildProcess process(command);
  std::string text;
  while (const auto line = process.readLine(kPatience)) text += *line + "\n";
  require(process.finish() == 0, command[0] + " " + command[1] + " says:\n" + text);
  return nlohmann::json::parse(text);
}

// What our own readers of logs say about the bag.
void expectReadable(const fs::path& bag, int seconds, const std::string& builder,
                    const std::string& inspect) {
  const auto survey = ask({inspect, "log", "--json", bag.string()});
  require(survey.at("damage").empty(), "gs-inspect finds damage: " + survey.at("damage").dump());
  uint64_t count = 0;
  for (const auto& topic : survey.at("topics")) {
    require(topic.at("unreadable") == 0, topic.at("name").get<std::string>() + " is unreadable");
    count += topic.at("count").get<uint64_t>();
  }
  require(count == survey.at("messages") && count > 0, "gs-inspect does not read every message");
  // All gates; every day's test has not the thirty seconds of the first.
  const auto wanted = std::to_string(std::min(seconds, 30));
  const auto diagnosis = ask({builder, "doctor", "--json", "--min-duration", wanted, bag.string()});
  require(diagnosis.at("fit") == true, "doctor says: " + diagnosis.dump(1));
  std::cout << "  doctor: fit, " << count << " messages in " << diagnosis.at("duration_sec")
            << " s\n";
}

// Records for so long, then until all that was published has come.
void record(peers::BagRecorder& recorder, peers::RmwPeer& peer, int seconds) {
  require(eventually([&] {
            recorder.discover(peer);
            return recorder.counts().contains("/lidar/top/points") &&
                   recorder.counts().contains("/camera/front/image_raw");
          }),
          "the sensors' topics did not come");
  for (const auto end = Clock::now() + std::chrono::seconds(seconds); Clock::now() < end;) {
    recorder.discover(peer);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // as often as rosbag2 looks
  }
  const auto paused =
      peer.call<gs::msgs::TriggerResponse>("/sim/pause", gs::msgs::TriggerRequest(), kPatience);
  require(paused && paused->success, "it does not pause");
  auto counts = countsOfSteps(recorder);
  auto since = Clock::now();
  require(eventually([&] {
            if (const auto now = countsOfSteps(recorder); now != counts) {
              counts = now;
              since = Clock::now();
            }
            return Clock::now() - since > kSilence;
          }),
          "a paused simulator goes on publishing");
  for (const std::string& topic : recorder.unknownTopics())
    throw Failure(topic + " has a type that nobody knows");
}

// Ends with its owner, whatever happened before.
class Simulator {
 public:
  Simulator(const std::string& program, const std::string& world, const fs::path& log)
      : process_(
            peers::startSimulator(program, {"run", world, "--no-web", "--record", log.string()})) {}
  ~Simulator() { process_->send(SIGKILL); }

  int end() {
    process_->send(SIGINT);
    return process_->finish();
  }

 private:
  std::unique_ptr<peers::ChildProcess> process_;
};

void run(int seconds, const std::string& simulator_program, const std::string& world,
         const std::string& builder, const std::string& inspect) {
  const gs::testing::TempDir folder;
  const fs::path own_log = folder / "own.mcap", bag = folder / "bag";
  Simulator simulator(simulator_program, world, own_log);
  peers::BagRecorder recorder(bag);
  {
    peers::RmwPeer peer(peers::dialect(), gs_ros2::testing::loopback().domain, "rosbag2_recorder");
    record(recorder, peer, seconds);
    for (const std::string& problem : peer.problems()) throw Failure(problem);
  }
  recorder.close();
  require(simulator.end() == 0, "the simulator did not end well");
  compare(own_log, bag);
  expectReadable(bag, seconds, builder, inspect);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6)
    return std::cerr << "usage: record_all SECONDS SIMULATOR WORLD BUILDER INSPECT\n", 1;
  try {
    run(std::atoi(argv[1]), argv[2], argv[3], argv[4], argv[5]);
  } catch (const std::exception& error) {
    std::cout << "FAILED: " << error.what() << std::endl;
    return 1;
  }
  return 0;
}
