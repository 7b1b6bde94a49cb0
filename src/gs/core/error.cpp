// SPDX-License-Identifier: Apache-2.0
#include "gs/core/error.hpp"

#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "gs/core/check.hpp"

namespace gs {
namespace {

constexpr auto kNames = std::to_array<std::pair<ErrorCode, std::string_view>>({
    {ErrorCode::McapReadError, "MCAP_READ_ERROR"},
    {ErrorCode::TopicNotFound, "TOPIC_NOT_FOUND"},
    {ErrorCode::InsufficientData, "INSUFFICIENT_DATA"},
    {ErrorCode::TfMissing, "TF_MISSING"},
    {ErrorCode::CameraInfoMissing, "CAMERA_INFO_MISSING"},
    {ErrorCode::InvalidCalibration, "INVALID_CALIBRATION"},
    {ErrorCode::TrainingFailed, "TRAINING_FAILED"},
    {ErrorCode::GpuOutOfMemory, "GPU_OUT_OF_MEMORY"},
    {ErrorCode::CheckpointNotFound, "CHECKPOINT_NOT_FOUND"},
    {ErrorCode::PointcloudEmpty, "POINTCLOUD_EMPTY"},
    {ErrorCode::HeightmapInvalid, "HEIGHTMAP_INVALID"},
    {ErrorCode::ValidationFailed, "VALIDATION_FAILED"},
    {ErrorCode::FileMissing, "FILE_MISSING"},
    {ErrorCode::InvalidQuaternion, "INVALID_QUATERNION"},
    {ErrorCode::InvalidTransform, "INVALID_TRANSFORM"},
    {ErrorCode::InvalidTimestamp, "INVALID_TIMESTAMP"},
    {ErrorCode::InvalidControlInput, "INVALID_CONTROL_INPUT"},
    {ErrorCode::InvalidHeightmapSize, "INVALID_HEIGHTMAP_SIZE"},
    {ErrorCode::InvalidImageSize, "INVALID_IMAGE_SIZE"},
    {ErrorCode::InvalidPointcloudSize, "INVALID_POINTCLOUD_SIZE"},
    {ErrorCode::BundleNotFound, "BUNDLE_NOT_FOUND"},
    {ErrorCode::BundleInvalid, "BUNDLE_INVALID"},
    {ErrorCode::ConfigInvalid, "CONFIG_INVALID"},
    {ErrorCode::InputInvalid, "INPUT_INVALID"},
    {ErrorCode::OutputFailed, "OUTPUT_FAILED"},
    {ErrorCode::GpuNotAvailable, "GPU_NOT_AVAILABLE"},
    {ErrorCode::UsageError, "USAGE_ERROR"},
});

}  // namespace

std::string_view toString(ErrorCode code) {
  for (const auto& [known, name] : kNames)
    if (known == code) return name;
  GS_CHECK(!"every ErrorCode has a name");
  return {};
}

std::optional<ErrorCode> findErrorCode(std::string_view name) {
  for (const auto& [code, known] : kNames)
    if (known == name) return code;
  return std::nullopt;
}

Details::Details() : Details(nlohmann::ordered_json::object()) {}

Details::Details(std::initializer_list<std::pair<const char*, Value>> facts) {
  auto object = nlohmann::ordered_json::object();
  for (const auto& [key, fact] : facts)
    std::visit([&, key = key](const auto& value) { object[key] = value; }, fact.value_);
  object_ = std::make_shared<const nlohmann::ordered_json>(std::move(object));
}

Details::Details(nlohmann::ordered_json object)
    : object_(std::make_shared<const nlohmann::ordered_json>(std::move(object))) {}

std::string Details::text(const char* key) const {
  const auto found = object_->find(key);
  return found != object_->end() && found->is_string() ? found->get<std::string>() : std::string();
}

nlohmann::ordered_json toJson(const ErrorReport& report) {
  nlohmann::ordered_json body;
  body["code"] = toString(report.code);
  body["component"] = report.component;
  body["message"] = report.message;
  body["details"] = report.details.json();
  body["suggestion"] = report.suggestion;
  return {{"error", std::move(body)}};
}

Error::Error(ErrorReport report) : report_(std::move(report)) {
  what_ =
      "[" + report_.component + "] " + std::string(toString(report_.code)) + ": " + report_.message;
}

}  // namespace gs
