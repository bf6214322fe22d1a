import type { EvaluatedModel, ModelAnswer, ModelMessage, ModelRequest } from './evaluate/model.js';

/** What is used of the package `ai`. Versions 6 and 7 have it in one form. */
interface AiSdk {
  generateText(options: object): Promise<{
    readonly text: string;
    readonly toolCalls: readonly {
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }[];
    readonly usage: {
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      readonly inputTokenDetails?: { readonly cacheReadTokens?: number };
    };
  }>;
  jsonSchema(schema: object): unknown;
}

/** A model of the AI SDK: an object of a provider, or the name of a model of the gateway. */
export type AiSdkLanguageModel =
  string | { readonly modelId: string; readonly provider: string; readonly specificationVersion: string };

export interface AiSdkModelOptions {
  /** Recordings of one name do not count for another. Default: the name of the model. */
  readonly name?: string;
  /** Further settings of `generateText`, such as `temperature`, `seed` or `providerOptions`. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/**
 * Makes a model for `evaluate` of a model of the AI SDK. It needs the package `ai`, version 6 or 7; version 7 needs
 * Node 22.
 *
 * @throws {Error} when `ai` is not installed
 *
 * @example
 * const model = aiSdkModel(openai('gpt-5.5'), { settings: { temperature: 0 } });
 */
export function aiSdkModel(model: AiSdkLanguageModel, options: AiSdkModelOptions = {}): EvaluatedModel {
  const { generateText, jsonSchema } = loadAiSdk();
  const { name = typeof model === 'string' ? model : model.modelId, settings = {} } = options;
  return {
    name,
    async generate({ system, messages, tools }: ModelRequest): Promise<ModelAnswer> {
      const offered = tools.map(({ name: of, description, inputSchema }) => [
        of,
        { ...(description !== undefined && { description }), inputSchema: jsonSchema(inputSchema) },
      ]);
      const { text, toolCalls, usage } = await generateText({
        ...settings,
        model,
        ...(system !== undefined && { system }),
        messages: messages.map(toAiSdk),
        tools: Object.fromEntries(offered) as object,
      });
      const { inputTokens = 0, outputTokens = 0, inputTokenDetails: { cacheReadTokens = 0 } = {} } = usage;
      return {
        text,
        calls: toolCalls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          tool: toolName,
          arguments: input as Record<string, unknown>,
        })),
        usage: { inputTokens, outputTokens, cachedInputTokens: cacheReadTokens },
      };
    },
  };
}

/** Version 7 is an ES module, which `require` of each Node that it runs on loads. */
function loadAiSdk(): AiSdk {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    return require('ai') as AiSdk;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new Error('The package "ai" is not installed. Run: npm install --save-dev ai', { cause: error });
  }
}

function toAiSdk(message: ModelMessage): object {
  if (message.role === 'user') return { role: 'user', content: message.text };
  if (message.role === 'tool') {
    const { id: toolCallId, tool: toolName, text } = message;
    const output = { type: 'text', value: text };
    return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
  }
  const { text, calls = [] } = message;
  return {
    role: 'assistant',
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, tool, arguments: input }) => ({
        type: 'tool-call',
        toolCallId: id ?? tool,
        toolName: tool,
        input,
      })),
    ],
  };
}
