// Every concern of native/core has one binding file, which registers itself here:
//
//   static Napi::Object Register(Napi::Env env) { ... }
//   TSCOPE_ADDON_CONCERN(clock, Register)
//
// The module then calls it once per environment (main thread and every worker) and exports the object as
// `addon.clock`.
#pragma once

#include <napi.h>

namespace tscope::addon {

using RegisterFn = Napi::Object (*)(Napi::Env env);

struct Concern {
  const char* name;
  RegisterFn fn;
  Concern* next;
  Concern(const char* name, RegisterFn fn);
  static Concern* first;  // list of all, built by static initialisers; order without meaning
};

}  // namespace tscope::addon

#define TSCOPE_ADDON_CONCERN(name, fn) static ::tscope::addon::Concern tscope_concern_##name(#name, fn);
