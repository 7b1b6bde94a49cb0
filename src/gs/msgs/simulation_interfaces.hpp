// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gs/msgs/geometry_msgs.hpp"
#include "gs/msgs/std_msgs.hpp"

// The part of the standard simulation interfaces that the simulator answers. Its own namespace,
// since gs_sim_msgs has a LoadWorld too.
namespace gs::msgs::simulation_interfaces {

// simulation_interfaces/msg/Result.
struct Result {
  static constexpr const char* kRosType = "simulation_interfaces/msg/Result";
  static constexpr uint8_t kFeatureUnsupported = 0;
  static constexpr uint8_t kOk = 1;
  static constexpr uint8_t kNotFound = 2;
  static constexpr uint8_t kIncorrectState = 3;
  static constexpr uint8_t kOperationFailed = 4;

  uint8_t result = 0;
  std::string error_message;

  static void constants(auto&& visit) {
    visit("FEATURE_UNSUPPORTED", kFeatureUnsupported);
    visit("OK", kOk);
    visit("NOT_FOUND", kNotFound);
    visit("INCORRECT_STATE", kIncorrectState);
    visit("OPERATION_FAILED", kOperationFailed);
  }
  static void fields(auto& self, auto&& visit) {
    visit("result", self.result);
    visit("error_message", self.error_message);
  }
  bool operator==(const Result&) const = default;
};

// simulation_interfaces/msg/SimulationState.
struct SimulationState {
  static constexpr const char* kRosType = "simulation_interfaces/msg/SimulationState";
  static constexpr uint8_t kStateStopped = 0;
  static constexpr uint8_t kStatePlaying = 1;
  static constexpr uint8_t kStatePaused = 2;
  static constexpr uint8_t kStateQuitting = 3;
  static constexpr uint8_t kStateNoWorld = 4;
  static constexpr uint8_t kStateLoadingWorld = 5;

  uint8_t state = 0;

  static void constants(auto&& visit) {
    visit("STATE_STOPPED", kStateStopped);
    visit("STATE_PLAYING", kStatePlaying);
    visit("STATE_PAUSED", kStatePaused);
    visit("STATE_QUITTING", kStateQuitting);
    visit("STATE_NO_WORLD", kStateNoWorld);
    visit("STATE_LOADING_WORLD", kStateLoadingWorld);
  }
  static void fields(auto& self, auto&& visit) { visit("state", self.state); }
  bool operator==(const SimulationState&) const = default;
};

// simulation_interfaces/msg/EntityState.
struct EntityState {
  static constexpr const char* kRosType = "simulation_interfaces/msg/EntityState";

  Header header;
  Pose pose;
  Twist twist;
  Accel acceleration;

  static void fields(auto& self, auto&& visit) {
    visit("header", self.header);
    visit("pose", self.pose);
    visit("twist", self.twist);
    visit("acceleration", self.acceleration);
  }
  bool operator==(const EntityState&) const = default;
};

// simulation_interfaces/msg/EntityCategory.
struct EntityCategory {
  static constexpr const char* kRosType = "simulation_interfaces/msg/EntityCategory";
  static constexpr uint8_t kCategoryObject = 0;
  static constexpr uint8_t kCategoryRobot = 1;
  static constexpr uint8_t kCategoryHuman = 2;
  static constexpr uint8_t kCategoryDynamicObject = 4;
  static constexpr uint8_t kCategoryStaticObject = 5;

  uint8_t category = 0;

  static void constants(auto&& visit) {
    visit("CATEGORY_OBJECT", kCategoryObject);
    visit("CATEGORY_ROBOT", kCategoryRobot);
    visit("CATEGORY_HUMAN", kCategoryHuman);
    visit("CATEGORY_DYNAMIC_OBJECT", kCategoryDynamicObject);
    visit("CATEGORY_STATIC_OBJECT", kCategoryStaticObject);
  }
  static void fields(auto& self, auto&& visit) { visit("category", self.category); }
  bool operator==(const EntityCategory&) const = default;
};

// simulation_interfaces/msg/TagsFilter.
struct TagsFilter {
  static constexpr const char* kRosType = "simulation_interfaces/msg/TagsFilter";
  static constexpr uint8_t kFilterModeAny = 0;
  static constexpr uint8_t kFilterModeAll = 1;

