// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>

#include "apps/common/progress.hpp"
#include "apps/inspect/commands.hpp"
#include "gs/core/write_fields.hpp"
#include "gs_builder/log_survey.hpp"

// gs-inspect log LOG: what a drive log holds and what is wrong with it.
namespace apps {

void addLogCommand(CLI::App& app) {
  auto* command = app.add_subcommand("log", "Say what a drive log holds");
  auto log = std::make_shared<std::filesystem::path>();
  auto is_json = std::make_shared<bool>(false);
  command->add_option("log", *log, ".mcap file, or the folder of a rosbag2 recording")->required();
  command->add_flag("--json", *is_json, "Print it as JSON");
  command->footer(
      "Topics with types, counts, rates and gaps; cameras and LiDARs with their calibration; the\n"
      "TF tree; and what is damaged. Reads the log once.\n"
      "Example:\n"
      "  gs-inspect log drive.mcap");
  command->callback([log, is_json] {
    gs_builder::LogSurvey survey;
    {
      Progress progress("reading " + log->filename().string());
      survey = gs_builder::surveyLog(*log, [&](double f) { progress.update(f); });
    }
    std::cout << (*is_json ? gs::toText(toJson(survey)) : toText(survey));
  });
}

}  // namespace apps
