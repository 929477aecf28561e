import { bodyText, headText } from '../run.js';
import type { Reporter } from './reporter.js';

/** The report as `tscope run` prints it, without colour and unwrapped. */
export const text: Reporter = {
  id: 'text',
  extension: 'text',
  about: 'the report that run prints',
  defaultTarget: 'jmh-result.text',
  format: (result, comparison) => headText(result) + bodyText(result, comparison),
};
