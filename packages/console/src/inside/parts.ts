import { auditPart } from './audit/audit-part.js';
import { callPart } from './calls/call-part.js';
import { OwnCalls } from './calls/own-calls.js';
import { chatPart } from './chat/chat-part.js';
import type { InsideMethod, Part, PartHost } from './part.js';
import { explainPart } from './explain/explain-part.js';
import { keysPart } from './keys/keys-part.js';
import { searchPart } from './search/search-part.js';
import { statePart } from './state/state-part.js';
import { surfacePart } from './surface/surface-part.js';

/** Everything that answers questions about servers. It is loaded with the first question. */
export function partsOf(host: PartHost): Partial<Part<InsideMethod>> {
  const calls = new OwnCalls(host);
  return {
    ...surfacePart(host),
    ...searchPart(host),
    ...callPart(host, calls),
    ...chatPart(host, calls),
    ...statePart(host),
    ...keysPart(host),
    ...explainPart(host),
    ...auditPart(host),
  };
}
