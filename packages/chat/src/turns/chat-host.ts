import type { ChatTool } from '../model/chat-messages.js';

/** What a caller may use. */
export interface OfferedTools {
  readonly tools: readonly ChatTool[];
  /** The instructions of the server: the text before the conversation. */
  readonly system: string | undefined;
  /** True for a tool that is called without a question: it only reads, or asks by itself at each call. */
  isFree(tool: string): boolean;
}

/** How a call has ended. */
export type CallEnd =
  | { readonly result: Readonly<Record<string, unknown>> }
  /** In the words of the server. */
  | { readonly error: string };

export interface MadeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Cancels it. */
  readonly signal: AbortSignal;
  /** Hears by which id the person sees it. */
  began(id: string): void;
}

/** What a chat needs of its console. All calls are those of one caller. */
export interface ChatHost {
  offered(): Promise<OfferedTools>;
  call(call: MadeCall): Promise<CallEnd>;
  /** Hears of every change. */
  changed(): void;
  /** Milliseconds since the epoch. */
  now(): number;
}
