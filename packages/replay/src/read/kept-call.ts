import { cutText, type RecordedPrincipal } from '@toolwright/json';

export type Members = Readonly<Record<string, unknown>>;

/** An answer of JSON-RPC. */
export type KeptAnswer = { readonly result: Members } | { readonly error: Members };

/** A question of the server in the middle of a call, with what the client answered. */
export interface KeptQuestion {
  readonly method: string;
  answer?: KeptAnswer;
}

/** A request of a client that asks for something, with everything that belongs to it. All rounds of a call are one. */
export interface KeptCall {
  /** Counts the calls of a recording: 1, 2, 3 and so on. */
  readonly number: number;
  /** Milliseconds since the recording began. */
  readonly at: number;
  readonly method: string;
  /** Without what only the connection needs. */
  readonly params: Members;
  readonly caller: RecordedPrincipal | undefined;
  readonly client: { readonly name: string; readonly version: string } | undefined;
  readonly revision: string | undefined;
  /** What the client can answer: `elicitation`, `roots`, `sampling`. */
  readonly answers: readonly string[];
  readonly questions: KeptQuestion[];
  /** Missing if the recording ends before it. */
  answer?: KeptAnswer;
  /** Milliseconds inside the server, without the time in which a client answered questions. */
  ms: number;
  /**
   * Nobody knows which message belongs to it: a client has sent two requests with one id at once, as claude.ai did, or the server asked
   * on a channel with several open calls.
   */
  isUnclear: boolean;
  /** A message of it has a form that cannot be read, such as thousands of levels. */
  isUnreadable: boolean;
  /** It was made a task, or asked to be one. */
  isTask: boolean;
}

/** A longer name fills a report, and says nothing more. */
const LONGEST_NAME = 200;

/** What people call it: the name of a tool or prompt, the address of a resource, else the method. */
export function nameOf({ method, params }: Pick<KeptCall, 'method' | 'params'>): string {
  const name = params['name'] ?? params['uri'];
  return typeof name === 'string' ? cutText(name, LONGEST_NAME, '…') : method;
}

/** Who called, for people. */
export function callerName(caller: RecordedPrincipal | undefined): string {
  if (!caller) return 'anonymous';
  return caller.tenant === undefined ? caller.subject : `${caller.subject} of ${caller.tenant}`;
}
