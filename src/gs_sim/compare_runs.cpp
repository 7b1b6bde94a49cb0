// SPDX-License-Identifier: Apache-2.0
#include "gs_sim/compare_runs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gs/core/hash.hpp"
#include "gs/formats/cdr.hpp"
#include "gs/formats/mcap_reader.hpp"
#include "gs/msgs/all_messages.hpp"

namespace gs_sim {
namespace {

// A message, small enough to keep all of a run.
struct Fingerprint {
  uint32_t topic = 0;  // index in the summary
  gs::Stamp stamp;
  std::string digest;
};

class Run {
 public:
  Run(const std::filesystem::path& path, const CompareOptions& options)
      : reader_(path, {.is_strict = true, .on_problem = {}}) {
    for (const gs::LogTopic& topic : reader_.summary().topics)
      if (std::find(options.ignored_topics.begin(), options.ignored_topics.end(), topic.name) ==
          options.ignored_topics.end())
        query_.topics.push_back(topic.name);
  }

  const gs::LogSummary& summary() const { return reader_.summary(); }
  const std::string& topicName(uint32_t index) const { return summary().topics[index].name; }

  bool isWanted(const std::string& topic) const {
    return std::find(query_.topics.begin(), query_.topics.end(), topic) != query_.topics.end();
  }
  void forEach(const std::function<void(const gs::LogMessage&)>& visit) const {
    if (!query_.topics.empty()) reader_.read(query_, visit);
  }
  std::vector<Fingerprint> fingerprints() const {
    std::vector<Fingerprint> all;
    const gs::LogTopic* first = summary().topics.data();
    forEach([&](const gs::LogMessage& message) {
      all.push_back({static_cast<uint32_t>(&message.topic - first), message.log_time,
                     gs::hexDigest(gs::HashKind::Md5, message.data)});
    });
    return all;
  }
  // Message number `index`, whole.
  std::vector<std::byte> load(size_t index) const {
    std::vector<std::byte> bytes;
    size_t at = 0;
    forEach([&](const gs::LogMessage& message) {
      if (at++ == index) bytes.assign(message.data.begin(), message.data.end());
    });
    return bytes;
  }

 private:
  gs::LogReader reader_;
  gs::LogQuery query_;
};

struct FieldDifference {
  std::string field, first, second;
};

std::string valueText(const std::string& value) { return '"' + value + '"'; }
std::string valueText(bool value) { return value ? "true" : "false"; }
std::string valueText(auto value) { return fmt::format("{}", value); }

template <typename T>
bool isSameValue(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) return a == b || (std::isnan(a) && std::isnan(b));
  else return a == b;
}

// The first leaf in which two messages differ, in the order of the wire.
template <typename T>
std::optional<FieldDifference> findDifference(const T& a, const T& b, const std::string& path) {
  if constexpr (gs::HasFields<T>) {
    // Both walks visit the same fields: remember those of `a`, compare when `b` comes to them.
    std::vector<const void*> fields_of_a;
    T::fields(a, [&](const char*, const auto& field, gs::FieldTraits = {}) {
      fields_of_a.push_back(&field);
    });
    std::optional<FieldDifference> found;
    size_t at = 0;
    T::fields(b, [&](const char* name, const auto& field, gs::FieldTraits = {}) {
      const auto& other =
          *static_cast<const std::remove_cvref_t<decltype(field)>*>(fields_of_a[at++]);
      if (!found) found = findDifference(other, field, path.empty() ? name : path + "." + name);
    });
    return found;
  } else if constexpr (gs::CdrSequence<T> || gs::CdrArray<T>) {
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (auto found = findDifference(a[i], b[i], fmt::format("{}[{}]", path, i))) return found;
    if (a.size() == b.size()) return std::nullopt;
    return FieldDifference{path + ".size", valueText(a.size()), valueText(b.size())};
  } else {
    if (isSameValue(a, b)) return std::nullopt;
    return FieldDifference{path, valueText(a), valueText(b)};
  }
}

// data[i] of an image or cloud says little: name the pixel, or the point and its field.
void explain(const gs::msgs::Image& image, size_t index, FieldDifference& difference) {
  if (image.step == 0 || image.width == 0 || image.step % image.width != 0) return;
  const size_t channels = image.step / image.width;
  difference.field += fmt::format(" (pixel {}, {}, channel {})", index % image.step / channels,
                                  index / image.step, index % channels);
}
void explain(const gs::msgs::PointCloud2& cloud, size_t index, FieldDifference& difference) {
  if (cloud.point_step == 0) return;
  const std::string* name = nullptr;
  for (const gs::msgs::PointField& field : cloud.point_fields)
    if (field.offset <= index % cloud.point_step) name = &field.name;
  difference.field +=
      fmt::format(" (point {}, {})", index / cloud.point_step, name ? *name : "padding");
}

template <typename Message>
std::optional<FieldDifference> differenceOf(gs::Bytes first, gs::Bytes second) {
  const auto a = gs::findCdr<Message>(first), b = gs::findCdr<Message>(second);
  if (!a || !b) return std::nullopt;
  std::optional<FieldDifference> found = findDifference(*a, *b, "");
  if constexpr (requires { explain(*a, 0, *found); }) {
    if (found && found->field.starts_with("data[") && a->data.size() == b->data.size()) {
      const auto [at, other] = std::mismatch(a->data.begin(), a->data.end(), b->data.begin());
      explain(*a, static_cast<size_t>(at - a->data.begin()), *found);
    }
  }
  return found;
}

FieldDifference byteDifference(gs::Bytes first, gs::Bytes second) {
  const auto [a, b] = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  const auto text = [](auto at, auto end) {
    return at == end ? std::string("the end") : fmt::format("{:#04x}", static_cast<uint8_t>(*at));
  };
  return {fmt::format("byte {}", a - first.begin()), text(a, first.end()), text(b, second.end())};
}

// Whatever type we know: the table of topics may have any of them.
template <typename... Messages>
FieldDifference describe(gs::msgs::MessageList<Messages...>, const std::string& type,
                         gs::Bytes first, gs::Bytes second) {
  std::optional<FieldDifference> found;
  ((type == Messages::kRosType ? (found = differenceOf<Messages>(first, second), 0) : 0), ...);
  return found ? *found : byteDifference(first, second);
}

std::optional<RunDifference> findTypeDifference(const Run& a, const Run& b) {
  for (const gs::LogTopic& topic : a.summary().topics) {
    const gs::LogTopic* other = b.summary().find(topic.name);
    if (other && a.isWanted(topic.name) &&
        (other->type != topic.type || other->schema_text != topic.schema_text))
      return RunDifference{.kind = RunDifference::Kind::TopicType,
                           .topic = topic.name,
                           .first = topic.type,
                           .second = other->type};
  }
  return std::nullopt;
}

RunDifference lonely(RunDifference::Kind kind, const Run& run, const Fingerprint& message,
                     size_t index) {
  return {.kind = kind,
          .topic = run.topicName(message.topic),
          .stamp = message.stamp,
          .message = index};
}

}  // namespace

