// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gs/formats/cdr.hpp"
#include "gs/msgs/action.hpp"
#include "gs/msgs/action_msgs.hpp"
#include "gs_ros2/node.hpp"
#include "gs_ros2/testing/wait.hpp"

// A peer that does on bare endpoints what rcl_action's client does, over either of the two ways in
// which requests find their replies.
namespace gs_ros2::testing {

enum class Dialect { FastDds, Cyclone };

// One call after another without waiting for any of them.
template <typename Request, typename Response>
class CallingClient {
 public:
  CallingClient(Participant& participant, const std::string& service, Dialect dialect)
      : dialect_(dialect) {
    const ServiceSpec spec = serviceSpec<Request, Response>(service);
    EndpointSpec requests{requestForDds(service), spec.request_type, spec.request_hash, {}};
    if (dialect == Dialect::Cyclone) requests.user_data = "clientid=1.2.3;";
    writer_ = participant.createWriter(requests);
    reader_ =
        participant.createReader({replyForDds(service), spec.response_type, spec.response_hash, {}},
                                 [this](const Arrival& arrival) { receive(arrival); });
    const std::lock_guard lock(mutex_);
    own_reader_ = reader_->guid();
  }
  ~CallingClient() { reader_.reset(); }

  bool isMatched() const { return writer_->readerCount() == 1 && reader_->writerCount() == 1; }

  // The number of the call.
  int64_t send(const Request& request) { return sendBytes(gs::encodeCdr(request)); }
  int64_t sendBytes(std::vector<std::byte> bytes) {
    if (dialect_ == Dialect::FastDds) return writer_->writeNow(bytes, own_reader_)->sequence;
    const std::vector<std::byte> header = headerOf(++last_number_);
    bytes.insert(bytes.begin() + std::min<ptrdiff_t>(4, std::ssize(bytes)), header.begin(),
                 header.end());
    sendRaw(bytes);
    return last_number_;
  }
  // Without any header.
  void sendRaw(gs::Bytes bytes) { writer_->writeNow(bytes, {}); }

  std::optional<Response> reply(int64_t number) const {
    const std::lock_guard lock(mutex_);
    const auto found = replies_.find(number);
    return found == replies_.end() ? std::nullopt : gs::findCdr<Response>(found->second);
  }
  size_t replyCount() const {
    const std::lock_guard lock(mutex_);
    return replies_.size();
  }

 private:
  static constexpr size_t kHeader = 16;

  // What rmw_cyclonedds puts between the CDR header and the request: its own id, then the number.
  std::vector<std::byte> headerOf(int64_t number) const {
    const int64_t words[2] = {reinterpret_cast<int64_t>(this), number};
    std::vector<std::byte> header(kHeader);
    std::memcpy(header.data(), words, kHeader);
    return header;
  }

  void receive(const Arrival& arrival) {
    const std::lock_guard lock(mutex_);
    std::vector<std::byte> bytes(arrival.bytes.begin(), arrival.bytes.end());
    int64_t number = arrival.related.sequence;
    if (dialect_ == Dialect::Cyclone) {
      if (bytes.size() < 4 + kHeader) return;
      std::memcpy(&number, bytes.data() + 12, 8);
      const auto header = headerOf(number);
      if (!std::equal(header.begin(), header.end(), bytes.begin() + 4)) return;
      bytes.erase(bytes.begin() + 4, bytes.begin() + 4 + kHeader);
    } else if (arrival.related.guid != own_reader_) {
      return;
    }
    replies_[number] = std::move(bytes);
  }

  Dialect dialect_;
  int64_t last_number_ = 0;
  mutable std::mutex mutex_;
  std::map<int64_t, std::vector<std::byte>> replies_;
  Guid own_reader_;
  std::unique_ptr<Writer> writer_;
  std::unique_ptr<Reader> reader_;
};

// `name` is the full name of the action.
template <typename A>
struct ActionClient {
  ActionClient(Participant& participant, const std::string& name, Dialect dialect)
      : goals(participant, name + "/_action/send_goal", dialect),
        cancels(participant, name + "/_action/cancel_goal", dialect),
        results(participant, name + "/_action/get_result", dialect),
        feedback_reader_(collect(participant, name + "/_action/feedback", {.depth = 10}, feedback)),
        status_reader_(collect(participant, name + "/_action/status",
                               {.is_latched = true, .depth = 1}, status)) {}

  // What rcl_action_server_is_available() asks.
  bool isMatched() const {
    return goals.isMatched() && cancels.isMatched() && results.isMatched() &&
           feedback_reader_->writerCount() == 1 && status_reader_->writerCount() == 1;
  }

  CallingClient<gs::msgs::SendGoalRequest<A>, gs::msgs::SendGoalResponse<A>> goals;
  CallingClient<gs::msgs::CancelGoalRequest, gs::msgs::CancelGoalResponse> cancels;
  CallingClient<gs::msgs::GetResultRequest<A>, gs::msgs::GetResultResponse<A>> results;
  Inbox<gs::msgs::FeedbackMessage<A>> feedback;
  Inbox<gs::msgs::GoalStatusArray> status;

 private:
  template <typename T>
  static std::unique_ptr<Reader> collect(Participant& participant, const std::string& topic,
                                         const Qos& qos, Inbox<T>& inbox) {
    return participant.createReader(
        {topicForDds(topic), gs::ddsTypeName<T>(), gs::rosTypeHash<T>(), qos},
        [&inbox](const Arrival& arrival) {
          if (auto message = gs::findCdr<T>(arrival.bytes)) inbox.put(std::move(*message));
        });
  }

  std::unique_ptr<Reader> feedback_reader_, status_reader_;
};

}  // namespace gs_ros2::testing
