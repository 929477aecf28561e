// Binding of native/core/cpu. An errno value instead of a result means the call was refused.
#include <limits>

#include "addon/register.h"
#include "addon/values.h"
#include "tscope/cpu/affinity.h"
#include "tscope/cpu/lifetime.h"
#include "tscope/cpu/priority.h"
#include "tscope/cpu/reservation.h"
#include "tscope/cpu/topology.h"

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

Napi::Value FromList(Napi::Env env, const cpu::CpuList& list) {
  return list ? static_cast<Napi::Value>(FromInts(env, *list)) : env.Null();
}

Napi::Value NumberOrNull(Napi::Env env, double value) {
  return value < 0 ? env.Null() : static_cast<Napi::Value>(Napi::Number::New(env, value));
}

Napi::Value Topology(Info info) {
  const Napi::Env env = info.Env();
  cpu::Topology t;
  const int error = cpu::ReadTopology(cpu::DiskFiles(info[0].ToString()), &t);
  if (error) return Napi::Number::New(env, error);
  Napi::Object out = Napi::Object::New(env);
  out.Set("online", FromInts(env, t.online));
  out.Set("isolated", FromList(env, t.isolated));
  out.Set("nohzFull", FromList(env, t.nohz_full));
  out.Set("allowed", FromList(env, t.allowed));
  out.Set("cpuset", FromList(env, t.cpuset));
  out.Set("quota", NumberOrNull(env, t.quota));
  out.Set("smt",
          t.smt_active ? static_cast<Napi::Value>(Napi::Boolean::New(env, *t.smt_active)) : env.Null());
  out.Set("cpus", FromVector(env, t.cpus, [&](const cpu::Cpu& c) {
            Napi::Object o = Napi::Object::New(env);
            o.Set("cpu", c.cpu);
            o.Set("core", c.core);
            o.Set("package", NumberOrNull(env, c.package));
            o.Set("node", NumberOrNull(env, c.node));
            o.Set("capacity", NumberOrNull(env, c.capacity));
            o.Set("maxKhz", NumberOrNull(env, static_cast<double>(c.max_khz)));
            o.Set("kind",
                  c.kind.empty() ? env.Null() : static_cast<Napi::Value>(Napi::String::New(env, c.kind)));
            o.Set("interrupts", NumberOrNull(env, static_cast<double>(c.interrupts)));
            return o;
          }));
  out.Set("cores", FromVector(env, t.cores, [&](const cpu::Core& c) {
            Napi::Object o = Napi::Object::New(env);
            o.Set("package", NumberOrNull(env, c.package));
            o.Set("id", NumberOrNull(env, c.id));
            o.Set("cpus", FromInts(env, c.cpus));
            return o;
          }));
  out.Set("caches", FromVector(env, t.caches, [&](const cpu::Cache& c) {
            Napi::Object o = Napi::Object::New(env);
            o.Set("level", c.level);
            o.Set("type", c.type);
            o.Set("bytes", NumberOrNull(env, static_cast<double>(c.bytes)));
            o.Set("lineBytes", NumberOrNull(env, c.line_bytes));
            o.Set("cpus", FromInts(env, c.cpus));
            return o;
          }));
  out.Set("nodes", FromVector(env, t.nodes, [&](const cpu::Node& n) {
            Napi::Object o = Napi::Object::New(env);
            o.Set("node", n.node);
            o.Set("cpus", FromInts(env, n.cpus));
            return o;
          }));
  return out;
}

Napi::Value GetPriority(Info info) {
  const Napi::Env env = info.Env();
  cpu::Priority priority;
  const int error = cpu::GetPriority(0, &priority);
  if (error) return Napi::Number::New(env, error);
  Napi::Object out = Napi::Object::New(env);
  out.Set("policy", static_cast<int>(priority.policy));
  out.Set("realtime", priority.realtime);
  out.Set("nice", priority.nice);
  return out;
}