  std::vector<std::string> tags;
  uint8_t filter_mode = 0;

  static void constants(auto&& visit) {
    visit("FILTER_MODE_ANY", kFilterModeAny);
    visit("FILTER_MODE_ALL", kFilterModeAll);
  }
  static void fields(auto& self, auto&& visit) {
    visit("tags", self.tags);
    visit("filter_mode", self.filter_mode);
  }
  bool operator==(const TagsFilter&) const = default;
};

// simulation_interfaces/msg/Bounds.
struct Bounds {
  static constexpr const char* kRosType = "simulation_interfaces/msg/Bounds";
  static constexpr uint8_t kTypeBox = 0;
  static constexpr uint8_t kTypeConvexHull = 1;
  static constexpr uint8_t kTypeSphere = 2;

  uint8_t type = 0;
  std::vector<Vector3> points;

  static void constants(auto&& visit) {
    visit("TYPE_BOX", kTypeBox);
    visit("TYPE_CONVEX_HULL", kTypeConvexHull);
    visit("TYPE_SPHERE", kTypeSphere);
  }
  static void fields(auto& self, auto&& visit) {
    visit("type", self.type);
    visit("points", self.points);
  }
  bool operator==(const Bounds&) const = default;
};

// simulation_interfaces/msg/EntityFilters.
struct EntityFilters {
  static constexpr const char* kRosType = "simulation_interfaces/msg/EntityFilters";

  std::string filter;
  std::vector<EntityCategory> categories;
  TagsFilter tags;
  Bounds bounds;

  static void fields(auto& self, auto&& visit) {
    visit("filter", self.filter);
    visit("categories", self.categories);
    visit("tags", self.tags);
    visit("bounds", self.bounds);
  }
  bool operator==(const EntityFilters&) const = default;
};

// simulation_interfaces/msg/Resource.
struct Resource {
  static constexpr const char* kRosType = "simulation_interfaces/msg/Resource";

  std::string uri;
  std::string resource_string;

  static void fields(auto& self, auto&& visit) {
    visit("uri", self.uri);
    visit("resource_string", self.resource_string);
  }
  bool operator==(const Resource&) const = default;
};

// simulation_interfaces/msg/WorldResource.
struct WorldResource {
  static constexpr const char* kRosType = "simulation_interfaces/msg/WorldResource";

  std::string name;
  Resource world_resource;
  std::string description;
  std::vector<std::string> tags;

  static void fields(auto& self, auto&& visit) {
    visit("name", self.name);
    visit("world_resource", self.world_resource);
    visit("description", self.description);
    visit("tags", self.tags);
  }
  bool operator==(const WorldResource&) const = default;
};

// simulation_interfaces/msg/SimulatorFeatures.
struct SimulatorFeatures {
  static constexpr const char* kRosType = "simulation_interfaces/msg/SimulatorFeatures";
  static constexpr uint8_t kSpawning = 0;
  static constexpr uint8_t kDeleting = 1;
  static constexpr uint8_t kNamedPoses = 2;
  static constexpr uint8_t kPoseBounds = 3;
  static constexpr uint8_t kEntityTags = 4;
  static constexpr uint8_t kEntityBounds = 5;
  static constexpr uint8_t kEntityBoundsBox = 6;
  static constexpr uint8_t kEntityBoundsConvex = 7;
  static constexpr uint8_t kEntityCategories = 8;
  static constexpr uint8_t kSpawningResourceString = 9;
  static constexpr uint8_t kEntityStateGetting = 10;
  static constexpr uint8_t kEntityStateSetting = 11;
  static constexpr uint8_t kEntityInfoGetting = 12;
  static constexpr uint8_t kEntityInfoSetting = 13;
  static constexpr uint8_t kSpawnables = 14;
  static constexpr uint8_t kSimulationReset = 20;
  static constexpr uint8_t kSimulationResetTime = 21;
  static constexpr uint8_t kSimulationResetState = 22;
  static constexpr uint8_t kSimulationResetSpawned = 23;
  static constexpr uint8_t kSimulationStateGetting = 24;
  static constexpr uint8_t kSimulationStateSetting = 25;
  static constexpr uint8_t kSimulationStatePause = 26;
  static constexpr uint8_t kStepSimulationSingle = 31;
  static constexpr uint8_t kStepSimulationMultiple = 32;
  static constexpr uint8_t kStepSimulationAction = 33;
  static constexpr uint8_t kWorldLoading = 40;
  static constexpr uint8_t kWorldResourceString = 41;
  static constexpr uint8_t kWorldTags = 42;
  static constexpr uint8_t kWorldUnloading = 43;
  static constexpr uint8_t kWorldInfoGetting = 44;
  static constexpr uint8_t kAvailableWorlds = 45;
  static constexpr uint8_t kSpawningEntities = 50;

