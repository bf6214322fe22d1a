import { canonicalJson, HIDDEN, isObject, type RecordedLine } from '@toolwright/json';
import type { KeptAnswer, KeptCall, KeptQuestion, Members } from './kept-call.js';

/** What can be asked again. All else belongs to a connection, such as `initialize`, or to a task. */
export const replayedMethods: ReadonlySet<string> = new Set([
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

/** The requests of a recording that can be asked again, and how many others there were. */
export interface KeptCalls {
  readonly calls: readonly KeptCall[];
  readonly others: number;
}

/** Joins the messages of a recording to calls, in the order in which they began. */
export function keptCalls(messages: readonly RecordedLine[]): KeptCalls {
  const joining = new Joining();
  for (const line of messages) if (isObject(line.message)) joining.add(line, line.message);
  return joining;
}

interface OpenCall {
  readonly call: KeptCall;
  since: number;
}

class Joining implements KeptCalls {
  readonly calls: KeptCall[] = [];
  others = 0;
  /** By channel and id. */
  readonly #open = new Map<string, OpenCall>();
  /** The questions that have no answer, by channel and id. */
  readonly #questions = new Map<string, { question: KeptQuestion; open: OpenCall }>();
  /** The calls of 2026-07-28 that ended a round with questions, the newest last. */
  readonly #asking = new Map<string, { call: KeptCall; keys: Map<string, KeptQuestion> }[]>();

  add(line: RecordedLine, message: Members): void {
    const { id, method, params } = message;
    if (id === undefined || id === null) return;
    const key = keyOf(line, id);
    const isRequest = typeof method === 'string';
    if (isRequest && line.direction === 'received')
      this.#begin(line, key, method, isObject(params) ? params : {});
    else if (isRequest) this.#ask(line, key, method);
    else if (line.direction === 'sent') this.#end(line, key, message);
    else this.#answer(line, key, message);
  }

  #begin(line: RecordedLine, key: string, method: string, given: Members): void {
    if (!replayedMethods.has(method)) return void this.others++;
    const { inputResponses, requestState: _, _meta: __, task, ...params } = given;
    const round = isObject(inputResponses) ? roundKey(line, method, params) : undefined;
    const earlier = round === undefined ? undefined : this.#asking.get(round)?.pop();
    if (earlier) {
      for (const [name, result] of Object.entries(inputResponses as Members)) {
        const question = earlier.keys.get(name);
        if (question) question.answer = answerIn(result, undefined) ?? { result: {} };
      }
      return this.#expect(key, earlier.call, line);
    }
    const { at, principal: caller, client, revision, answers = [] } = line;
    const call: KeptCall = {
      number: this.calls.length + 1,
      at,
      method,
      params,
      caller,
      client,
      revision,
      answers,
      questions: [],
      ms: 0,
      isUnclear: false,
      isUnreadable: false,
      isTask: task !== undefined,
    };
    this.calls.push(call);
    this.#expect(key, call, line);
  }

  #expect(key: string, call: KeptCall, { at }: RecordedLine): void {
    const other = this.#open.get(key);
    if (other) call.isUnclear = other.call.isUnclear = true;
    this.#open.set(key, { call, since: at });
  }

  #end(line: RecordedLine, key: string, { result, error }: Members): void {
    const open = this.#open.get(key);
    if (!open) return;
    this.#open.delete(key);
    const { call } = open;
    call.ms += Math.max(0, line.at - open.since);
    if (isObject(result) && result['resultType'] === 'input_required')
      return this.#keepRound(line, call, result);
    if (isObject(result) && (result['resultType'] === 'task' || isObject(result['task']))) call.isTask = true;
    const answer = answerIn(result, error);
    if (answer) call.answer = answer;
  }

  #keepRound(line: RecordedLine, call: KeptCall, { inputRequests }: Members): void {
    const asked = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const keys = new Map<string, KeptQuestion>();
    for (const [name, request] of asked) {
      const question = { method: textOf(isObject(request) && request['method']) };
      keys.set(name, question);
      call.questions.push(question);
    }
    const key = roundKey(line, call.method, call.params);
    if (key === undefined) return void (call.isUnreadable = true);
    const waiting = this.#asking.get(key) ?? [];
    // The state that tells two such calls apart is hidden.
    if (waiting.length > 0) for (const other of [...waiting, { call }]) other.call.isUnclear = true;
    this.#asking.set(key, [...waiting, { call, keys }]);
  }

  /** A question of the server on the channel of a session: it belongs to the only call that is open there. */
  #ask(line: RecordedLine, key: string, method: string): void {
    const open = [...this.#open].filter(([at]) => at.startsWith(`${line.channel} `)).map(([, each]) => each);
    const [only] = open;
    if (!only || method === 'ping') return;
    if (open.length > 1) for (const { call } of open) call.isUnclear = true;
    const question: KeptQuestion = { method };
    only.call.questions.push(question);
    only.call.ms += Math.max(0, line.at - only.since);
    this.#questions.set(key, { question, open: only });
  }

  #answer(line: RecordedLine, key: string, { result, error }: Members): void {
    const asked = this.#questions.get(key);
    if (!asked) return;
    this.#questions.delete(key);
    asked.open.since = line.at;
    const answer = answerIn(result, error);
    if (answer) asked.question.answer = answer;
  }
}

/** The id of a message may have any form in a file. */
const keyOf = ({ channel }: RecordedLine, id: unknown): string =>
  `${channel} ${isObject(id) || Array.isArray(id) ? 'of no form' : JSON.stringify(id)}`;

/**
 * Nothing of one caller reaches the call of another.
 *
 * @returns undefined if the parameters have more levels than a stack
 */
function roundKey({ principal, client }: RecordedLine, method: string, params: Members): string | undefined {
  try {
    return canonicalJson([principal, client, method, params]);
  } catch {
    return undefined;
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');

function answerIn(result: unknown, error: unknown): KeptAnswer | undefined {
  // The answer to a question may be hidden as a whole.
  if (result === HIDDEN || error === HIDDEN) return { result: { hidden: HIDDEN } };
  if (isObject(result)) return { result };
  return isObject(error) ? { error } : undefined;
}
