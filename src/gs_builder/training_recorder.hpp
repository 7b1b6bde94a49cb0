// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gs_builder/training_report.hpp"

namespace gs_builder {

// One line of the course of a training.
struct TrainingSample {
  int iteration = 0;
  double loss = 0, psnr_db = 0;
  uint64_t gaussians = 0;
  double seconds = 0;  // since training began, pauses not counted
};

// The files a training leaves beside its checkpoints: training_log.txt as it goes, metrics.json and
// training_report.json whenever save() is called, each whole. Takes up what an interrupted run
// left.
class TrainingRecorder {
 public:
  TrainingRecorder(std::filesystem::path folder, TrainingReport::Config config);
  ~TrainingRecorder();
  TrainingRecorder(const TrainingRecorder&) = delete;
  TrainingRecorder& operator=(const TrainingRecorder&) = delete;

  // What is known of after the iteration that is gone on from does not count.
  void forgetAfter(int iteration);
  void log(std::string_view line);
  void add(const TrainingSample& sample);
  void addEvaluation(int iteration, double psnr_db, double train_psnr_db, size_t images);
  void addCheckpoint(const TrainingReport::Iteration& iteration);
  void save();

  TrainingReport report;

 private:
  std::filesystem::path folder_;
  std::FILE* log_ = nullptr;
  nlohmann::ordered_json samples_ = nlohmann::ordered_json::array();
  nlohmann::ordered_json evaluations_ = nlohmann::ordered_json::array();
};

}  // namespace gs_builder
