// Binding of native/core/cpu. An errno value instead of a result means the call was refused.
#include <limits>

#include "addon/register.h"
#include "addon/values.h"
#include "tscope/cpu/affinity.h"

namespace tscope::addon {

namespace {

using Info = const Napi::CallbackInfo&;

Napi::Value ThreadId(Info info) { return Napi::Number::New(info.Env(), cpu::ThreadId()); }
Napi::Value CurrentCpu(Info info) { return Napi::Number::New(info.Env(), cpu::CurrentCpu()); }

Napi::Value GetAffinity(Info info) {
  std::vector<int> cpus;
  const int error = cpu::GetAffinity(ToInt(info[0]), &cpus);
  if (error) return Napi::Number::New(info.Env(), error);
  return FromInts(info.Env(), cpus);
}

Napi::Value SetAffinity(Info info) {
  return Napi::Number::New(info.Env(), cpu::SetAffinity(ToInt(info[0]), ToInts(info[1])));
}

Napi::Value ListThreads(Info info) {
  const Napi::Env env = info.Env();
  std::vector<cpu::Thread> threads;
  const int error = cpu::ListThreads(ToInt(info[0]), &threads);
  if (error) return Napi::Number::New(env, error);
  Napi::Array out = Napi::Array::New(env, threads.size());
  for (size_t i = 0; i < threads.size(); i++) {
    Napi::Object thread = Napi::Object::New(env);
    thread.Set("tid", threads[i].tid);
    thread.Set("name", threads[i].name);
    thread.Set("cpus", FromInts(env, threads[i].cpus));
    out.Set(static_cast<uint32_t>(i), thread);
  }
  return out;
}

Napi::Value MoveThreads(Info info) {
  const Napi::Env env = info.Env();
  std::vector<cpu::Moved> moved;
  const int error = cpu::MoveThreads(ToInt(info[0]), ToInts(info[1]), ToInts(info[2]), &moved);
  Napi::Array list = Napi::Array::New(env, moved.size());
  for (size_t i = 0; i < moved.size(); i++) {
    Napi::Object entry = Napi::Object::New(env);
    entry.Set("tid", moved[i].tid);
    entry.Set("cpus", FromInts(env, moved[i].cpus));
    list.Set(static_cast<uint32_t>(i), entry);
  }
  Napi::Object out = Napi::Object::New(env);
  out.Set("error", error);
  out.Set("moved", list);
  return out;
}

// Called around every iteration, so plain Node-API: nothing is allocated.
napi_value Usage(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value array = nullptr;
  napi_typedarray_type type = napi_int8_array;
  size_t length = 0;
  void* data = nullptr;
  napi_get_cb_info(env, info, &argc, &array, nullptr, nullptr);
  if (napi_get_typedarray_info(env, array, &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_float64_array || length < 5) {
    napi_throw_type_error(env, nullptr, "usage(into): pass a Float64Array with room for 5 numbers");
    return nullptr;
  }
  double* out = static_cast<double*>(data);
  cpu::Usage usage;
  if (cpu::ThreadUsage(&usage) != 0) {
    for (int i = 0; i < 5; i++) out[i] = std::numeric_limits<double>::quiet_NaN();
    return nullptr;
  }
  out[0] = static_cast<double>(usage.involuntary_switches);
  out[1] = static_cast<double>(usage.voluntary_switches);
  out[2] = static_cast<double>(usage.minor_faults);
  out[3] = static_cast<double>(usage.major_faults);
  out[4] = static_cast<double>(usage.cpu_ns);
  return nullptr;
}

Napi::Object Register(Napi::Env env) {
  Napi::Object exports = Napi::Object::New(env);
  const auto add = [&](const char* name, Napi::Value (*function)(Info)) {
    exports.Set(name, Napi::Function::New(env, function, name));
  };
  add("threadId", ThreadId);
  add("currentCpu", CurrentCpu);
  add("getAffinity", GetAffinity);
  add("setAffinity", SetAffinity);
  add("listThreads", ListThreads);
  add("moveThreads", MoveThreads);
  napi_value usage = nullptr;
  napi_create_function(env, "usage", NAPI_AUTO_LENGTH, Usage, nullptr, &usage);
  exports.Set("usage", Napi::Value(env, usage));
  return exports;
}

TSCOPE_ADDON_CONCERN(cpu, Register)

}  // namespace

}  // namespace tscope::addon
