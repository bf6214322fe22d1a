import type { ListedTool } from '@toolwright/client';
import type { ModelCall, ModelUsage } from '@toolwright/json';

/** One message of a conversation. */
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text?: string; readonly calls?: readonly ModelCall[] }
  /** The result of a call that the message before it made. `id` is the one of that call. */
  | { readonly role: 'tool'; readonly id: string; readonly tool: string; readonly text: string };

export interface ModelAnswer {
  /** The calls, in the order of the answer. */
  readonly calls: readonly ModelCall[];
  readonly text?: string;
  readonly usage?: ModelUsage;
}

export interface ModelRequest {
  /** The text before the conversation: the one of the table, or else the instructions of the server. */
  readonly system: string | undefined;
  readonly messages: readonly ModelMessage[];
  /** The tools, as `tools/list` describes them. */
  readonly tools: readonly ListedTool[];
}

/**
 * Any model that can call tools. `@toolwright/testing/ai-sdk` makes one of each model of the AI SDK.
 *
 * @example
 * const scripted: EvaluatedModel = {
 *   name: 'scripted',
 *   generate: () => ({ calls: [{ tool: 'add_dice', arguments: { dice: [1, 2] } }] }),
 * };
 */
export interface EvaluatedModel {
  /** RecordedAnswers of one model do not count for another. Default: `model`. */
  readonly name?: string;
  /** Answers once. It runs no tools. An error that it throws fails the case, and nothing is recorded. */
  generate(request: ModelRequest): ModelAnswer | Promise<ModelAnswer>;
}
