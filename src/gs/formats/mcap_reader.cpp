// SPDX-License-Identifier: Apache-2.0
#include "gs/formats/mcap_reader.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/log.hpp"
#include "gs/formats/foreign_logs.hpp"
#include "gs/formats/mcap_index.hpp"
#include "gs/formats/mcap_merge.hpp"
#include "gs/formats/rosbag2_metadata.hpp"

namespace gs {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kReadBudget = uint64_t{256} << 20;
constexpr size_t kMaxProblems = 1000;  // a file of pure noise needs no longer list

[[noreturn]] void fail(const std::string& file, uint64_t offset, const std::string& what) {
  throw Error({.code = ErrorCode::McapReadError,
               .component = "mcap_ingest",
               .message = "'" + file + "' at byte " + std::to_string(offset) + ": " + what,
               .details = {{"file", file}, {"offset", offset}, {"problem", what}},
               .suggestion = "Check that the log was copied whole; 'gs-inspect log' lists what is "
                             "damaged."});
}

[[noreturn]] void failForeign(const std::string& file, const ForeignLog& foreign) {
  throw Error({.code = ErrorCode::McapReadError,
               .component = "mcap_ingest",
               .message = "'" + file + "' is " + foreign.what,
               .details = {{"file", file}, {"problem", foreign.what}},
               .suggestion = foreign.suggestion});
}

void refuseForeign(const ByteSource& source) {
  std::array<std::byte, 16> head{};
  const size_t got = source.readSomeAt(0, head);
  if (const auto foreign = recogniseForeignLog(Bytes(head).first(got), source.name()))
    failForeign(source.name(), *foreign);
}

// Tells each problem once, however often the damaged place is met.
class Reporter {
 public:
  explicit Reporter(LogReaderOptions options) : options_(std::move(options)) {}

  void report(const McapProblem& problem) {
    if (options_.is_strict) fail(problem.file, problem.offset, problem.message);
    {
      const std::lock_guard lock(mutex_);
      if (told_.size() >= kMaxProblems) return;
      if (!told_.emplace(problem.file, problem.offset).second) return;
    }
    if (options_.on_problem) return options_.on_problem(problem);
    logger("mcap_ingest")
        .warn("'" + problem.file + "' at byte " + std::to_string(problem.offset) + ": " +
              problem.message + " (" + std::to_string(problem.lost_bytes) + " bytes lost)");
  }

 private:
  LogReaderOptions options_;
  std::mutex mutex_;
  std::set<std::pair<std::string, uint64_t>> told_;
};

struct LogFile {
  std::unique_ptr<ByteSource> source;
  McapFileIndex index;
  std::vector<size_t> topic_of;  // by channel id, in LogSummary::topics
};

bool looksLikeMcap(const ByteSource& source) {
  std::array<std::byte, kMcapMagic.size() + 1> head{};
  const size_t got = source.readSomeAt(0, head);
  const std::string_view text = asText(Bytes(head).first(got));
  if (text.starts_with(kMcapMagic)) return true;
  // One wrong byte in the magic is no reason to give up a drive.
  if (got < head.size() || text.back() != static_cast<char>(McapOpcode::Header)) return false;
  return std::inner_product(kMcapMagic.begin(), kMcapMagic.end(), text.begin(), 0, std::plus<>(),
                            std::equal_to<>()) == 7;
}

bool holdsSqlite(const fs::path& folder) {
  const fs::directory_iterator entries(folder);
  return std::any_of(begin(entries), end(entries),
                     [](const auto& entry) { return entry.path().extension() == ".db3"; });
}

std::vector<fs::path> filesOfBag(const fs::path& folder) {
  const fs::path metadata = folder / "metadata.yaml";
  std::vector<fs::path> files;
  if (fs::exists(metadata)) {
    for (const std::string& relative : readRosbag2Metadata(metadata).relative_file_paths) {
      const ResolvedPath resolved = resolveInside(folder, relative);
      if (resolved.problem != PathProblem::None)
        fail(metadata.string(), 0, "the file '" + relative + "' is outside the bag");
      files.push_back(resolved.path);
    }
  } else {
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".mcap") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  }
  return files;
}

}  // namespace

const LogTopic* LogSummary::find(const std::string& topic) const {
  const auto found = std::find_if(topics.begin(), topics.end(),
                                  [&](const LogTopic& known) { return known.name == topic; });
  return found == topics.end() ? nullptr : &*found;
}

struct LogReader::State {
  explicit State(LogReaderOptions options) : reporter(std::move(options)) {}

  McapProblemSink sinkOf(const ByteSource& source) const {
    return [this, name = source.name()](uint64_t offset, uint64_t lost, const std::string& what) {
      reporter.report({name, offset, lost, what});
    };
  }

  void add(std::unique_ptr<ByteSource> source) {
    refuseForeign(*source);
    if (!looksLikeMcap(*source)) fail(source->name(), 0, "this is not an MCAP file");
    const McapProblemSink sink = sinkOf(*source);
    std::array<std::byte, kMcapMagic.size()> magic{};
    if (source->readAt(0, magic); asText(magic) != kMcapMagic)
      sink(0, 0, "the magic at the beginning is damaged");
    auto index = indexFromSummary(*source, sink);
    if (!index) index = indexByScan(*source, sink);
    files.push_back({std::move(source), std::move(*index), {}});
  }

