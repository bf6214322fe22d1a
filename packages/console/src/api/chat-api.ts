import type { ChatTurnState } from '@toolwright/json';
import type { Awaitable, OnServer } from './overview-api.js';
import type { Identity } from './surface-api.js';

/** The chat with one server as one caller. Each operator has an own one. */
export interface ChatOf extends OnServer {
  readonly as?: Identity;
}

/** A chat, as far as it has come. */
export interface ShownChat {
  /** Who answers. Left out where no model is set. */
  readonly model?: { readonly name: string; readonly host: string };
  /** What to set where no model is. */
  readonly off?: string;
  readonly turns: readonly ChatTurnState[];
}

/** A turn as cases of `evaluate`. */
export interface CasesOfTurn {
  /** JSON, as a table of `evaluate` has it. */
  readonly cases: readonly Readonly<Record<string, unknown>>[];
}

/** Each method but the last two returns the chat. Events of the type `chat` report how it goes on. */
export interface ChatApi {
  chat(params: ChatOf): Awaitable<ShownChat>;
  /** Begins a turn. Its calls are those of the caller, as all calls of the console. */
  sendToChat(params: ChatOf & { readonly text: string }): Awaitable<ShownChat>;
  /** Says whether a call is made that waits for that. */
  allowChatCall(
    params: ChatOf & { readonly call: string; readonly isAllowed: boolean },
  ): Awaitable<ShownChat>;
  stopChat(params: ChatOf): Awaitable<ShownChat>;
  /** Forgets what was said. */
  newChat(params: ChatOf): Awaitable<ShownChat>;
  casesOfChat(params: ChatOf & { readonly turn: number }): Awaitable<CasesOfTurn>;
  /** Adds them to a file of the project. Returns its path, and the names of the cases in it. */
  saveChatCases(
    params: ChatOf & { readonly turn: number },
  ): Awaitable<{ readonly file: string; readonly names: readonly string[] }>;
}
