import type { ChatMessage, ModelReply, WrittenCall } from '../model/chat-messages.js';
import {
  callId,
  repeatReply,
  toolMessage,
  type SentMessage,
  type WireNames,
} from '../model/write-request.js';

/** A message as it is sent, and as a case keeps it. */
interface Entry {
  readonly wire: SentMessage;
  readonly message: ChatMessage;
}

/** What was said in a chat so far. It is always a conversation that every provider takes. */
export class History {
  readonly #entries: Entry[] = [];
  readonly #ids = new Set<string>();
  #count = 0;
  /** The sensitive values of results. A case has none of them. */
  readonly secrets = new Set<string>();

  get wire(): readonly SentMessage[] {
    return this.#entries.map(({ wire }) => wire);
  }

  /** A copy: it does not grow with the chat. */
  get messages(): readonly ChatMessage[] {
    return this.#entries.map(({ message }) => message);
  }

  addUser(text: string): void {
    this.#entries.push({ wire: { role: 'user', content: text }, message: { role: 'user', text } });
  }

  /** @returns an id for each call. A provider may leave ids out, or give one twice. */
  addReply(reply: ModelReply, names: WireNames): readonly string[] {
    const ids = reply.calls.map(({ id }) => this.#unique(id));
    const called = (call: WrittenCall, index: number) => ({
      id: ids[index]!,
      tool: names.toTool(call.name),
      arguments: call.arguments ?? {},
    });
    const { text, calls } = reply;
    this.#entries.push({
      wire: repeatReply(reply, ids),
      message: {
        role: 'assistant',
        ...(text !== '' && { text }),
        ...(calls.length > 0 && { calls: calls.map(called) }),
      },
    });
    return ids;
  }

  addResult(id: string, tool: string, text: string): void {
    this.#entries.push({ wire: toolMessage(id, text), message: { role: 'tool', id, tool, text } });
  }

  /**
   * Ends a turn. Many providers refuse two messages of the person in a row, and Mistral refuses one that follows a result. So a
   * question without any answer is forgotten, and a word of the assistant follows the last result.
   */
  close(): void {
    const role = this.#entries.at(-1)?.message.role;
    if (role === 'user') this.#entries.pop();
    if (role !== 'tool') return;
    const text = '(This turn ended before I could answer.)';
    this.#entries.push({ wire: { role: 'assistant', content: text }, message: { role: 'assistant', text } });
  }

  #unique(id: string): string {
    let own = id;
    while (own === '' || this.#ids.has(own)) own = callId(++this.#count);
    this.#ids.add(own);
    return own;
  }
}
