// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/fields.hpp"

namespace gs_builder {

// 03_gs_training/training_report.json: what training gave, and which checkpoint is the best.
struct TrainingReport {
  struct Config {
    uint64_t seed = 0;
    int max_iterations = 0;
    std::string mode = "background_only";
    std::string drivesim_commit;

    static void fields(auto& self, auto&& visit) {
      visit("seed", self.seed);
      visit("max_iterations", self.max_iterations);
      visit("mode", self.mode);
      visit("drivesim_commit", self.drivesim_commit);
    }
  };

  // One per checkpoint that can be exported.
  struct Iteration {
    int iteration = 0;
    double psnr = 0;  // dB, on held-out images (on trained ones where none are held out)
    // That psnr was measured on, at full size; 0: on trained ones. Absent: nobody measured, psnr is
    // what training said of itself, perhaps of images a quarter as large.
    std::optional<int> held_out_images;
    double loss = 0;
    std::optional<double> train_psnr;
    uint64_t gaussian_count = 0;

    static void fields(auto& self, auto&& visit) {
      visit("iteration", self.iteration, {.is_required = true});
      visit("psnr", self.psnr, {.is_required = true});
      visit("held_out_images", self.held_out_images);
      visit("loss", self.loss);
      visit("train_psnr", self.train_psnr);
      visit("gaussian_count", self.gaussian_count);
    }
  };

  std::string version = "1.0.0";
  Config config;
  double training_time_sec = 0;
  int best_iteration = 0;
  double best_psnr = 0;
  std::vector<Iteration> iterations;  // ascending
  int held_out_images = 0;
  std::string end = "complete";  // "complete", "converged"
  std::string checkpoint_dir = "checkpoints";

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version, {.is_required = true});
    visit("config", self.config);
    visit("training_time_sec", self.training_time_sec);
    visit("best_iteration", self.best_iteration, {.is_required = true});
    visit("best_psnr", self.best_psnr);
    visit("iterations", self.iterations);
    visit("held_out_images", self.held_out_images);
    visit("end", self.end);
    visit("checkpoint_dir", self.checkpoint_dir);
  }

  // Sorted, and the best of them named.
  void add(Iteration iteration);
  // Names the best: the highest PSNR of those measured, the later one of equals. Where none was
  // measured it is the last.
  void chooseBest();
};

// With the best named by what this program knows: a file of an earlier one may name a checkpoint
// that nobody had measured.
TrainingReport readTrainingReport(const std::filesystem::path& file);

}  // namespace gs_builder
