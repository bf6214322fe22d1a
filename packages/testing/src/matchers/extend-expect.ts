import { expect } from '@jest/globals';
import type {} from 'expect';
import { matchers, type ToolMatchers } from './matchers.js';

// The preset loads this file after Jest has set up `expect`. Jest itself answers this import, even with
// `injectGlobals: false`.
expect.extend(matchers as never);

declare module 'expect' {
  // The name and the parameters are Jest's own: interfaces merge only when they are the same.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
  interface Matchers<R extends void | Promise<void>, T = unknown> extends ToolMatchers<R> {}
}
