/** A request that cannot be carried out as made: exit code 2 on the command line. The message says what, where and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