  // Files that cannot be opened are problems as long as another one can.
  void addBag(const fs::path& folder) {
    const std::vector<fs::path> paths = filesOfBag(folder);
    if (paths.empty() && holdsSqlite(folder))
      failForeign(folder.string(), sqliteBag(folder.string()));
    if (paths.empty()) fail(folder.string(), 0, "there is no .mcap file in this folder");
    std::vector<McapProblem> failures;
    for (const fs::path& path : paths) {
      try {
        add(openLog(path));
      } catch (const Error& error) {
        failures.push_back({path.string(), 0, 0, error.report().message});
      }
    }
    if (files.empty()) fail(failures.front().file, 0, failures.front().message);
    for (const McapProblem& problem : failures) reporter.report(problem);
  }

  static std::unique_ptr<ByteSource> openLog(const fs::path& path) {
    try {
      return openFile(path);
    } catch (const Error& error) {
      throw Error({.code = ErrorCode::McapReadError,
                   .component = "mcap_ingest",
                   .message = error.report().message,
                   .details = {{"file", path.string()}},
                   .suggestion = "Give an .mcap file or the folder of a rosbag2 recording."});
    }
  }

  void summarize() {
    using Key = std::tuple<std::string, std::string, std::string>;  // topic, type, encoding
    std::map<Key, LogTopic> topics;
    const auto keyOf = [](const McapFileIndex& index, const McapChannel& channel) {
      const auto schema = index.schemas.find(channel.schema_id);
      return Key{channel.topic, schema == index.schemas.end() ? "" : schema->second.name,
                 channel.message_encoding};
    };
    for (const LogFile& file : files) addToSummary(file, topics, keyOf);
    std::map<Key, size_t> positions;
    for (auto& [key, topic] : topics) {
      positions[key] = summary.topics.size();
      summary.topics.push_back(std::move(topic));
    }
    for (LogFile& file : files) {
      for (const auto& [id, channel] : file.index.channels) {
        file.topic_of.resize(id + size_t{1});  // ids come in ascending order
        file.topic_of[id] = positions[keyOf(file.index, channel)];
      }
    }
  }

  void addToSummary(const LogFile& file, auto& topics, const auto& key_of) {
    const McapFileIndex& index = file.index;
    for (const auto& [id, channel] : index.channels) {
      LogTopic& topic = topics[key_of(index, channel)];
      topic.name = channel.topic;
      topic.message_encoding = channel.message_encoding;
      const auto schema = index.schemas.find(channel.schema_id);
      if (schema != index.schemas.end() && topic.type.empty()) {
        topic.type = schema->second.name;
        topic.schema_encoding = schema->second.encoding;
        topic.schema_text = schema->second.data;
      }
      const auto count = index.message_counts.find(id);
      if (count != index.message_counts.end()) topic.message_count += count->second;
    }
    LogPart part{file.source->name(), index.message_count};
    if (index.start && index.end) {
      part.start = *index.start;
      part.end = *index.end;
      summary.start = has_times ? std::min(summary.start, part.start) : part.start;
      summary.end = has_times ? std::max(summary.end, part.end) : part.end;
      has_times = true;
    }
    summary.files.push_back(part.file);
    summary.parts.push_back(std::move(part));
    summary.message_count += index.message_count;
    summary.size_bytes += file.source->size();
    summary.is_indexed =
        (files.front().source == file.source || summary.is_indexed) && index.is_indexed;
    const auto append = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(summary.attachments, index.attachments);
    append(summary.metadata, index.metadata);
  }

  mutable Reporter reporter;
  std::vector<LogFile> files;
  LogSummary summary;
  bool has_times = false;
};

LogReader::LogReader(const fs::path& path, Options options)
    : state_(std::make_unique<State>(std::move(options))) {
  if (fs::is_directory(path)) state_->addBag(path);
  else state_->add(State::openLog(path));
  state_->summarize();
}

LogReader::LogReader(std::unique_ptr<ByteSource> source, Options options)
    : state_(std::make_unique<State>(std::move(options))) {
  state_->add(std::move(source));
  state_->summarize();
}

LogReader::~LogReader() = default;

const LogSummary& LogReader::summary() const { return state_->summary; }

void LogReader::read(const LogQuery& query,
                     const std::function<void(const LogMessage&)>& visit) const {
  const auto isWanted = [&query](const LogTopic& topic) {
    return query.topics.empty() ||
           std::find(query.topics.begin(), query.topics.end(), topic.name) != query.topics.end();
  };
  const auto& topics = state_->summary.topics;
  std::vector<McapMergeInput> inputs;
  for (const LogFile& file : state_->files) {
    McapMergeInput input{file.source.get(), &file.index, {}, state_->sinkOf(*file.source)};
    input.is_wanted.resize(file.topic_of.size());
    for (const auto& [id, channel] : file.index.channels)
      input.is_wanted[id] = isWanted(topics[file.topic_of[id]]);
    inputs.push_back(std::move(input));
  }
  mergeMcapMessages(inputs, query.start, query.end, kReadBudget,
                    [&](size_t input, const McapMessage& message) {
                      const LogFile& file = state_->files[input];
                      visit({topics[file.topic_of[message.channel_id]], message.sequence,
                             message.log_time, message.publish_time, message.data});
                    });
}

}  // namespace gs
