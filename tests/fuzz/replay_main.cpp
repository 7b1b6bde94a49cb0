// SPDX-License-Identifier: Apache-2.0
// The main() of a fuzz target without a fuzzer: runs every seed of a corpus folder and a fixed
// number of mutations of each. Given files instead of a folder, it runs just those: that is how a
// crash is reproduced.
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

#include <signal.h>

#include "mutate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// Present when a sanitizer is linked; it then reports crashes itself and calls us afterwards.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace fs = std::filesystem;

namespace {

constexpr unsigned kSecondsPerInput = 20;
constexpr rlim_t kMemoryLimit = rlim_t{4} << 30;

// Fixed storage: the crash hooks may use nothing that allocates.
char current_path[4096] = "fuzz.input";
char current_name[4096] = "";

void say(const char* text) {
  const ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
  static_cast<void>(ignored);
}

void nameTheInput() {
  say("\nfuzz: crashed on ");
  say(current_name);
  say("\nfuzz: the input is kept; run this program with its path: ");
  say(current_path);
  say("\n");
}

void onSignal(int signal) {
  if (signal == SIGALRM) say("\nfuzz: one input took longer than 20 s");
  nameTheInput();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void installHooks() {
  ::signal(SIGALRM, onSignal);
  ::signal(SIGABRT, onSignal);
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(nameTheInput);
    return;
  }
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) ::signal(signal, onSignal);
  // An input that makes us reserve gigabytes is a bug: let it fail as one. (Sanitizers reserve
  // terabytes themselves, so not there.)
  const rlimit limit{kMemoryLimit, kMemoryLimit};
  setrlimit(RLIMIT_AS, &limit);
}

struct Slowest {
  double seconds = 0.0;
  std::string name;
};

// The file stays open: truncating to nothing and closing would make ext4 write it out every time.
void keep(const std::string& input) {
  static const int file = open(current_path, O_WRONLY | O_CREAT, 0644);
  const auto size = static_cast<ssize_t>(input.size());
  if (file < 0 || pwrite(file, input.data(), input.size(), 0) != size ||
      ftruncate(file, size) != 0) {
    fprintf(stderr, "fuzz: cannot write %s: %s\n", current_path, strerror(errno));
    exit(2);
  }
}

void run(const std::string& name, const std::string& input, Slowest& slowest) {
  snprintf(current_name, sizeof current_name, "%s", name.c_str());
  keep(input);

  // Exactly as long as the input, on the heap, so that a sanitizer sees the first byte too many.
  const std::vector<uint8_t> bytes(input.begin(), input.end());
  alarm(kSecondsPerInput);
  const auto start = std::chrono::steady_clock::now();
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  alarm(0);
  if (took.count() > slowest.seconds) slowest = {took.count(), name};
}

std::string readFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fprintf(stderr, "fuzz: cannot read %s\n", path.c_str());
    exit(2);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// Depends on the seed's name only, so that a new seed does not change what the others become.
uint64_t hashOf(const std::string& name) {
  uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ULL;
  return hash;
}

int replayCorpus(const fs::path& folder, unsigned mutations) {
  const std::vector<fs::path> files = filesIn(folder);
  if (files.empty()) {
    fprintf(stderr, "fuzz: no seeds in %s\n", folder.c_str());
    return 1;
  }
  std::vector<std::string> seeds;
  for (const fs::path& file : files) seeds.push_back(readFile(file));

  Slowest slowest;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name = fs::relative(files[i], folder).string();
    run(name, seeds[i], slowest);
    const gs::Rng rng(hashOf(name));
    for (unsigned mutation = 0; mutation < mutations; ++mutation) {
      gs::Rng its_own = rng.fork(mutation);
      run(name + ", mutation " + std::to_string(mutation), gs::fuzz::mutate(seeds, i, its_own),
          slowest);
    }
  }
  printf("fuzz: %zu seeds, %zu mutations, slowest %.1f ms (%s)\n", files.size(),
         files.size() * mutations, slowest.seconds * 1e3, slowest.name.c_str());
  return 0;
}

int replayFiles(const std::vector<fs::path>& files) {
  Slowest slowest;
  for (const fs::path& file : files) {
    run(file.string(), readFile(file), slowest);
    printf("fuzz: %s: %.1f ms\n", file.c_str(), slowest.seconds * 1e3);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned mutations = 500;
  std::vector<fs::path> inputs;
  snprintf(current_path, sizeof current_path, "%s.input", argv[0]);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--mutations" && i + 1 < argc)
      mutations = static_cast<unsigned>(strtoul(argv[++i], nullptr, 10));
    else if (argument == "--current-input" && i + 1 < argc)
      snprintf(current_path, sizeof current_path, "%s", argv[++i]);
    else inputs.emplace_back(argument);
  }
  if (inputs.empty()) {
    fprintf(stderr, "usage: %s [--mutations N] [--current-input FILE] CORPUS_FOLDER | FILE...\n",
            argv[0]);
    return 2;
  }
  installHooks();
  return fs::is_regular_file(inputs[0]) ? replayFiles(inputs) : replayCorpus(inputs[0], mutations);
}