  std::vector<uint16_t> features;
  std::vector<std::string> spawn_formats;
  std::string custom_info;

  static void constants(auto&& visit) {
    visit("SPAWNING", kSpawning);
    visit("DELETING", kDeleting);
    visit("NAMED_POSES", kNamedPoses);
    visit("POSE_BOUNDS", kPoseBounds);
    visit("ENTITY_TAGS", kEntityTags);
    visit("ENTITY_BOUNDS", kEntityBounds);
    visit("ENTITY_BOUNDS_BOX", kEntityBoundsBox);
    visit("ENTITY_BOUNDS_CONVEX", kEntityBoundsConvex);
    visit("ENTITY_CATEGORIES", kEntityCategories);
    visit("SPAWNING_RESOURCE_STRING", kSpawningResourceString);
    visit("ENTITY_STATE_GETTING", kEntityStateGetting);
    visit("ENTITY_STATE_SETTING", kEntityStateSetting);
    visit("ENTITY_INFO_GETTING", kEntityInfoGetting);
    visit("ENTITY_INFO_SETTING", kEntityInfoSetting);
    visit("SPAWNABLES", kSpawnables);
    visit("SIMULATION_RESET", kSimulationReset);
    visit("SIMULATION_RESET_TIME", kSimulationResetTime);
    visit("SIMULATION_RESET_STATE", kSimulationResetState);
    visit("SIMULATION_RESET_SPAWNED", kSimulationResetSpawned);
    visit("SIMULATION_STATE_GETTING", kSimulationStateGetting);
    visit("SIMULATION_STATE_SETTING", kSimulationStateSetting);
    visit("SIMULATION_STATE_PAUSE", kSimulationStatePause);
    visit("STEP_SIMULATION_SINGLE", kStepSimulationSingle);
    visit("STEP_SIMULATION_MULTIPLE", kStepSimulationMultiple);
    visit("STEP_SIMULATION_ACTION", kStepSimulationAction);
    visit("WORLD_LOADING", kWorldLoading);
    visit("WORLD_RESOURCE_STRING", kWorldResourceString);
    visit("WORLD_TAGS", kWorldTags);
    visit("WORLD_UNLOADING", kWorldUnloading);
    visit("WORLD_INFO_GETTING", kWorldInfoGetting);
    visit("AVAILABLE_WORLDS", kAvailableWorlds);
    visit("SPAWNING_ENTITIES", kSpawningEntities);
  }
  static void fields(auto& self, auto&& visit) {
    visit("features", self.features);
    visit("spawn_formats", self.spawn_formats);
    visit("custom_info", self.custom_info);
  }
  bool operator==(const SimulatorFeatures&) const = default;
};

// simulation_interfaces/srv/GetSimulatorFeatures_Request.
struct GetSimulatorFeaturesRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetSimulatorFeatures_Request";

  static void fields(auto&, auto&&) {}
  bool operator==(const GetSimulatorFeaturesRequest&) const = default;
};

// simulation_interfaces/srv/GetSimulatorFeatures_Response.
struct GetSimulatorFeaturesResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetSimulatorFeatures_Response";

  SimulatorFeatures features;

  static void fields(auto& self, auto&& visit) { visit("features", self.features); }
  bool operator==(const GetSimulatorFeaturesResponse&) const = default;
};

