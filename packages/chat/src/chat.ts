import type { ChatTurnState } from '@toolwright/json';
import { casesOf, type ChatCase } from './cases/cases-of.js';
import { withoutSensitive } from './cases/without-sensitive.js';
import { ChatError } from './chat-error.js';
import { chatLimits } from './chat-limits.js';
import type { ChatSettings } from './model/chat-settings.js';
import { ModelClient } from './model/model-client.js';
import type { ChatHost } from './turns/chat-host.js';
import { History } from './turns/history.js';
import { RunningTurn } from './turns/running-turn.js';

/** A conversation of one person with one model, which calls the tools of one caller. */
export class Chat {
  readonly #turns: RunningTurn[] = [];
  readonly #history = new History();
  readonly #client: ModelClient;

  constructor(
    settings: ChatSettings,
    private readonly host: ChatHost,
  ) {
    this.#client = new ModelClient(settings);
  }

  /** What has been said so far. The last turn may go on. */
  get turns(): readonly ChatTurnState[] {
    return this.#client.clean(this.#turns.map(({ state }) => state));
  }

  /**
   * Begins a turn. The host hears how it goes on.
   *
   * @throws {ChatError} TW_CHAT_LIMIT while another turn runs, for a text that is too long, and after the last turn
   */
  send(text: string): void {
    const problem = this.#problemOf(text);
    if (problem !== undefined) throw new ChatError('TW_CHAT_LIMIT', problem);
    const number = this.#turns.length + 1;
    this.#turns.push(
      new RunningTurn({ number, text, client: this.#client, host: this.host, history: this.#history }),
    );
    // A model may think for long. The person sees the turn before its first answer.
    this.host.changed();
  }

  /** Ends the turn that runs, and cancels its call. */
  stop(): void {
    this.#turns.at(-1)?.stop();
  }

  /** Says whether a call is made that waits for that. */
  allow(call: string, isAllowed: boolean): boolean {
    return this.#turns.at(-1)?.allow(call, isAllowed) ?? false;
  }

  /** A turn as cases of `evaluate`: one for each answer that calls something. Values that are marked sensitive are hidden. */
  cases(turn: number): readonly ChatCase[] {
    const meant = this.#turns[turn - 1];
    if (!meant) return [];
    const known = { tools: meant.tools, met: [...this.#history.secrets] };
    // Before a name is cut: half a value would stay.
    return casesOf(withoutSensitive(this.#client.clean(meant.steps), known));
  }

  #problemOf(text: string): string | undefined {
    if (this.#turns.at(-1)?.state.state === 'running')
      return 'The model has not ended its answer yet. Stop it first.';
    if (text.trim() === '') return 'Write something first.';
    if (text.length > chatLimits.text) return `A message may have ${chatLimits.text} characters.`;
    if (this.#turns.length >= chatLimits.turns)
      return `A chat has at most ${chatLimits.turns} turns. Begin a new one.`;
    return undefined;
  }
}
