import type { Era } from '../revision.js';
import { ToolError } from './tool-error.js';

/** A call needs an instance with session scope, but it has no session. */
export class SessionRequiredError extends ToolError {
  /** @param name of the operation, as clients see it */
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

/**
 * A call needs something that another process keeps for its session, or that this process has already
 * forgotten.
 */
export class SessionElsewhereError extends ToolError {
  /** @param name of the operation, as clients see it */
  constructor(name: string) {
    super(
      `"${name}" keeps state for each session, and this server process does not have the state of your session: another process has it, or it has ended. Open a new session to start again.`,
      { code: 'TW_SESSION_ELSEWHERE' },
    );
  }
}
