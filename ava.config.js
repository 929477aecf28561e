// One process per test file (affinity, flags and crashes must not leak) and one file at a time (two cores, timing inside).
export default {
  files: ['out/test/**/*.test.js'],
  workerThreads: false,
  concurrency: 1,
  timeout: '5m',
  nodeArguments: ['--enable-source-maps'],
  failWithoutAssertions: true,
};
