// Arguments of set-up functions. The TypeScript layer validates what users write and words the errors; a
// binding that gets something else throws TypeError and does nothing.
#pragma once

#include <napi.h>

#include <string>

namespace tscope::addon {

// Argument `index` as a double; throws TypeError (and returns false) if it is not a number.
inline bool NumberArg(const Napi::CallbackInfo& info, size_t index, const char* name, double* out) {
  if (index < info.Length() && info[index].IsNumber()) {
    *out = info[index].As<Napi::Number>().DoubleValue();
    return true;
  }
  Napi::TypeError::New(info.Env(), std::string(name) + " must be a number").ThrowAsJavaScriptException();
  return false;
}

struct Doubles {
  double* data = nullptr;
  size_t length = 0;
};

// Argument `index` as a view of a Float64Array, on ordinary or shared memory; throws TypeError (and returns
// false) otherwise. The view is good until JavaScript runs again.
inline bool DoublesArg(const Napi::CallbackInfo& info, size_t index, const char* name, Doubles* out) {
  napi_typedarray_type type;
  void* data = nullptr;
  if (index < info.Length() && info[index].IsTypedArray() &&
      napi_get_typedarray_info(info.Env(), info[index], &type, &out->length, &data, nullptr, nullptr) ==
          napi_ok &&
      type == napi_float64_array) {
    out->data = static_cast<double*>(data);
    return true;
  }
  Napi::TypeError::New(info.Env(), std::string(name) + " must be a Float64Array")
      .ThrowAsJavaScriptException();
  return false;
}

template <Napi::Value (*Fn)(const Napi::CallbackInfo&)>
inline void Method(Napi::Object target, const char* name, void* data = nullptr) {
  target.Set(name, Napi::Function::New<Fn>(target.Env(), name, data));
}

}  // namespace tscope::addon
