import type { ChatMessage, ChatTool, ChatUsage } from './model/chat-messages.js';
import { type ChatSettings, readChatSettings } from './model/chat-settings.js';
import { ModelClient } from './model/model-client.js';
import { wireMessages, WireNames } from './model/write-request.js';
import { ChatError } from './chat-error.js';

/** What `evaluate` of `@toolwright/testing` asks a model for. */
export interface ChatModelRequest {
  readonly system: string | undefined;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
}

export interface ChatModelAnswer {
  readonly calls: readonly {
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly id: string;
  }[];
  readonly text: string;
  readonly usage?: ChatUsage;
}

/** The model of a chat, as `evaluate` takes models. */
export interface ChatModel {
  readonly name: string;
  generate(request: ChatModelRequest): Promise<ChatModelAnswer>;
}

/**
 * The model of the chat for `evaluate` of `@toolwright/testing`, so that a saved case is answered by the same model.
 *
 * @param settings default: those of the environment
 * @throws {ChatError} TW_CHAT_OFF when the environment names no model
 * @example
 * const model = process.env.TOOLWRIGHT_CHAT_URL ? chatModel() : undefined;
 */
export function chatModel(settings: ChatSettings = readChatSettings(process.env)): ChatModel {
  const client = new ModelClient(settings);
  return {
    name: settings.model,
    async generate({ system, messages, tools }) {
      const names = new WireNames(tools.map(({ name }) => name));
      const wire = wireMessages(messages, names);
      const { calls, text, usage } = await client.ask({ system, messages: wire, tools, names });
      const broken = calls.find((call) => call.arguments === undefined);
      if (broken)
        throw new ChatError(
          'TW_CHAT_ANSWER',
          `The arguments of ${broken.name} are not a JSON object: ${broken.written}`,
        );
      const made = calls.map(({ id, name, arguments: args }) => ({
        id,
        tool: names.toTool(name),
        arguments: args ?? {},
      }));
      return { calls: made, text, ...(usage && { usage }) };
    },
  };
}
