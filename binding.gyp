{
  'targets': [
    {
      'target_name': 'tscope',
      'sources': ['<!@(node scripts/native-sources.mjs)'],
      'include_dirs': ['native', 'native/core/include', '<!@(node -p "require(\'node-addon-api\').include_dir")'],
      'defines': ['NAPI_VERSION=9', 'NAPI_DISABLE_CPP_EXCEPTIONS', 'NODE_ADDON_API_DISABLE_DEPRECATED'],
      'cflags': ['-fvisibility=hidden', '-Wall', '-Wextra'],
      'cflags_cc!': ['-fno-rtti', '-std=gnu++17', '-std=gnu++20'],
      'cflags_cc': ['-std=c++17', '-fno-exceptions', '-fvisibility-inlines-hidden'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
        'MACOSX_DEPLOYMENT_TARGET': '11.0',
      },
      'msvs_settings': {'VCCLCompilerTool': {'AdditionalOptions': ['/std:c++17']}},
    },
  ],
}
