import type { Exchange } from './exchange.js';

/** A JSON-RPC message that a server sent. */
export interface ServerMessage {
  id?: number;
  method?: string;
  error?: unknown;
  result?: {
    content?: { type: string; text?: string }[];
    structuredContent?: unknown;
    isError?: boolean;
    tools?: { name: string }[];
    /** Of a question: what the client brings back. */
    requestState?: string;
    /** Of a task. */
    taskId?: string;
    result?: ServerMessage['result'];
  };
}

/** What a right answer holds. */
export interface Expected {
  /** The text of a call's result. */
  text?: string;
  /** The text is JSON, and the data beside it says the same. */
  structured?: boolean;
  /** How many tools a list names. */
  tools?: number;
  /** How many progress notifications come first. */
  progress?: number;
}

/** The messages of an answer, whether it came as JSON or as a stream of events. */
export function readMessages({ headers, body }: Exchange): ServerMessage[] {
  if (!headers['content-type']?.startsWith('text/event-stream')) return [JSON.parse(body)];
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:') && line.trim() !== 'data:')
    .map((line) => JSON.parse(line.slice('data:'.length)));
}

/** Throws unless the answer is right; a contestant that answers wrongly is not measured. */
export function checkAnswer(answer: Exchange, id: number, expected: Expected): void {
  if (answer.status !== 200) fail(`status ${answer.status}`, answer.body);
  checkMessages(readMessages(answer), id, expected);
}

export function checkMessages(messages: ServerMessage[], id: number, expected: Expected): void {
  const last = messages.at(-1);
  const result = last?.result;
  if (!result || last.id !== id || result.isError) fail('no result', last);
  const progress = messages.filter(({ method }) => method === 'notifications/progress').length;
  if (progress !== (expected.progress ?? 0)) fail(`${progress} progress notifications`, messages);
  const text = result.content?.[0]?.text;
  if (expected.text !== undefined && text !== expected.text) fail(`another text than expected`, last);
  if (expected.structured && JSON.stringify(result.structuredContent) !== text)
    fail('other data than its text', last);
  const tools = result.tools?.length;
  if (expected.tools !== undefined && tools !== expected.tools) fail(`${tools} tools`, last);
}

function fail(what: string, answer: unknown): never {
  const shown = typeof answer === 'string' ? answer : JSON.stringify(answer);
  throw new Error(`wrong answer: ${what}: ${shown?.slice(0, 300)}`);
}
