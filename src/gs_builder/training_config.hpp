// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gs/core/document.hpp"
#include "gs/core/fields.hpp"

namespace gs_builder {

enum class ModelType { BackgroundOnly };
constexpr auto enumWords(std::type_identity<ModelType>) {
  return std::to_array<gs::EnumWord<ModelType>>({{ModelType::BackgroundOnly, "background_only"}});
}

// Native: the built-in trainer, runs anywhere. DriveStudio: its tools/train.py, needs CUDA.
// Command: any trainer that can be started from a command line and writes a Gaussian PLY.
enum class TrainingBackend { Native, DriveStudio, Command };
constexpr auto enumWords(std::type_identity<TrainingBackend>) {
  return std::to_array<gs::EnumWord<TrainingBackend>>(
      {{TrainingBackend::Native, "native"},
       {TrainingBackend::DriveStudio, "drivestudio"},
       {TrainingBackend::Command, "command"}});
}

// How Gaussians come to where detail is missing. Relocation: useless ones are moved there, within a
// budget. Classic: those with large gradients are cloned and split.
enum class DensifyWay { Relocation, Classic };
constexpr auto enumWords(std::type_identity<DensifyWay>) {
  return std::to_array<gs::EnumWord<DensifyWay>>(
      {{DensifyWay::Relocation, "relocation"}, {DensifyWay::Classic, "classic"}});
}

// gs_training_config.yaml: how the Gaussians are trained. Defaults live here and nowhere else; the
// comment of a field is the one that people find in the file.
struct TrainingConfig {
  struct Model {
    ModelType type = ModelType::BackgroundOnly;
    int sh_degree = 3;

    static void fields(auto& self, auto&& visit) {
      visit("type", self.type, {.comment = "what is modelled"});
      visit("sh_degree", self.sh_degree, {.comment = "0..3, detail of view-dependent colour"});
    }
  };

  struct LearningRate {
    double position = 0.00016;
    double feature = 0.0025;
    double opacity = 0.05;
    double scaling = 0.005;
    double rotation = 0.001;

    static void fields(auto& self, auto&& visit) {
      visit("position", self.position, {.comment = "at the start, times the scene's extent"});
      visit("feature", self.feature, {.comment = "colour"});
      visit("opacity", self.opacity, {.comment = "of its logit"});
      visit("scaling", self.scaling, {.comment = "of the logarithm of the size"});
      visit("rotation", self.rotation, {.comment = "of the quaternion"});
    }
  };

  struct Densify {
    int start_iter = 500;
    int end_iter = 15000;
    int interval = 100;
    double grad_threshold = 0.0002;

    static void fields(auto& self, auto&& visit) {
      visit("start_iter", self.start_iter, {.comment = "first iteration that adds Gaussians"});
      visit("end_iter", self.end_iter, {.comment = "last one"});
      visit("interval", self.interval, {.comment = "iterations between two rounds"});
      visit("grad_threshold", self.grad_threshold,
            {.comment = "smaller: more Gaussians, finer detail"});
    }
  };

  struct DriveStudio {
    std::optional<std::string> dir;
    std::string python = "python3";
    std::string config_file = "configs/omnire.yaml";

    static void fields(auto& self, auto&& visit) {
      visit("dir", self.dir,
            {.comment = "its checkout; relative to this file", .example = "\"../drivestudio\""});
      visit("python", self.python, {.comment = "interpreter with CUDA PyTorch", .is_expert = true});
      visit("config_file", self.config_file, {.comment = "inside dir", .is_expert = true});
    }
  };

  struct Command {
    std::optional<std::string> line;
    std::string result_file = "point_cloud.ply";

    static void fields(auto& self, auto&& visit) {
      visit(
          "line", self.line,
          {.comment = "also: {seed} {iterations}", .example = "\"my_trainer {dataset} {output}\""});
      visit("result_file", self.result_file,
            {.comment = "PLY it writes, inside {output}", .is_expert = true});
    }
  };

  struct Native {
    int max_gaussians = 600'000;
    int pixels_per_gaussian = 100;
    double start_part = 0.6;
    DensifyWay densify = DensifyWay::Relocation;
    int first_divisor = 4;
    int last_divisor = 1;
    double coarse_part = 0.6;
    int sh_interval = 1000;
    double ssim_weight = 0.2;
    double depth_weight = 0.7;
    double opacity_weight = 0.0;
    double scale_weight = 0.0;
    double sky_weight = 0.02;
    bool sky = true;
    bool mask_moving = true;
    int evaluate_every = 2000;
    int evaluate_images = 24;
    int patience = 4;
    int memory_mb = 2800;

