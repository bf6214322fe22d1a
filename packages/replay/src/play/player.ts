import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions, ListedTool, McpClient } from '@toolwright/client';
import { isObject, present, reasonOf, type RecordedPrincipal } from '@toolwright/json';
import { type KeptAnswer, type KeptCall, type Members } from '../read/kept-call.js';
import { QuestionAnswers } from './question-answers.js';

/** Whose calls come next, and how their client was. */
export interface Opening {
  /** Missing for a caller without identity, as over stdio. */
  readonly caller: RecordedPrincipal | undefined;
  /** The options of the client: the revision of the recording, and answers to questions. */
  readonly client: Pick<ClientOptions, 'clientInfo' | 'elicit' | 'revision' | 'roots' | 'sample'>;
}

/** Opens a client for a caller. */
export type OpenPlayer = (opening: Opening) => Promise<McpClient>;

/** Thrown by the function that opens clients when it cannot sign in as this caller. The message says why. */
export class CallerUnknownError extends Error {
  override readonly name = 'CallerUnknownError';
}

/** What a call was answered, and how long it took. */
export interface PlayedCall {
  readonly answer: KeptAnswer;
  readonly ms: number;
}

/** A limit may ask for a pause as long as this. */
const LONGEST_PAUSE_MS = 60_000;
const MOST_TRIES = 5;

/** The client of one caller. It sends one call at a time: the answer may be needed in the next one. */
export class Player {
  waitedMs = 0;
  #tools: Promise<ReadonlyMap<string, ListedTool>> | undefined;

  private constructor(
    readonly client: McpClient,
    readonly answers: QuestionAnswers,
    private readonly first: KeptCall,
    private readonly open: OpenPlayer,
  ) {}

  static async open(call: KeptCall, open: OpenPlayer): Promise<Player> {
    const answers = new QuestionAnswers();
    const { caller, client: clientInfo, revision } = call;
    const client = {
      ...answers.handlers(call.answers),
      ...(clientInfo && { clientInfo: { name: clientInfo.name, version: clientInfo.version } }),
      ...(revision !== undefined && { revision: revision as NonNullable<ClientOptions['revision']> }),
    };
    return new Player(await open({ caller, client }), answers, call, open);
  }

  /** The tools that this caller sees. */
  tools(): Promise<ReadonlyMap<string, ListedTool>> {
    // A server of others may have no tools at all.
    this.#tools ??= this.#list().then(
      (all) => new Map(all.map((tool) => [tool.name, tool])),
      () => new Map(),
    );
    return this.#tools;
  }

  async #list(): Promise<readonly ListedTool[]> {
    const { caller, revision } = this.first;
    if (hasHints(revision)) return this.client.tools();
    // Another client of the same caller speaks the newest revision that the server knows.
    const other = await this.open({ caller, client: {} });
    try {
      return await other.tools();
    } finally {
      await other.close();
    }
  }

  /**
   * Sends a call.
   *
   * @param repeats whether it may be sent again when a limit refuses it
   */
  async play(call: KeptCall, params: Members, repeats: boolean): Promise<PlayedCall> {
    for (let tries = 1; ; tries++) {
      this.answers.begin(call);
      const startedAt = performance.now();
      const answer = await this.#ask(call.method, params);
      const played = { answer, ms: performance.now() - startedAt };
      const wait = pauseIn(answer);
      if (!repeats || wait === undefined || wait > LONGEST_PAUSE_MS || tries >= MOST_TRIES) return played;
      if (call.answer && pauseIn(call.answer) !== undefined) return played;
      this.waitedMs += wait;
      await pause(wait);
    }
  }

  async #ask(method: string, params: Members): Promise<KeptAnswer> {
    try {
      return { result: await this.client.request(method, { ...params }) };
    } catch (error) {
      // A server that dies, or that breaks the protocol, answers in another way, too.
      const { code, data } = error as { code?: unknown; data?: unknown };
      return { error: present({ code, message: reasonOf(error), data }) };
    }
  }
}

/** Whether lists of a revision say which tools only read. Revisions are dates, and these compare as text. */
export const hasHints = (revision: string | undefined) => revision === undefined || revision >= '2025-03-26';

/** The milliseconds after which a limit lets the call pass. */
function pauseIn(answer: KeptAnswer): number | undefined {
  const from =
    'error' in answer ? answer.error['data'] : answer.result['isError'] === true && answer.result['_meta'];
  const pause = isObject(from) ? from['retryAfterMs'] : undefined;
  return typeof pause === 'number' && pause >= 0 ? pause : undefined;
}
