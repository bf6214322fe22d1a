/** A call that a model has made, and that was possible to make. `evaluate` of `@toolwright/testing` has the same form. */
export interface ChatMessageCall {
  readonly id?: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One message of a chat, in the form in which `evaluate` of `@toolwright/testing` takes conversations. */
export type ChatMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text?: string; readonly calls?: readonly ChatMessageCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly tool: string; readonly text: string };

/** A tool, as `tools/list` describes it. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** A call as a model wrote it. */
export interface WrittenCall {
  /** What the provider called it. Empty where it gave no name. */
  readonly id: string;
  /** The name on the wire. */
  readonly name: string;
  /** `undefined`: they are not a JSON object. */
  readonly arguments: Readonly<Record<string, unknown>> | undefined;
  /** The arguments, as the model wrote them. */
  readonly written: string;
  /** Further members of the call, which its provider wants to see again. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Numbers of tokens. */
export interface ChatUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
}

/** One answer of a model. */
export interface ModelReply {
  readonly text: string;
  /** What the model thought, where its provider shows it. */
  readonly reasoning: string;
  /** The provider wants its own thoughts again beside calls (`reasoning_content`). */
  readonly wantsReasoning: boolean;
  readonly calls: readonly WrittenCall[];
  /** Left out where the provider counts nothing. */
  readonly usage?: ChatUsage;
  /** What is to be known of the answer, such as that it was cut. */
  readonly notes: readonly string[];
}
