// SPDX-License-Identifier: Apache-2.0
#include "gs_ros2/service.hpp"

#include <algorithm>
#include <deque>

#include "gs_ros2/names.hpp"

namespace gs_ros2 {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr Qos kServiceQos{.depth = 10};
constexpr size_t kCdrHeader = 4;
constexpr size_t kCycloneHeader = 16;  // uint64 client, int64 number
// A reply waits so long for its reader to be discovered; then its client is taken to be gone.
constexpr std::chrono::seconds kReplyPatience(2);
constexpr size_t kMaxWaitingReplies = 100;

EndpointSpec requestSpec(const ServiceSpec& spec) {
  return {requestForDds(spec.name), spec.request_type, spec.request_hash, kServiceQos, {}};
}
EndpointSpec replySpec(const ServiceSpec& spec) {
  return {replyForDds(spec.name), spec.response_type, spec.response_hash, kServiceQos, {}};
}

std::vector<std::byte> joined(std::initializer_list<gs::Bytes> parts) {
  std::vector<std::byte> all;
  for (const gs::Bytes part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

struct ServiceServer::State : std::enable_shared_from_this<State> {
  struct Waiting {
    SampleId request;
    std::vector<std::byte> bytes;
    SteadyClock::time_point deadline;
  };

  void receive(Participant& participant, const Arrival& arrival, const Receive& handle) {
    const Guid& answer_to = arrival.related.guid;
    const SampleId key{answer_to.isUnknown() ? arrival.id.guid : answer_to, arrival.id.sequence};
    const auto self = shared_from_this();
    if (participant.isCycloneClient(arrival.id.guid)) {
      if (arrival.bytes.size() < kCdrHeader + kCycloneHeader)
        return handle({}, [](gs::Bytes) {});  // no request; who counts such things counts it
      // 16 bytes leave the alignment of what follows as it is, so both parts can just be moved.
      const auto cdr_header = arrival.bytes.first(kCdrHeader);
      const auto header = arrival.bytes.subspan(kCdrHeader, kCycloneHeader);
      const auto request = joined({cdr_header, arrival.bytes.subspan(kCdrHeader + kCycloneHeader)});
      handle(request, [self, key, header = joined({header})](gs::Bytes reply) {
        if (reply.size() < kCdrHeader) return;
        self->answer(key, joined({reply.first(kCdrHeader), header, reply.subspan(kCdrHeader)}));
      });
    } else {
      handle(arrival.bytes, [self, key](gs::Bytes reply) { self->answer(key, joined({reply})); });
    }
  }

  // A client may ask before its reply reader has been discovered here; a reply sent then is lost.
  void answer(const SampleId& request, std::vector<std::byte> bytes) {
    {
      const std::lock_guard lock(mutex);
      if (waiting.size() >= kMaxWaitingReplies) waiting.pop_front();
      waiting.push_back({request, std::move(bytes), SteadyClock::now() + kReplyPatience});
    }
    flush();
  }

  void flush() {
    const std::lock_guard lock(mutex);
    if (!writer) return;
    std::erase_if(waiting, [&](Waiting& reply) {
      if (writer->reaches(reply.request.guid)) {
        writer->reply(
            [bytes = std::move(reply.bytes)](std::vector<std::byte>& out) { out = bytes; },
            reply.request);
        return true;
      }
      return SteadyClock::now() > reply.deadline;
    });
  }

  std::mutex mutex;
  std::deque<Waiting> waiting;
  std::unique_ptr<Writer> writer;
  std::unique_ptr<Reader> reader;
};

ServiceServer::ServiceServer(Participant& participant, const ServiceSpec& spec, Receive receive)
    : state_(std::make_shared<State>()) {
  State* state = state_.get();
  state->writer = participant.createWriter(replySpec(spec));
  state->writer->onMatch([state] { state->flush(); });
  state->reader = participant.createReader(
      requestSpec(spec), [state, &participant, receive = std::move(receive)](const Arrival& a) {
        state->receive(participant, a, receive);
      });
}

ServiceServer::~ServiceServer() {
  state_->reader.reset();
  std::unique_ptr<Writer> writer;
  {
    const std::lock_guard lock(state_->mutex);
    writer = std::move(state_->writer);
  }
}

Guid ServiceServer::requestReader() const { return state_->reader->guid(); }
Guid ServiceServer::replyWriter() const { return state_->writer->guid(); }

ServiceClient::ServiceClient(Participant& participant, const ServiceSpec& spec) {
  writer_ = participant.createWriter(requestSpec(spec));
  reader_ = participant.createReader(replySpec(spec), [this](const Arrival& arrival) {
    const std::lock_guard lock(mutex_);
    // Replies to other clients pass by here too.
    if (arrival.related.guid != own_reader_ && arrival.related.guid != writer_->guid()) return;
    replies_[arrival.related.sequence].assign(arrival.bytes.begin(), arrival.bytes.end());
    changed_.notify_all();
  });
  const std::lock_guard lock(mutex_);
  own_reader_ = reader_->guid();
}

ServiceClient::~ServiceClient() { reader_.reset(); }

bool ServiceClient::isAvailable() const {
  return writer_->readerCount() > 0 && reader_->writerCount() > 0;
}

std::optional<std::vector<std::byte>> ServiceClient::call(gs::Bytes request,
                                                          std::chrono::milliseconds patience) {
  const auto deadline = SteadyClock::now() + patience;
  const auto id = writer_->writeNow(request, reader_->guid());
  if (!id) return std::nullopt;
  std::unique_lock lock(mutex_);
  const bool has_come =
      changed_.wait_until(lock, deadline, [&] { return replies_.contains(id->sequence); });
  if (!has_come) return std::nullopt;
  auto reply = std::move(replies_.extract(id->sequence).mapped());
  replies_.erase(replies_.begin(), replies_.upper_bound(id->sequence));  // of calls given up
  return reply;
}

}  // namespace gs_ros2
