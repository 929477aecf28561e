/** Something about a run's folder that stops work; the message says what, where and what to do. */
export class RunDirError extends Error {
  override readonly name = 'RunDirError';
}
