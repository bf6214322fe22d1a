import { callPart } from './calls/call-part.js';
import type { InsideMethod } from './inside-method.js';
import type { Part, PartHost } from './part.js';
import { surfacePart } from './surface/surface-part.js';

/** Everything that answers questions about servers. It is loaded with the first question. */
export function partsOf(host: PartHost): Partial<Part<InsideMethod>> {
  return { ...surfacePart(host), ...callPart(host) };
}
