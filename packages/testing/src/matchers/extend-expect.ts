import { matchers } from './matchers.js';

/** Loaded by the preset after Jest has set up `expect`. */
const { expect } = globalThis as unknown as { expect: { extend(matchers: object): void } };
expect.extend(matchers);
