// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace gs {

// Everything a person outside the program can act on. The names in the printed JSON are those of
// the builder and simulator interfaces; error.cpp holds the only table. What exit code a code
// becomes is each program's own decision: src/apps/<app>/exit_codes.hpp.
enum class ErrorCode {
  // builder interface
  McapReadError,
  TopicNotFound,
  InsufficientData,
  TfMissing,
  CameraInfoMissing,
  InvalidCalibration,
  TrainingFailed,
  GpuOutOfMemory,
  CheckpointNotFound,
  PointcloudEmpty,
  HeightmapInvalid,
  ValidationFailed,
  FileMissing,
  // simulator interface
  InvalidQuaternion,
  InvalidTransform,
  InvalidTimestamp,
  InvalidControlInput,
  InvalidHeightmapSize,
  InvalidImageSize,
  InvalidPointcloudSize,
  // the rest of what can go wrong between a person and the program
  BundleNotFound,
  BundleInvalid,
  ConfigInvalid,
  InputInvalid,     // a file that was handed in is damaged or not what it should be
  OutputFailed,     // disk full, no permission, target exists
  GpuNotAvailable,  // a GPU was asked for by name and is not there
  UsageError,
};

std::string_view toString(ErrorCode code);                 // "TOPIC_NOT_FOUND"
std::optional<ErrorCode> findErrorCode(std::string_view);  // the inverse

// Facts about an error that a program may read: a JSON object. The JSON library stays out of this
// header on purpose, since nearly every file includes it.
class Details {
 public:
  class Value {
   public:
    Value(bool value) : value_(value) {}  // NOLINT: implicit, so that facts can be listed in braces
    Value(std::integral auto value) : value_(static_cast<int64_t>(value)) {}  // NOLINT
    Value(double value) : value_(value) {}                                    // NOLINT
    Value(const char* text) : value_(std::string(text)) {}                    // NOLINT
    Value(std::string text) : value_(std::move(text)) {}                      // NOLINT
    Value(std::string_view text) : value_(std::string(text)) {}               // NOLINT
    Value(std::vector<std::string> list) : value_(std::move(list)) {}         // NOLINT

   private:
    friend class Details;
    std::variant<bool, int64_t, double, std::string, std::vector<std::string>> value_;
  };

  Details();
  Details(std::initializer_list<std::pair<const char*, Value>> facts);
  explicit Details(nlohmann::ordered_json object);

  const nlohmann::ordered_json& json() const { return *object_; }
  std::string text(const char* key) const;  // empty when the fact is absent or not a text

 private:
  std::shared_ptr<const nlohmann::ordered_json> object_;
};

// Fields in the order of the printed JSON; the throw site is the report.
struct ErrorReport {
  ErrorCode code;
  std::string component;        // who noticed: "mcap_ingest"
  std::string message;          // one sentence, names the offender
  Details details = {};         // facts a program may read
  std::string suggestion = {};  // what to try, in the imperative
};

// {"error": {"code": ..., "component": ..., "message": ..., "details": ..., "suggestion": ...}}
nlohmann::ordered_json toJson(const ErrorReport& report);

// Thrown anywhere, caught only in apps/*/main.cpp. what() is "[component] CODE: message".
class Error : public std::exception {
 public:
  explicit Error(ErrorReport report);
  const char* what() const noexcept override { return what_.c_str(); }
  const ErrorReport& report() const { return report_; }

 private:
  ErrorReport report_;
  std::string what_;
};

}  // namespace gs