Napi::Value SetPriority(Info info) {
  cpu::Priority priority;
  priority.policy = static_cast<cpu::Policy>(ToInt(info[0]));
  priority.realtime = ToInt(info[1]);
  priority.nice = ToInt(info[2]);
  return Napi::Number::New(info.Env(), cpu::SetPriority(0, priority));
}

Napi::Value RealtimeLimit(Info info) {
  int64_t runtime = -1;
  int64_t period = -1;
  cpu::RealtimeLimit(&runtime, &period);
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("runtimeUs", Napi::Number::New(info.Env(), static_cast<double>(runtime)));
  out.Set("periodUs", Napi::Number::New(info.Env(), static_cast<double>(period)));
  return out;
}

Napi::Value LockMemory(Info info) {
  cpu::LockOptions options;
  options.future = info[0].ToBoolean();
  options.on_fault = info[1].ToBoolean();
  return Napi::Number::New(info.Env(), cpu::LockMemory(options));
}

Napi::Value UnlockMemory(Info info) { return Napi::Number::New(info.Env(), cpu::UnlockMemory()); }

// Negative: the errno value of a refusal.
Napi::Value GetTimerSlack(Info info) {
  int64_t ns = 0;
  const int error = cpu::GetTimerSlack(&ns);
  return Napi::Number::New(info.Env(), error ? -error : static_cast<double>(ns));
}

Napi::Value SetTimerSlack(Info info) {
  return Napi::Number::New(info.Env(), cpu::SetTimerSlack(info[0].ToNumber().Int64Value()));
}

Napi::Object FromHolder(Napi::Env env, const cpu::Holder& holder) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("cpu", holder.cpu);
  out.Set("pid", NumberOrNull(env, holder.pid == 0 ? -1 : holder.pid));
  out.Set("command", holder.command);
  return out;
}

Napi::Value Reserve(Info info) {
  const Napi::Env env = info.Env();
  auto* reservation = new cpu::Reservation();
  cpu::Holder holder;
  const int error = reservation->Acquire(info[0].ToString(), ToInts(info[1]), info[2].ToString(), &holder);
  Napi::Object out = Napi::Object::New(env);
  out.Set("error", error);
  if (error) {
    delete reservation;
    out.Set("holder", FromHolder(env, holder));
    return out;
  }
  out.Set("handle", Napi::External<cpu::Reservation>::New(
                        env, reservation, [](Napi::BasicEnv, cpu::Reservation* object) { delete object; }));
  return out;
}

Napi::Value EndWithParent(Info info) { return Napi::Number::New(info.Env(), cpu::EndWithParent()); }

Napi::Value ReleaseReservation(Info info) {
  if (info[0].IsExternal()) info[0].As<Napi::External<cpu::Reservation>>().Data()->Release();
  return info.Env().Undefined();
}

Napi::Value ListReservations(Info info) {
  std::vector<cpu::Holder> holders;
  const int error = cpu::ListReservations(info[0].ToString(), &holders);
  if (error) return Napi::Number::New(info.Env(), error);
  return FromVector(info.Env(), holders,
                    [&](const cpu::Holder& holder) { return FromHolder(info.Env(), holder); });
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
  add("topology", Topology);
  add("getPriority", GetPriority);
  add("setPriority", SetPriority);
  add("realtimeLimit", RealtimeLimit);
  add("lockMemory", LockMemory);
  add("unlockMemory", UnlockMemory);
  add("getTimerSlack", GetTimerSlack);
  add("setTimerSlack", SetTimerSlack);
  add("reserve", Reserve);
  add("releaseReservation", ReleaseReservation);
  add("listReservations", ListReservations);
  add("endWithParent", EndWithParent);
  napi_value usage = nullptr;
  napi_create_function(env, "usage", NAPI_AUTO_LENGTH, Usage, nullptr, &usage);
  exports.Set("usage", Napi::Value(env, usage));
  return exports;
}

TSCOPE_ADDON_CONCERN(cpu, Register)

}  // namespace

}  // namespace tscope::addon
