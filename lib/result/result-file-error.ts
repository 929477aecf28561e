/** A result file that cannot be read: `code` says which way, the message names the file and what to do. */
export class ResultFileError extends Error {
  override readonly name = 'ResultFileError';
  /** What is wrong with the file. */
  readonly code: 'missing' | 'unreadable' | 'damaged' | 'foreign' | 'version';
  constructor(code: ResultFileError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
