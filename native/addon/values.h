// Conversions between JavaScript values and C++ ones that several bindings share. Arguments were validated in
// TypeScript.
#pragma once

#include <napi.h>

#include <vector>

namespace tscope::addon {

inline int ToInt(const Napi::Value& value) { return value.ToNumber().Int32Value(); }

inline std::vector<int> ToInts(const Napi::Value& value) {
  std::vector<int> out;
  if (!value.IsArray()) return out;
  const Napi::Array array = value.As<Napi::Array>();
  const uint32_t n = array.Length();
  out.reserve(n);
  for (uint32_t i = 0; i < n; i++) out.push_back(ToInt(array.Get(i)));
  return out;
}

inline Napi::Array FromInts(Napi::Env env, const std::vector<int>& values) {
  Napi::Array out = Napi::Array::New(env, values.size());
  for (uint32_t i = 0; i < values.size(); i++) out.Set(i, values[i]);
  return out;
}

template <typename T, typename Fn>
inline Napi::Array FromVector(Napi::Env env, const std::vector<T>& values, Fn convert) {
  Napi::Array out = Napi::Array::New(env, values.size());
  for (uint32_t i = 0; i < values.size(); i++) out.Set(i, convert(values[i]));
  return out;
}

}  // namespace tscope::addon
