// SPDX-License-Identifier: Apache-2.0
// stock_reader DOMAIN best_effort|reliable COUNT [--every-stamp [DELAY_MS]]: reads the cameras of
// sensor_stream.hpp as a node does that nobody has tuned: UDP with sockets of the system's default
// size, depth 5, messages taken on a thread of their own. Prints "ready", "matched" when every
// reader has found its writer, and the tally when stdin closes. With --every-stamp it keeps
// whatever reaches it, prints "at <number>" for each message, and lets the socket wait for so long
// after each.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>

#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/qos/DomainParticipantQos.hpp>
#include <fastdds/dds/subscriber/qos/DataReaderQos.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include "gs_ros2/wire_fastdds.hpp"
#include "peers/ros2/child_process.hpp"
#include "peers/ros2/sensor_stream.hpp"

namespace {

using namespace gs_ros2;

fast::DomainParticipant* createStockParticipant(uint32_t domain) {
  fast::DomainParticipantQos qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList.emplace_back("127.0.0.1");
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports.push_back(udp);
  rtps::Locator_t local;
  rtps::IPLocator::setIPv4(local, "127.0.0.1");
  qos.wire_protocol().builtin.initialPeersList.push_back(local);
  qos.wire_protocol().builtin.readerHistoryMemoryPolicy =
      rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  qos.wire_protocol().builtin.writerHistoryMemoryPolicy =
      rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  return fast::DomainParticipantFactory::get_instance()->create_participant(domain, qos);
}

struct Habits {
  bool is_reliable = false;
  bool tells_every_stamp = false;
  std::chrono::milliseconds delay{0};
};

class Camera final : fast::DataReaderListener {
 public:
  Camera(fast::DomainParticipant& participant, fast::Subscriber& subscriber, int index,
         const Habits& habits)
      : habits_(habits) {
    const EndpointSpec spec = peers::cameraSpec(index);
    fast::TypeSupport type(new RawType(spec.type));
    participant.register_type(type);
    fast::Topic* topic = participant.create_topic(spec.topic, spec.type, fast::TOPIC_QOS_DEFAULT);
    fast::DataReaderQos qos;
    qos.reliability().kind =
        habits.is_reliable ? fast::RELIABLE_RELIABILITY_QOS : fast::BEST_EFFORT_RELIABILITY_QOS;
    qos.history().depth = habits.tells_every_stamp ? 5000 : 5;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    reader_ = subscriber.create_datareader(topic, qos, this, fast::StatusMask::data_available());
    if (!reader_) std::abort();
    thread_ = std::thread([this] { work(); });
  }
  ~Camera() {
    {
      const std::lock_guard lock(mutex_);
      is_stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  bool isMatched() const {
    fast::SubscriptionMatchedStatus status;
    return reader_->get_subscription_matched_status(status) == ReturnCode_t::RETCODE_OK &&
           status.current_count > 0;
  }
  peers::Tally tally() const {
    const std::lock_guard lock(mutex_);
    return tally_;
  }

 private:
  // On the thread that reads the socket.
  void on_data_available(fast::DataReader*) override {
    {
      const std::lock_guard lock(mutex_);
      has_data_ = true;
    }
    changed_.notify_all();
    if (++calls_ > kQuickCalls) std::this_thread::sleep_for(habits_.delay);
  }

  void work() {
    std::vector<std::byte> message;
    fast::SampleInfo info;
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return has_data_ || is_stopping_; });
      if (is_stopping_) return;
      has_data_ = false;
      lock.unlock();
      while (reader_->take_next_sample(&message, &info) == ReturnCode_t::RETCODE_OK) {
        if (!info.valid_data) continue;
        const peers::Mark mark = peers::markOf(message);
        if (habits_.tells_every_stamp) std::cout << "at " << mark.number << std::endl;
        const std::lock_guard count(mutex_);
        tally_.see(mark, message.size());
      }
      lock.lock();
    }
  }

  static constexpr int kQuickCalls = 30;

  Habits habits_;
  int calls_ = 0;  // of the listener
  fast::DataReader* reader_ = nullptr;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool has_data_ = false, is_stopping_ = false;
  peers::Tally tally_;
  std::thread thread_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4)
    return std::cerr
               << "usage: stock_reader DOMAIN best_effort|reliable COUNT [--every-stamp [MS]]\n",
           1;
  const Habits habits{.is_reliable = std::string(argv[2]) == "reliable",
                      .tells_every_stamp = argc > 4,
                      .delay = std::chrono::milliseconds(argc > 5 ? std::atoi(argv[5]) : 0)};
  fast::DomainParticipant* participant =
      createStockParticipant(static_cast<uint32_t>(std::atoi(argv[1])));
  if (!participant) return 1;
  fast::Subscriber* subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  std::vector<std::unique_ptr<Camera>> cameras;
  for (int i = 0; i < std::atoi(argv[3]); ++i)
    cameras.push_back(std::make_unique<Camera>(*participant, *subscriber, i, habits));
  std::cout << "ready" << std::endl;
  const auto is_matched = [](const auto& camera) { return camera->isMatched(); };
  while (!peers::isStdinClosed() && !std::all_of(cameras.begin(), cameras.end(), is_matched))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::cout << "matched" << std::endl;
  const auto start = peers::Clock::now();
  while (std::cin.get() != EOF) {
  }
  const std::chrono::duration<double> seconds = peers::Clock::now() - start;
  std::vector<peers::Tally> tallies;
  for (const auto& camera : cameras) tallies.push_back(camera->tally());
  peers::print("stock", tallies, seconds.count());
  std::_Exit(0);  // the listeners are in use until here; the end of the process ends them
}
