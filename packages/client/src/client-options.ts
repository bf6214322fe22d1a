import { optionRules, type OptionSchema } from '@toolwright/core/options';
import type { SessionOptions } from './session.js';

const { anyObject, callback, oneOf, text } = optionRules;

/** The options of a client. All of them have defaults. */
export type ClientOptions = Partial<SessionOptions>;

/** Every option of a client with its rule and its default. */
export const clientOptions = {
  // Any text is allowed: a test may ask for a revision that does not exist.
  revision: { ...text, default: '2026-07-28' },
  clientInfo: { ...anyObject, default: { name: 'toolwright-client', version: '1.0.0' } },
  capabilities: anyObject,
  logLevel: oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'),
  onLog: callback,
  elicit: callback,
  sample: callback,
  roots: callback,
} satisfies OptionSchema<ClientOptions>;
