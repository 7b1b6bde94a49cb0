// SPDX-License-Identifier: Apache-2.0
// soak SECONDS NODE READER: the bridge in another process runs while peers come and go and one is
// killed. Fails when memory grows, when messages stop, when a stamp is not that of /clock, or when
// a step is missing. NODE and READER are synthetic_node and lazy_reader. Peers speak the dialect of
// GS_PEER_DIALECT.
#include <atomic>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "gs/msgs/nav_msgs.hpp"
#include "gs/msgs/rosgraph_msgs.hpp"
#include "gs/msgs/sensor_msgs.hpp"
#include "gs_ros2/testing/wait.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/rmw_peer.hpp"

namespace {

using Clock = std::chrono::steady_clock;
namespace msgs = gs::msgs;

constexpr int64_t kStepNs = 10'000'000;
constexpr std::chrono::seconds kLongestSilence(10);
constexpr double kAllowedGrowthMb = 16;

double residentMb(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/statm");
  long total = 0, resident = 0;
  file >> total >> resident;
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / 1e6;
}

// One topic: stamps rise by whole periods, none is missing, and the last one was not long ago.
class Watch {
 public:
  Watch(const char* topic, int period) : topic_(topic), period_ns_(period * kStepNs) {}

  void see(const msgs::Time& time) {
    const int64_t ns = gs::fromSecNanosec({time.sec, time.nanosec}).ns;
    if (last_ns_ != 0 && ns != last_ns_ + period_ns_) ++problems_;
    last_ns_ = ns;
    last_seen_ = Clock::now().time_since_epoch().count();
    ++count_;
  }

  bool isSilent() const {
    return Clock::now().time_since_epoch() - Clock::duration(last_seen_.load()) > kLongestSilence;
  }
  int64_t count() const { return count_; }
  int64_t lastNs() const { return last_ns_; }
  int64_t problems() const { return problems_; }
  const char* topic() const { return topic_; }

 private:
  const char* topic_;
  int64_t period_ns_;
  std::atomic<int64_t> last_ns_ = 0, count_ = 0, problems_ = 0;
  std::atomic<Clock::rep> last_seen_ = Clock::now().time_since_epoch().count();
};

int fail(const std::string& why) {
  std::cout << "FAILED: " << why << std::endl;
  return 1;
}

int soak(int seconds, const std::string& node_program, const std::string& reader_program) {
  const auto settings = gs_ros2::testing::loopback();
  const std::string domain = std::to_string(settings.domain);
  peers::ChildProcess node({node_program, domain}, {{"ROS_DISTRO", peers::dialect().distro}});
  if (!node.waitForLine("ready", gs_ros2::testing::kPatience))
    return fail("the node did not start");

  Watch clock("/clock", 1), odom("/odom", 1), image("image_raw", 8), cloud("points", 10);
  peers::RmwPeer peer(peers::dialect(), settings.domain, "soak");
  const peers::PeerQos qos{.depth = 400};
  peer.subscribe<msgs::Clock>("/clock", qos, [&](msgs::Clock&& m) { clock.see(m.clock); });
  peer.subscribe<msgs::Odometry>("/odom", qos,
                                 [&](msgs::Odometry&& m) { odom.see(m.header.stamp); });
  peer.subscribe<msgs::Image>("/camera/front/image_raw", qos,
                              [&](msgs::Image&& m) { image.see(m.header.stamp); });
  peer.subscribe<msgs::PointCloud2>("/lidar/top/points", qos,
                                    [&](msgs::PointCloud2&& m) { cloud.see(m.header.stamp); });
  const Watch* const all[] = {&clock, &odom, &image, &cloud};
  if (!gs_ros2::testing::eventually([&] {
        return std::all_of(std::begin(all), std::end(all),
                           [](const Watch* watch) { return watch->count() > 20; });
      }))
    return fail("not every topic arrives");

  const auto start = Clock::now();
  const auto end = start + std::chrono::seconds(seconds);
  const auto warm = start + std::chrono::seconds(seconds) / 3;
  std::deque<std::unique_ptr<peers::ChildProcess>> readers;
  double memory_at_warm = 0, most_memory = 0;
  int rounds = 0, killed = 0;
  while (Clock::now() < end) {
    readers.push_back(
        std::make_unique<peers::ChildProcess>(std::vector<std::string>{reader_program, domain}));
    if (!readers.back()->waitForLine("reading", gs_ros2::testing::kPatience))
      return fail("a new peer got nothing");
    if (readers.size() > 2) {
      if (rounds % 4 == 1) {
        readers.front()->send(SIGKILL);
        ++killed;
      }
      readers.pop_front();
    }
    ++rounds;
    if (Clock::now() > warm && memory_at_warm == 0) memory_at_warm = residentMb(node.pid());
    most_memory = std::max(most_memory, residentMb(node.pid()));
    for (const Watch* watch : all) {
      if (watch->isSilent()) return fail(std::string(watch->topic()) + " fell silent");
      if (watch->problems() > 0)
        return fail(std::string(watch->topic()) + " missed a step or its time went wrong");
    }
    // The newest odometry and the newest clock are of the same time, but for what is on its way.
    if (std::abs(clock.lastNs() - odom.lastNs()) > 100 * kStepNs)
      return fail("/odom and /clock disagree about the time");
  }
  readers.clear();
  for (const std::string& problem : peer.problems()) return fail(problem);
  const double growth = residentMb(node.pid()) - memory_at_warm;
  std::cout << seconds << " s: " << clock.count() << " clocks, " << odom.count() << " odometries, "
            << image.count() << " images, " << cloud.count() << " clouds; " << rounds
            << " peers came, " << killed << " were killed; memory " << memory_at_warm << " MB, "
            << growth << " MB more at the end, " << most_memory << " MB at most" << std::endl;
  if (memory_at_warm > 0 && growth > kAllowedGrowthMb) return fail("memory grows");
  if (node.finish() != 0) return fail("the node did not end well");
  while (const auto line = node.readLine(std::chrono::seconds(1))) std::cout << *line << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::cerr << "usage: soak SECONDS NODE READER\n", 1;
  return soak(std::atoi(argv[1]), argv[2], argv[3]);
}