// simulation_interfaces/srv/GetSimulationState_Request.
struct GetSimulationStateRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetSimulationState_Request";

  static void fields(auto&, auto&&) {}
  bool operator==(const GetSimulationStateRequest&) const = default;
};

// simulation_interfaces/srv/GetSimulationState_Response.
struct GetSimulationStateResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetSimulationState_Response";

  SimulationState state;
  Result result;

  static void fields(auto& self, auto&& visit) {
    visit("state", self.state);
    visit("result", self.result);
  }
  bool operator==(const GetSimulationStateResponse&) const = default;
};

// simulation_interfaces/srv/SetSimulationState_Request.
struct SetSimulationStateRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/SetSimulationState_Request";

  SimulationState state;

  static void fields(auto& self, auto&& visit) { visit("state", self.state); }
  bool operator==(const SetSimulationStateRequest&) const = default;
};

// simulation_interfaces/srv/SetSimulationState_Response.
struct SetSimulationStateResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/SetSimulationState_Response";
  static constexpr uint8_t kAlreadyInTargetState = 101;
  static constexpr uint8_t kStateTransitionError = 102;
  static constexpr uint8_t kIncorrectTransition = 103;

  Result result;

  static void constants(auto&& visit) {
    visit("ALREADY_IN_TARGET_STATE", kAlreadyInTargetState);
    visit("STATE_TRANSITION_ERROR", kStateTransitionError);
    visit("INCORRECT_TRANSITION", kIncorrectTransition);
  }
  static void fields(auto& self, auto&& visit) { visit("result", self.result); }
  bool operator==(const SetSimulationStateResponse&) const = default;
};

// simulation_interfaces/srv/StepSimulation_Request.
struct StepSimulationRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/StepSimulation_Request";

  uint64_t steps = 1;

  static void fields(auto& self, auto&& visit) { visit("steps", self.steps); }
  bool operator==(const StepSimulationRequest&) const = default;
};

// simulation_interfaces/srv/StepSimulation_Response.
struct StepSimulationResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/StepSimulation_Response";

  Result result;

  static void fields(auto& self, auto&& visit) { visit("result", self.result); }
  bool operator==(const StepSimulationResponse&) const = default;
};

// simulation_interfaces/srv/ResetSimulation_Request.
struct ResetSimulationRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/ResetSimulation_Request";
  static constexpr uint8_t kScopeDefault = 0;
  static constexpr uint8_t kScopeTime = 1;
  static constexpr uint8_t kScopeState = 2;
  static constexpr uint8_t kScopeSpawned = 4;
  static constexpr uint8_t kScopeAll = 255;

  uint8_t scope = 0;

  static void constants(auto&& visit) {
    visit("SCOPE_DEFAULT", kScopeDefault);
    visit("SCOPE_TIME", kScopeTime);
    visit("SCOPE_STATE", kScopeState);
    visit("SCOPE_SPAWNED", kScopeSpawned);
    visit("SCOPE_ALL", kScopeAll);
  }
  static void fields(auto& self, auto&& visit) { visit("scope", self.scope); }
  bool operator==(const ResetSimulationRequest&) const = default;
};

// simulation_interfaces/srv/ResetSimulation_Response.
struct ResetSimulationResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/ResetSimulation_Response";

  Result result;

  static void fields(auto& self, auto&& visit) { visit("result", self.result); }
  bool operator==(const ResetSimulationResponse&) const = default;
};

// simulation_interfaces/srv/GetEntities_Request.
struct GetEntitiesRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetEntities_Request";

  EntityFilters filters;

  static void fields(auto& self, auto&& visit) { visit("filters", self.filters); }
  bool operator==(const GetEntitiesRequest&) const = default;
};

// simulation_interfaces/srv/GetEntities_Response.
struct GetEntitiesResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetEntities_Response";

  Result result;
  std::vector<std::string> entities;

  static void fields(auto& self, auto&& visit) {
    visit("result", self.result);
    visit("entities", self.entities);
  }
  bool operator==(const GetEntitiesResponse&) const = default;
};

// simulation_interfaces/srv/GetEntityState_Request.
struct GetEntityStateRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetEntityState_Request";

  std::string entity;

  static void fields(auto& self, auto&& visit) { visit("entity", self.entity); }
  bool operator==(const GetEntityStateRequest&) const = default;
};

