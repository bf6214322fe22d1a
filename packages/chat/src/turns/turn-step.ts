import type { ChatMessage } from '../model/chat-messages.js';

/** One answer, for a case: what the model had read, and the calls that it made then. */
export interface TurnStep {
  readonly request: readonly ChatMessage[];
  readonly calls: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[];
}
