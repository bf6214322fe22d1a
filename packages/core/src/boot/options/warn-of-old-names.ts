import { deprecate } from 'node:util';
import type { ProtocolOptions } from '../../protocol/protocol-options.js';

const warnOfLegacy = deprecate(
  () => undefined,
  'The option "legacy" of createMcpServer is now called "stateful". The old name goes with 0.3.',
  'TWDEP006',
);

/** Tells the developer once in each process, as Node.js does for its own names. */
export function warnOfOldNames({ legacy }: ProtocolOptions): void {
  if (legacy !== undefined) warnOfLegacy();
}
