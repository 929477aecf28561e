/**
 * A misspelt option must not quietly become a default.
 * @throws TypeError when `options` is no object or has a key that is not in `keys`.
 */
export function checkKeys(name: string, options: object, keys: ReadonlySet<string>, example: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${name}: pass an object of options, for example ${example}, not ${options}`);
  }
  const unknown = Object.keys(options).find((key) => !keys.has(key));
  if (unknown !== undefined) {
    throw new TypeError(`${name}: there is no option "${unknown}"; there are ${[...keys].join(', ')}`);
  }
}