// simulation_interfaces/srv/GetEntityState_Response.
struct GetEntityStateResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetEntityState_Response";

  Result result;
  EntityState state;

  static void fields(auto& self, auto&& visit) {
    visit("result", self.result);
    visit("state", self.state);
  }
  bool operator==(const GetEntityStateResponse&) const = default;
};

// simulation_interfaces/srv/SetEntityState_Request.
struct SetEntityStateRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/SetEntityState_Request";

  std::string entity;
  EntityState state;
  bool set_pose = false;
  bool set_twist = false;
  bool set_acceleration = false;

  static void fields(auto& self, auto&& visit) {
    visit("entity", self.entity);
    visit("state", self.state);
    visit("set_pose", self.set_pose);
    visit("set_twist", self.set_twist);
    visit("set_acceleration", self.set_acceleration);
  }
  bool operator==(const SetEntityStateRequest&) const = default;
};

// simulation_interfaces/srv/SetEntityState_Response.
struct SetEntityStateResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/SetEntityState_Response";
  static constexpr uint8_t kInvalidPose = 101;

  Result result;

  static void constants(auto&& visit) { visit("INVALID_POSE", kInvalidPose); }
  static void fields(auto& self, auto&& visit) { visit("result", self.result); }
  bool operator==(const SetEntityStateResponse&) const = default;
};

// simulation_interfaces/srv/GetCurrentWorld_Request.
struct GetCurrentWorldRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetCurrentWorld_Request";

  static void fields(auto&, auto&&) {}
  bool operator==(const GetCurrentWorldRequest&) const = default;
};

// simulation_interfaces/srv/GetCurrentWorld_Response.
struct GetCurrentWorldResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/GetCurrentWorld_Response";
  static constexpr uint8_t kNoWorldLoaded = 101;

  Result result;
  WorldResource world;

  static void constants(auto&& visit) { visit("NO_WORLD_LOADED", kNoWorldLoaded); }
  static void fields(auto& self, auto&& visit) {
    visit("result", self.result);
    visit("world", self.world);
  }
  bool operator==(const GetCurrentWorldResponse&) const = default;
};

// simulation_interfaces/srv/LoadWorld_Request.
struct LoadWorldRequest {
  static constexpr const char* kRosType = "simulation_interfaces/srv/LoadWorld_Request";

  Resource world_resource;
  bool fail_on_unsupported_element = false;
  bool ignore_missing_or_unsupported_assets = false;

  static void fields(auto& self, auto&& visit) {
    visit("world_resource", self.world_resource);
    visit("fail_on_unsupported_element", self.fail_on_unsupported_element);
    visit("ignore_missing_or_unsupported_assets", self.ignore_missing_or_unsupported_assets);
  }
  bool operator==(const LoadWorldRequest&) const = default;
};

// simulation_interfaces/srv/LoadWorld_Response.
struct LoadWorldResponse {
  static constexpr const char* kRosType = "simulation_interfaces/srv/LoadWorld_Response";
  static constexpr uint8_t kUnsupportedFormat = 101;
  static constexpr uint8_t kNoResource = 102;
  static constexpr uint8_t kResourceParseError = 103;
  static constexpr uint8_t kMissingAssets = 104;
  static constexpr uint8_t kUnsupportedAssets = 105;
  static constexpr uint8_t kUnsupportedElements = 106;

  Result result;
  WorldResource world;

  static void constants(auto&& visit) {
    visit("UNSUPPORTED_FORMAT", kUnsupportedFormat);
    visit("NO_RESOURCE", kNoResource);
    visit("RESOURCE_PARSE_ERROR", kResourceParseError);
    visit("MISSING_ASSETS", kMissingAssets);
    visit("UNSUPPORTED_ASSETS", kUnsupportedAssets);
    visit("UNSUPPORTED_ELEMENTS", kUnsupportedElements);
  }
  static void fields(auto& self, auto&& visit) {
    visit("result", self.result);
    visit("world", self.world);
  }
  bool operator==(const LoadWorldResponse&) const = default;
};

}  // namespace gs::msgs::simulation_interfaces
