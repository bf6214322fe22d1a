import { canonicalJson, cutText, didYouMean } from '@toolwright/json';
import { ChatError } from '../chat-error.js';
import { chatLimits } from '../chat-limits.js';
import type { ModelReply, WrittenCall } from '../model/chat-messages.js';
import type { WireNames } from '../model/write-request.js';
import type { CallEnd } from './chat-host.js';
import { bounded, textOfResult } from './text-of-result.js';

/** A call of a model, and why it cannot be made. */
export interface PlannedCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What the model wrote in place of an object. */
  readonly written?: string;
  /** In words for the model. */
  readonly problem?: string;
}

/** The calls of one turn: which can be made, and when it is enough. */
export class TurnCalls {
  #count = 0;
  #brokenAnswers = 0;
  readonly #made = new Map<string, number>();
  /** Why the turn ends after these calls. */
  #stuck: string | undefined;

  /** @param tools the names of all tools of the caller */
  constructor(private readonly tools: readonly string[]) {}

  plan(
    calls: readonly WrittenCall[],
    { ids, names }: { ids: readonly string[]; names: WireNames },
  ): readonly PlannedCall[] {
    const planned = calls.map((call, index) => this.#plan(call, ids[index]!, names.toTool(call.name)));
    const isBroken = planned.length > 0 && planned.every(({ problem }) => problem !== undefined);
    this.#brokenAnswers = isBroken ? this.#brokenAnswers + 1 : 0;
    if (this.#brokenAnswers === chatLimits.brokenAnswers)
      this.#stuck ??= `The model has given ${chatLimits.brokenAnswers} answers whose calls cannot be made. The last problem: ${planned[0]!.problem}`;
    return planned;
  }

  /** An answer without the calls that are far beyond the limit. Nobody keeps, shows or sends them. The first one beyond it says why. */
  bounded(reply: ModelReply): ModelReply {
    const calls = reply.calls.slice(0, Math.max(chatLimits.calls - this.#count, 0) + 1);
    const more = reply.calls.length - calls.length;
    if (more === 0) return reply;
    return { ...reply, calls, notes: [...reply.notes, `${more} more calls of this answer were left out.`] };
  }

  /** @throws {ChatError} TW_CHAT_LIMIT when the model would not come further */
  endIfStuck(): void {
    if (this.#stuck !== undefined) throw new ChatError('TW_CHAT_LIMIT', this.#stuck);
  }

  /** What a model reads of a call that has ended. */
  static textOf(end: CallEnd): string {
    return 'error' in end ? bounded(`Error: ${end.error}`) : textOfResult(end.result);
  }

  #plan(call: WrittenCall, id: string, tool: string): PlannedCall {
    const problem = this.#problemOf(call, tool);
    const isObject = call.arguments !== undefined;
    return {
      id,
      tool,
      arguments: call.arguments ?? {},
      ...(!isObject && { written: cutText(call.written, MOST_WRITTEN, '…') }),
      ...(problem !== undefined && { problem }),
    };
  }

  #problemOf({ name, arguments: args, written }: WrittenCall, tool: string): string | undefined {
    if (++this.#count > chatLimits.calls) {
      this.#stuck ??= `The model has made ${chatLimits.calls} calls in this turn, and wants more.`;
      return 'The call was not made: this turn has had all its calls.';
    }
    if (name === '') return 'This call names no tool.';
    if (!this.tools.includes(tool))
      return `There is no tool "${cutText(tool, 80, '…')}".${didYouMean(tool, this.tools)}`;
    if (args === undefined)
      return `The arguments of ${tool} are not a JSON object: ${cutText(written, MOST_WRITTEN, '…')}. Write them again as one.`;
    const key = canonicalJson([tool, args]);
    const times = (this.#made.get(key) ?? 0) + 1;
    this.#made.set(key, times);
    if (times <= chatLimits.sameCalls) return undefined;
    this.#stuck ??= `The model repeats itself: it has called ${tool} ${chatLimits.sameCalls} times with the same arguments, and wants to do it again.`;
    return 'The call was not made: you have made it before, with the same arguments.';
  }
}

const MOST_WRITTEN = 500;
