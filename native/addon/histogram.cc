// Binding of native/core/histogram: one recorder per object, written by the thread that made it.
#include "addon/args.h"
#include "addon/register.h"
#include "addon/results.h"

namespace tscope::addon {
namespace {

using Info = const Napi::CallbackInfo&;
using histogram::Recorder;

Recorder* Of(Info info) {
  if (info.Length() > 0 && info[0].IsExternal()) return info[0].As<Napi::External<Recorder>>().Data();
  Napi::TypeError::New(info.Env(), "the first argument must be a recorder").ThrowAsJavaScriptException();
  return nullptr;
}

constexpr const char* kBadValue = "a recorder takes numbers from 0";

// Beyond the range is the recorder's business; a double beyond uint64 must not be converted.
uint64_t ToValue(double value) { return value >= 0x1p63 ? UINT64_MAX : static_cast<uint64_t>(value); }

Napi::Value Create(Info info) {
  return Napi::External<Recorder>::New(info.Env(), new Recorder(), [](Napi::Env, Recorder* r) { delete r; });
}

// recordAll(recorder, values: Float64Array of whole numbers from 0)
Napi::Value RecordAll(Info info) {
  Doubles values;
  Recorder* recorder = Of(info);
  if (recorder == nullptr || !DoublesArg(info, 1, "values", &values)) return info.Env().Undefined();
  for (size_t i = 0; i < values.length; i++) {
    if (!(values.data[i] >= 0)) {
      Napi::RangeError::New(info.Env(), kBadValue).ThrowAsJavaScriptException();
      break;
    }
    recorder->Record(ToValue(values.data[i]));
  }
  return info.Env().Undefined();
}

// record(value), made by recorder(recorder): the plainest callback there is.
napi_value RecordOne(napi_env env, napi_callback_info info) {
  napi_value argument;
  size_t count = 1;
  void* data = nullptr;
  double value = 0;
  napi_get_cb_info(env, info, &count, &argument, nullptr, &data);
  if (count == 1 && napi_get_value_double(env, argument, &value) == napi_ok && value >= 0) {
    static_cast<Recorder*>(data)->Record(ToValue(value));
  } else {
    napi_throw_range_error(env, nullptr, kBadValue);
  }
  return nullptr;
}

Napi::Value RecordFunction(Info info) {
  Recorder* recorder = Of(info);
  if (recorder == nullptr) return info.Env().Undefined();
  napi_value fn;
  napi_create_function(info.Env(), "record", NAPI_AUTO_LENGTH, &RecordOne, recorder, &fn);
  // The function keeps its recorder alive.
  Napi::Function(info.Env(), fn).Set("recorder", info[0]);
  return Napi::Value(info.Env(), fn);
}

Napi::Value Take(Info info) {
  Recorder* recorder = Of(info);
  return recorder == nullptr ? info.Env().Undefined() : FromSnapshot(info.Env(), recorder->Take());
}

Napi::Value Reset(Info info) {
  if (Recorder* recorder = Of(info)) recorder->Reset();
  return info.Env().Undefined();
}

Napi::Object RegisterHistogram(Napi::Env env) {
  Napi::Object target = Napi::Object::New(env);
  Method<Create>(target, "create");
  Method<RecordAll>(target, "recordAll");
  Method<RecordFunction>(target, "recordFunction");
  Method<Take>(target, "take");
  Method<Reset>(target, "reset");
  return target;
}

}  // namespace

TSCOPE_ADDON_CONCERN(histogram, RegisterHistogram)

}  // namespace tscope::addon