RunComparison compareRuns(const std::filesystem::path& first, const std::filesystem::path& second,
                          const CompareOptions& options) {
  using Kind = RunDifference::Kind;
  const Run a(first, options), b(second, options);
  if (auto difference = findTypeDifference(a, b)) return {0, difference};
  const std::vector<Fingerprint> of_a = a.fingerprints(), of_b = b.fingerprints();
  const auto is_same = [&](const Fingerprint& x, const Fingerprint& y) {
    return x.stamp == y.stamp && x.digest == y.digest &&
           a.topicName(x.topic) == b.topicName(y.topic);
  };
  const auto [in_a, in_b] =
      std::mismatch(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), is_same);
  const auto index = static_cast<size_t>(in_a - of_a.begin());
  if (in_a == of_a.end() && in_b == of_b.end()) return {index, std::nullopt};
  if (in_a == of_a.end()) return {index, lonely(Kind::OnlyInSecond, b, *in_b, index)};
  if (in_b == of_b.end()) return {index, lonely(Kind::OnlyInFirst, a, *in_a, index)};
  const std::string &topic_a = a.topicName(in_a->topic), &topic_b = b.topicName(in_b->topic);
  if (topic_a != topic_b || in_a->stamp != in_b->stamp) {
    // The message that comes earlier is the one that the other run lacks.
    const bool is_a = in_a->stamp != in_b->stamp
                          ? in_a->stamp < in_b->stamp
                          : std::none_of(in_b, of_b.end(), [&](const Fingerprint& f) {
                              return f.stamp == in_a->stamp && b.topicName(f.topic) == topic_a;
                            });
    return {index, is_a ? lonely(Kind::OnlyInFirst, a, *in_a, index)
                        : lonely(Kind::OnlyInSecond, b, *in_b, index)};
  }
  const std::vector<std::byte> bytes_a = a.load(index), bytes_b = b.load(index);
  const FieldDifference field =
      describe(gs::msgs::AllMessages(), a.summary().topics[in_a->topic].type, bytes_a, bytes_b);
  return {index, RunDifference{Kind::Content, topic_a, in_a->stamp, index, field.field, field.first,
                               field.second}};
}

std::string toText(const RunComparison& comparison) {
  if (comparison.isSame()) return fmt::format("the same: {} messages", comparison.messages);
  const RunDifference& d = *comparison.difference;
  const std::string where =
      fmt::format("{} at {} s (message {})", d.topic, gs::toDecimalSeconds(d.stamp), d.message);
  switch (d.kind) {
    case RunDifference::Kind::OnlyInFirst: return "only in the first run: " + where;
    case RunDifference::Kind::OnlyInSecond: return "only in the second run: " + where;
    case RunDifference::Kind::TopicType:
      return fmt::format("{} has another type: {} and {}", d.topic, d.first, d.second);
    case RunDifference::Kind::Content: break;
  }
  return fmt::format("{}: {} is {} and {}", where, d.field, d.first, d.second);
}

}  // namespace gs_sim
