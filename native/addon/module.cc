// The Node-API module: exports one object per registered concern. No arithmetic and no policy here.
#include "addon/register.h"

namespace tscope::addon {

// Constant-initialised, so it is there before any registering initialiser runs.
Concern* Concern::first = nullptr;

Concern::Concern(const char* name, RegisterFn fn) : name(name), fn(fn), next(first) { first = this; }

}  // namespace tscope::addon

static Napi::Object InitModule(Napi::Env env, Napi::Object exports) {
  for (auto* concern = tscope::addon::Concern::first; concern != nullptr; concern = concern->next) {
    exports.Set(concern->name, concern->fn(env));
  }
  return exports;
}

NODE_API_MODULE(tscope, InitModule)
