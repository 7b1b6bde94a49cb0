// SPDX-License-Identifier: Apache-2.0
#include "gs_builder/training_recorder.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>

#include "gs/core/error.hpp"
#include "gs/core/file.hpp"
#include "gs/core/write_fields.hpp"

namespace gs_builder {
namespace fs = std::filesystem;
namespace {

// JSON has no infinity.
nlohmann::ordered_json numberOrNull(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

void dropAfter(nlohmann::ordered_json& rows, int iteration) {
  auto kept = nlohmann::ordered_json::array();
  for (auto& row : rows)
    if (row.is_object() && row.value("iteration", 0) <= iteration) kept.push_back(std::move(row));
  rows = std::move(kept);
}

}  // namespace

TrainingRecorder::TrainingRecorder(fs::path folder, TrainingReport::Config config)
    : folder_(std::move(folder)) {
  std::error_code ignored;
  if (fs::is_regular_file(folder_ / "training_report.json", ignored))
    report = readTrainingReport(folder_ / "training_report.json");
  if (fs::is_regular_file(folder_ / "metrics.json", ignored)) {
    const auto json = nlohmann::ordered_json::parse(
        gs::readTextFile(folder_ / "metrics.json", uint64_t{1} << 30), nullptr, false);
    if (json.is_object() && json.contains("progress") && json["progress"].is_array())
      samples_ = json["progress"];
    if (json.is_object() && json.contains("evaluations") && json["evaluations"].is_array())
      evaluations_ = json["evaluations"];
  }
  report.config = std::move(config);
  log_ = std::fopen((folder_ / "training_log.txt").c_str(), "a");
  if (log_ == nullptr)
    throw gs::Error({.code = gs::ErrorCode::OutputFailed,
                     .component = "gs_train_orchestrator",
                     .message = "'" + (folder_ / "training_log.txt").string() +
                                "' cannot be written: " + std::strerror(errno),
                     .suggestion = "Check permissions and free space."});
}

TrainingRecorder::~TrainingRecorder() { std::fclose(log_); }

void TrainingRecorder::forgetAfter(int iteration) {
  dropAfter(samples_, iteration);
  dropAfter(evaluations_, iteration);
  std::vector<TrainingReport::Iteration> known;
  std::swap(known, report.iterations);
  report.best_iteration = 0;
  report.best_psnr = 0;
  for (const TrainingReport::Iteration& entry : known)
    if (entry.iteration <= iteration) report.add(entry);
  report.training_time_sec = samples_.empty() ? 0 : samples_.back().value("seconds", 0.0);
}

void TrainingRecorder::log(std::string_view line) {
  // A log that cannot be written on a full disk is not what training should end for.
  std::fwrite(line.data(), 1, line.size(), log_);
  std::fputc('\n', log_);
  std::fflush(log_);
}

void TrainingRecorder::add(const TrainingSample& sample) {
  samples_.push_back({{"iteration", sample.iteration},
                      {"loss", numberOrNull(sample.loss)},
                      {"train_psnr", numberOrNull(sample.psnr_db)},
                      {"gaussian_count", sample.gaussians},
                      {"seconds", sample.seconds}});
  report.training_time_sec = sample.seconds;
}

void TrainingRecorder::addEvaluation(int iteration, double psnr_db, double train_psnr_db,
                                     size_t images) {
  evaluations_.push_back({{"iteration", iteration},
                          {"psnr", numberOrNull(psnr_db)},
                          {"train_psnr", numberOrNull(train_psnr_db)},
                          {"held_out_images", images}});
}

void TrainingRecorder::addCheckpoint(const TrainingReport::Iteration& iteration) {
  report.add(iteration);
}

void TrainingRecorder::save() {
  nlohmann::ordered_json metrics;
  metrics["version"] = "1.0.0";
  metrics["progress"] = samples_;
  metrics["evaluations"] = evaluations_;
  gs::writeFileAtomically(folder_ / "metrics.json", gs::toText(metrics));
  gs::writeFileAtomically(folder_ / "training_report.json", gs::toText(gs::toJson(report)));
}

}  // namespace gs_builder