    static void fields(auto& self, auto&& visit) {
      visit("max_gaussians", self.max_gaussians, {.comment = "budget that is kept"});
      visit("pixels_per_gaussian", self.pixels_per_gaussian,
            {.comment = "fewer splats than the budget where images are few; 0: never",
             .is_expert = true});
      visit("start_part", self.start_part,
            {.comment = "of the budget that the LiDAR map takes at the start", .is_expert = true});
      visit("densify", self.densify, {.comment = "way of adding detail", .is_expert = true});
      visit("first_divisor", self.first_divisor,
            {.comment = "images begin that many times smaller: 1, 2, 4, 8", .is_expert = true});
      visit("last_divisor", self.last_divisor,
            {.comment = "images end that many times smaller; 1: full size"});
      visit("coarse_part", self.coarse_part,
            {.comment = "part of the iterations until images have their last size",
             .is_expert = true});
      visit("sh_interval", self.sh_interval,
            {.comment = "iterations until one more degree of colour", .is_expert = true});
      visit("ssim_weight", self.ssim_weight,
            {.comment = "0..1, structure against brightness", .is_expert = true});
      visit("depth_weight", self.depth_weight,
            {.comment = "of LiDAR depth; 0: images alone", .is_expert = true});
      visit("opacity_weight", self.opacity_weight,
            {.comment = "against splats where nothing is", .is_expert = true});
      visit("scale_weight", self.scale_weight,
            {.comment = "against large splats", .is_expert = true});
      visit("sky_weight", self.sky_weight,
            {.comment = "against splats in the sky", .is_expert = true});
      visit("sky", self.sky, {.comment = "learn a sky"});
      visit("mask_moving", self.mask_moving, {.comment = "ignore what the LiDAR saw moving"});
      visit("evaluate_every", self.evaluate_every,
            {.comment = "iterations between two looks at held-out images", .is_expert = true});
      visit("evaluate_images", self.evaluate_images,
            {.comment = "held-out images of a look", .is_expert = true});
      visit("patience", self.patience,
            {.comment = "looks without a gain until it stops early; 0: never"});
      visit("memory_mb", self.memory_mb, {.comment = "MB, at most"});
    }
  };

  struct Training {
    TrainingBackend backend = TrainingBackend::Native;
    int iterations = 30000;
    int batch_size = 1;
    uint64_t seed = 42;
    int held_out_every = 8;
    LearningRate learning_rate;
    Densify densify;
    Native native;
    DriveStudio drivestudio;
    Command command;

    static void fields(auto& self, auto&& visit) {
      visit("backend", self.backend, {.comment = "trainer"});
      visit("iterations", self.iterations, {.comment = "more: better, slower"});
      visit("batch_size", self.batch_size, {.comment = "images per iteration"});
      visit("seed", self.seed,
            {.is_required = true, .comment = "required: the same seed gives the same bundle"});
      visit("held_out_every", self.held_out_every,
            {.comment = "every n-th frame only measures quality; 0: none"});
      visit("learning_rate", self.learning_rate,
            {.comment = "Adam step sizes; 0 keeps a property"});
      visit("densify", self.densify, {.comment = "adding Gaussians where detail is missing"});
      visit("native", self.native, {.comment = "for backend native"});
      visit("drivestudio", self.drivestudio, {.comment = "for backend drivestudio"});
      visit("command", self.command, {.comment = "for backend command"});
    }
  };

  struct Optimization {
    bool refine_pose = false;
    bool refine_exposure = false;
    bool mask_residuals = true;

    static void fields(auto& self, auto&& visit) {
      visit("refine_pose", self.refine_pose, {.comment = "correct camera poses while training"});
      visit("refine_exposure", self.refine_exposure, {.comment = "brightness of each image"});
      visit("mask_residuals", self.mask_residuals,
            {.comment = "ignore pixels that never fit: moving objects"});
    }
  };

  struct Output {
    std::vector<int> save_iterations = {7000, 15000, 30000};
    std::string checkpoint_dir = "checkpoints";

    static void fields(auto& self, auto&& visit) {
      visit("save_iterations", self.save_iterations, {.comment = "ascending, <= iterations"});
      visit("checkpoint_dir", self.checkpoint_dir,
            {.comment = "inside 03_gs_training of the workspace", .is_expert = true});
    }
  };

  std::string version = "1.0.0";
  Model model;
  Training training;
  Optimization optimization;
  Output output;

  static void fields(auto& self, auto&& visit) {
    visit("version", self.version,
          {.is_required = true, .comment = "required: of this file's format"});
    visit("model", self.model, {.comment = "what the Gaussians can show"});
    visit("training", self.training, {.is_required = true});
    visit("optimization", self.optimization, {.comment = "what is adjusted beside the Gaussians"});
    visit("output", self.output, {.comment = "what is kept"});
  }
};

std::vector<gs::Problem> problemsIn(const TrainingConfig& config);
void resolvePaths(TrainingConfig& config, const std::filesystem::path& folder);
std::vector<gs::Problem> missingFilesOf(const TrainingConfig& config);

}  // namespace gs_builder
