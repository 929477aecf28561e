// Binding of native/core/counters. An errno value instead of a result means the call was refused.
#include "addon/register.h"
#include "addon/values.h"
#include "tscope/clock/probe.h"
#include "tscope/counters/cycles.h"
#include "tscope/counters/events.h"
#include "tscope/counters/group.h"

namespace tscope::addon {

namespace {

using Info = const Napi::CallbackInfo&;

template <typename T>
Napi::External<T> Own(Napi::Env env, T* object) {
  return Napi::External<T>::New(env, object, [](Napi::BasicEnv, T* owned) { delete owned; });
}

Napi::Value Events(Info info) {
  size_t count = 0;
  const counters::Event* events = counters::AllEvents(&count);
  Napi::Array out = Napi::Array::New(info.Env(), count);
  for (uint32_t i = 0; i < count; i++) {
    Napi::Object event = Napi::Object::New(info.Env());
    event.Set("name", events[i].name);
    event.Set("hardware", events[i].hardware());
    event.Set("inKernel", events[i].in_kernel);
    out.Set(i, event);
  }
  return out;
}

Napi::Value Open(Info info) {
  const Napi::Env env = info.Env();
  std::vector<std::string> names;
  const Napi::Array wanted = info[0].As<Napi::Array>();
  for (uint32_t i = 0; i < wanted.Length(); i++) names.push_back(wanted.Get(i).ToString());
  counters::Options options;
  options.kernel = info[1].ToBoolean();
  auto* group = new counters::Group();
  std::vector<counters::Failure> failed;
  const int error = group->Open(names, options, &failed);
  Napi::Object out = Napi::Object::New(env);
  out.Set("error", error);
  out.Set("failed", FromVector(env, failed, [&](const counters::Failure& failure) {
            Napi::Object o = Napi::Object::New(env);
            o.Set("name", failure.name);
            o.Set("errno", failure.error);
            return o;
          }));
  if (error) {
    delete group;
    return out;
  }
  out.Set("opened", FromVector(env, group->names(),
                               [&](const std::string& name) { return Napi::String::New(env, name); }));
  out.Set("handle", Own(env, group));
  return out;
}

// Called around sections, so plain Node-API: nothing is allocated.
template <typename T>
T* Handle(napi_env env, napi_value value) {
  void* object = nullptr;
  if (napi_get_value_external(env, value, &object) != napi_ok) {
    napi_throw_type_error(env, nullptr, "counters: not a handle");
    return nullptr;
  }
  return static_cast<T*>(object);
}

napi_value FromErrno(napi_env env, int error) {
  napi_value out = nullptr;
  napi_create_int32(env, error, &out);
  return out;
}

napi_value Begin(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value argv[1];
  napi_get_cb_info(env, info, &argc, argv, nullptr, nullptr);
  auto* group = Handle<counters::Group>(env, argv[0]);
  return group ? FromErrno(env, group->Begin()) : nullptr;
}

napi_value End(napi_env env, napi_callback_info info) {
  size_t argc = 2;
  napi_value argv[2];
  napi_get_cb_info(env, info, &argc, argv, nullptr, nullptr);
  auto* group = Handle<counters::Group>(env, argv[0]);
  if (!group) return nullptr;
  // Read before anything else is looked at: what follows would be counted.
  counters::Delta delta;
  const int error = group->End(&delta);
  napi_typedarray_type type = napi_int8_array;
  size_t length = 0;
  void* data = nullptr;
  const size_t n = group->names().size();
  if (napi_get_typedarray_info(env, argv[1], &type, &length, &data, nullptr, nullptr) != napi_ok ||
      type != napi_float64_array || length < n + 2) {
    napi_throw_type_error(env, nullptr,
                          "end(into): pass a Float64Array with room for every count and two times");
    return nullptr;
  }
  if (error == 0) {
    double* out = static_cast<double*>(data);
    for (size_t i = 0; i < n; i++) out[i] = delta.counts[i];
    out[n] = delta.enabled_ns;
    out[n + 1] = delta.running_ns;
  }
  return FromErrno(env, error);
}

Napi::Value Close(Info info) {
  info[0].As<Napi::External<counters::Group>>().Data()->Close();
  return info.Env().Undefined();
}

Napi::Value RdpruAdvertised(Info info) { return Napi::Boolean::New(info.Env(), counters::RdpruAdvertised()); }

Napi::Value ProbeRdpru(Info info) {
  return Napi::Boolean::New(info.Env(), clock::ProbeInstruction("rdpru") == clock::Probe::kWorks);
}

Napi::Value MeasureGhz(Info info) { return Napi::Number::New(info.Env(), counters::MeasureGhz()); }

Napi::Value OpenCycles(Info info) {
  const Napi::Env env = info.Env();
  auto* cycles = new counters::CycleCounter();
  const int error = cycles->Open(static_cast<counters::CycleSource>(ToInt(info[0])), info[1].ToBoolean());
  Napi::Object out = Napi::Object::New(env);
  out.Set("error", error);
  if (error) {
    delete cycles;
  } else {
    out.Set("handle", Own(env, cycles));
  }
  return out;
}

napi_value BeginCycles(napi_env env, napi_callback_info info) {
  size_t argc = 1;
  napi_value argv[1];
  napi_get_cb_info(env, info, &argc, argv, nullptr, nullptr);
  auto* cycles = Handle<counters::CycleCounter>(env, argv[0]);
  return cycles ? FromErrno(env, cycles->Begin()) : nullptr;
}

Napi::Value EndCycles(Info info) {
  const Napi::Env env = info.Env();
  counters::Cycles cycles;
  const int error = info[0].As<Napi::External<counters::CycleCounter>>().Data()->End(&cycles);
  if (error) return Napi::Number::New(env, error);
  Napi::Object out = Napi::Object::New(env);
  out.Set("cycles", cycles.cycles);
  out.Set("ghz", cycles.ghz);
  out.Set("valid", cycles.valid);
  return out;
}

Napi::Value CloseCycles(Info info) {
  info[0].As<Napi::External<counters::CycleCounter>>().Data()->Close();
  return info.Env().Undefined();
}

Napi::Object Register(Napi::Env env) {
  Napi::Object exports = Napi::Object::New(env);
  const auto add = [&](const char* name, Napi::Value (*function)(Info)) {
    exports.Set(name, Napi::Function::New(env, function, name));
  };
  const auto add_plain = [&](const char* name, napi_callback function) {
    napi_value value = nullptr;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value);
    exports.Set(name, Napi::Value(env, value));
  };
  add("events", Events);
  add("open", Open);
  add_plain("begin", Begin);
  add_plain("end", End);
  add("close", Close);
  add("rdpruAdvertised", RdpruAdvertised);
  add("probeRdpru", ProbeRdpru);
  add("measureGhz", MeasureGhz);
  add("openCycles", OpenCycles);
  add_plain("beginCycles", BeginCycles);
  add("endCycles", EndCycles);
  add("closeCycles", CloseCycles);
  return exports;
}

TSCOPE_ADDON_CONCERN(counters, Register)

}  // namespace

}  // namespace tscope::addon
