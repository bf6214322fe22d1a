import type { ChatMessage, ChatTool, ModelReply, WrittenCall } from './chat-messages.js';

/** A message as it is sent. */
export type SentMessage = Readonly<Record<string, unknown>>;

export interface AnswerRequest {
  readonly model: string;
  readonly system: string | undefined;
  readonly messages: readonly SentMessage[];
  readonly tools: readonly ChatTool[];
  readonly names: WireNames;
}

/** The body of a request. Servers refuse an empty list of tools, and MCP allows schemas without `properties`. */
export function writeRequest({ model, system, messages, tools, names }: AnswerRequest): string {
  return JSON.stringify({
    model,
    messages: system === undefined ? messages : [{ role: 'system', content: system }, ...messages],
    ...(tools.length > 0 && { tools: tools.map((tool) => functionOf(tool, names)) }),
    stream: false,
  });
}

function functionOf({ name, description, inputSchema }: ChatTool, names: WireNames): object {
  const { $schema: _dialect, ...schema } = inputSchema;
  const parameters = { ...schema, properties: schema['properties'] ?? {} };
  const described = {
    name: names.toWire(name),
    ...(description !== undefined && { description }),
    parameters,
  };
  return { type: 'function', function: described };
}

/**
 * An answer, as the next request repeats it. Text is never null, and arguments are JSON text of an object: each is refused by
 * some server otherwise. What a provider has added to a call, such as a signature of its thoughts, goes back to it.
 */
export function repeatReply(
  { text, reasoning, wantsReasoning, calls }: ModelReply,
  ids: readonly string[],
): SentMessage {
  const repeated = (call: WrittenCall, index: number) => ({
    ...call.others,
    id: ids[index],
    type: 'function',
    // A made-up name goes back, too, in letters that every server takes.
    function: { name: plainName(call.name) || 'unnamed', arguments: JSON.stringify(call.arguments ?? {}) },
  });
  return {
    role: 'assistant',
    content: text,
    ...(calls.length > 0 && { tool_calls: calls.map(repeated) }),
    ...(calls.length > 0 && wantsReasoning && { reasoning_content: reasoning }),
  };
}

/** A conversation that another program has kept, such as one of a table of `evaluate`. */
export function wireMessages(messages: readonly ChatMessage[], names: WireNames): SentMessage[] {
  return messages.map((message): SentMessage => {
    if (message.role === 'user') return { role: 'user', content: message.text };
    if (message.role === 'tool') return toolMessage(message.id, message.text);
    const { text = '', calls = [] } = message;
    return {
      role: 'assistant',
      content: text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ id, tool, arguments: args }) => ({
          id: id ?? tool,
          type: 'function',
          function: { name: names.toWire(tool), arguments: JSON.stringify(args) },
        })),
      }),
    };
  });
}

export function toolMessage(id: string, text: string): SentMessage {
  return { role: 'tool', tool_call_id: id, content: text };
}

/** MCP allows more in a name than models do, such as dots, slashes and 128 characters. */
export class WireNames {
  readonly #wire = new Map<string, string>();
  readonly #tools = new Map<string, string>();

  constructor(names: readonly string[]) {
    // A name that fits keeps its own text, whichever others would become like it.
    const fits = (name: string) => /^[\w-]{1,64}$/.test(name);
    for (const name of [...names.filter(fits), ...names.filter((each) => !fits(each))]) this.#add(name);
  }

  toWire(tool: string): string {
    return this.#wire.get(tool) ?? tool;
  }

  /** The tool that a model means. Some write the name space of their template before it. */
  toTool(name: string): string {
    return this.#tools.get(name) ?? this.#tools.get(name.replace(/^functions\./, '')) ?? name;
  }

  #add(tool: string): void {
    const plain = plainName(tool);
    let wire = plain;
    for (let number = 2; this.#tools.has(wire); number++) wire = `${plain.slice(0, 60)}_${number}`;
    this.#wire.set(tool, wire);
    this.#tools.set(wire, tool);
  }
}

const plainName = (name: string) => name.replace(/[^\w-]/g, '_').slice(0, 64);

/** Mistral takes ids of nine letters and digits only; all others take any. */
export function callId(count: number): string {
  return `call${String(count).padStart(5, '0')}`;
}
