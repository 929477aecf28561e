#include "cpu_registry.h"

#include <mutex>
#include <set>

#include "tscope/thread/thread.h"

namespace tscope::jitter {
namespace {

struct Registry {
  std::mutex mutex;
  std::set<int> taken;
};

// Never destroyed: a sampler may still run while the process exits.
Registry& TheRegistry() {
  static auto* registry = new Registry();
  return *registry;
}

}  // namespace

bool ClaimCpu(int cpu) {
  if (cpu == thread::kAnyCpu) return true;
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  return registry.taken.insert(cpu).second;
}

void ReleaseCpu(int cpu) {
  Registry& registry = TheRegistry();
  std::lock_guard<std::mutex> lock(registry.mutex);
  registry.taken.erase(cpu);
}

}  // namespace tscope::jitter
