// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gs_builder/tf_tree.hpp"

// raw_extract/tf/tf.json and tf_static.json: the transforms of the log as JSON.
namespace gs_builder {

enum class TfKind { Moving, Static };

// By stamp, then by parent and child. Static transforms carry the time 0, which means nothing.
std::string toTfText(const TfTree& tree, TfKind kind);

// Adds what the file holds; call tree.settle() when all files are there. Throws gs::Error
// (INPUT_INVALID).
void readTfFile(const std::filesystem::path& file, TfKind kind, TfTree& tree);

}  // namespace gs_builder
