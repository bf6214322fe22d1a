import {
  reasonOf,
  tokensOf,
  type ChatAnswerState,
  type ChatCallState,
  type ChatTurnState,
} from '@toolwright/json';
import { ChatError, type ChatErrorCode } from '../chat-error.js';
import { chatLimits } from '../chat-limits.js';
import { sensitiveIn } from '../cases/without-sensitive.js';
import type { ChatMessage, ChatTool, ModelReply } from '../model/chat-messages.js';
import type { ModelClient } from '../model/model-client.js';
import { WireNames } from '../model/write-request.js';
import type { ChatHost, OfferedTools } from './chat-host.js';
import type { History } from './history.js';
import { type PlannedCall, TurnCalls } from './turn-calls.js';
import type { TurnStep } from './turn-step.js';

export interface TurnOptions {
  readonly number: number;
  readonly text: string;
  readonly client: ModelClient;
  readonly host: ChatHost;
  readonly history: History;
}

/** What one message of a person leads to: answers of the model, and calls between them. */
export class RunningTurn {
  #state: ChatTurnState;
  #tools: readonly ChatTool[] = [];
  readonly #answers: {
    readonly request: readonly ChatMessage[];
    readonly planned: readonly PlannedCall[];
  }[] = [];
  /** The ids of calls that were not made, because the person or a stop has prevented them. */
  readonly #prevented = new Set<string>();
  readonly #abort = new AbortController();
  readonly #waiting = new Map<string, (isAllowed: boolean) => void>();

  constructor(private readonly options: TurnOptions) {
    const { number, text, host } = options;
    const tokens = { inputTokens: 0, outputTokens: 0 };
    this.#state = { number, text, at: host.now(), state: 'running', answers: [], tokens };
    options.history.addUser(text);
    void this.#run(performance.now());
  }

  get state(): ChatTurnState {
    return this.#state;
  }

  /** The tools of the caller, when the turn began. */
  get tools(): readonly ChatTool[] {
    return this.#tools;
  }

  /** The answers so far, with the calls that were made. */
  get steps(): readonly TurnStep[] {
    return this.#answers.map(({ request, planned }) => ({
      request,
      calls: planned
        .filter(({ id, problem }) => problem === undefined && !this.#prevented.has(id))
        .map(({ tool, arguments: args }) => ({ tool, arguments: args })),
    }));
  }

  stop(): void {
    this.#abort.abort();
    for (const answer of this.#waiting.values()) answer(false);
  }

  /** Says whether a call is made. @returns false when it does not wait for that any more */
  allow(id: string, isAllowed: boolean): boolean {
    const answer = this.#waiting.get(id);
    answer?.(isAllowed);
    return answer !== undefined;
  }

  async #run(began: number): Promise<void> {
    const { host, history } = this.options;
    let problem: ChatTurnState['problem'];
    try {
      await this.#converse(await host.offered());
    } catch (error) {
      problem = this.#problemOf(error);
    }
    history.close();
    this.#tell({ state: 'ended', durationMs: performance.now() - began, ...(problem && { problem }) });
  }

  async #converse(offered: OfferedTools): Promise<void> {
    const { history, client } = this.options;
    const { signal } = this.#abort;
    this.#tools = offered.tools;
    const names = new WireNames(offered.tools.map(({ name }) => name));
    const calls = new TurnCalls(offered.tools.map(({ name }) => name));
    for (let count = 0; count < chatLimits.answers; count++) {
      const request = history.messages;
      const asked = { system: offered.system, messages: history.wire, tools: offered.tools };
      const began = performance.now();
      const reply = calls.bounded(await client.ask({ ...asked, names, signal }));
      const ids = history.addReply(reply, names);
      const planned = calls.plan(reply.calls, { ids, names });
      this.#answers.push({ request, planned });
      this.#answer(reply, { planned, asked, durationMs: performance.now() - began });
      if (planned.length === 0) return;
      await this.#makeAll(planned, offered);
      calls.endIfStuck();
    }
    throw new ChatError(
      'TW_CHAT_LIMIT',
      `The model has answered ${chatLimits.answers} times in this turn, and goes on.`,
    );
  }

  /** Each call gets a result, whatever happens: providers refuse a call without one. */
  async #makeAll(planned: readonly PlannedCall[], offered: OfferedTools): Promise<void> {
    for (const call of planned) {
      const text = call.problem ?? (await this.#make(call, offered));
      this.options.history.addResult(call.id, call.tool, text);
    }
    if (this.#abort.signal.aborted) throw new ChatError('TW_CHAT_STOPPED', 'You have stopped this turn.');
  }

  /** @returns what the model reads */
  async #make({ id, tool, arguments: args }: PlannedCall, offered: OfferedTools): Promise<string> {
    const { host, client, history } = this.options;
    const { signal } = this.#abort;
    const isAllowed = offered.isFree(tool) || (await this.#ask(id));
    if (signal.aborted || !isAllowed) {
      const problem = signal.aborted
        ? 'The call was not made: the turn was stopped.'
        : 'The person has refused this call.';
      this.#prevented.add(id);
      this.#change(id, { state: 'ended', problem });
      return problem;
    }
    this.#change(id, { state: 'running' });
    try {
      const end = await host.call({
        tool,
        arguments: args,
        signal,
        began: (call) => this.#change(id, { call }),
      });
      this.#change(id, { state: 'ended' });
      if ('result' in end)
        for (const secret of sensitiveIn(
          offered.tools.find(({ name }) => name === tool),
          end.result,
        ))
          history.secrets.add(secret);
      // Before it is cut: half a key would stay.
      return TurnCalls.textOf(client.clean(end));
    } catch (error) {
      const problem = `The call has failed: ${reasonOf(error)}`;
      this.#change(id, { state: 'ended', problem });
      return problem;
    }
  }

  #ask(id: string): Promise<boolean> {
    if (this.#abort.signal.aborted) return Promise.resolve(false);
    this.#change(id, { state: 'asks' });
    return new Promise((resolve) =>
      this.#waiting.set(id, (isAllowed) => {
        this.#waiting.delete(id);
        resolve(isAllowed);
      }),
    );
  }

  #answer(
    { text, reasoning, notes, usage, calls }: ModelReply,
    { planned, asked, durationMs }: { planned: readonly PlannedCall[]; asked: object; durationMs: number },
  ): void {
    const tokens = usage
      ? { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }
      : { inputTokens: tokensOf(asked), outputTokens: tokensOf([text, calls]), isEstimate: true as const };
    const shown = planned.map(({ id, tool, problem, arguments: args, written }): ChatCallState => {
      const shownArguments = written ?? args;
      if (problem !== undefined) return { id, tool, state: 'ended', arguments: shownArguments, problem };
      return { id, tool, state: 'running', arguments: shownArguments };
    });
    const answer: ChatAnswerState = { text, reasoning, notes, tokens, durationMs, calls: shown };
    const answers = [...this.#state.answers, answer];
    this.#tell({ answers, tokens: sumOf(answers) });
  }

  #change(id: string, change: Partial<ChatCallState>): void {
    const answers = this.#state.answers.map((answer) => ({
      ...answer,
      calls: answer.calls.map((call) => (call.id === id ? { ...call, ...change } : call)),
    }));
    this.#tell({ answers });
  }

  #tell(change: Partial<ChatTurnState>): void {
    this.#state = { ...this.#state, ...change };
    this.options.host.changed();
  }

  #problemOf(error: unknown): { code: ChatErrorCode; message: string } {
    if (error instanceof ChatError) return { code: error.code, message: error.message };
    return { code: 'TW_CHAT_ANSWER', message: reasonOf(error) };
  }
}

function sumOf(answers: readonly ChatAnswerState[]): ChatTurnState['tokens'] {
  const sum = (member: 'inputTokens' | 'outputTokens') =>
    answers.reduce((total, { tokens }) => total + tokens[member], 0);
  const isEstimate = answers.some(({ tokens }) => tokens.isEstimate);
  return {
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    ...(isEstimate && { isEstimate: true as const }),
  };
}
