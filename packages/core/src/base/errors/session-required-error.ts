import type { Era } from '../revision.js';
import { ToolError } from './tool-error.js';

/** What a call needs lives as long as a session, and the call belongs to none. */
export class SessionRequiredError extends ToolError {
  /** @param name of the operation, as it is published */
  constructor(name: string, era: Era) {
    const reason =
      era === 'stateless'
        ? 'protocol revision 2026-07-28 has no sessions. Connect with revision 2025-11-25 or older'
        : 'this server keeps no sessions over HTTP (option sessions: false). Connect over stdio';
    super(
      `"${name}" keeps state for each session, and ${reason}. To serve it without sessions, its author can give out an id that callers pass back as an argument, or keep the state by ctx.principal.`,
      { code: 'TW_SESSION_REQUIRED' },
    );
  }
}
