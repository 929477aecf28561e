// The Node-API module: one register function per concern, each in its own file. No arithmetic and no policy here.
#include "addon/register.h"

namespace tscope::addon {

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  (void)env;
  return exports;
}

}  // namespace tscope::addon

static Napi::Object InitModule(Napi::Env env, Napi::Object exports) {
  return tscope::addon::Init(env, exports);
}

NODE_API_MODULE(tscope, InitModule)
