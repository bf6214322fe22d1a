import { isObject, isShallow, LongInteger, readJson } from '@toolwright/json';
import { ChatError } from '../chat-error.js';
import { chatLimits } from '../chat-limits.js';
import type { ChatUsage, ModelReply, WrittenCall } from './chat-messages.js';
import { findCallInText } from './call-in-text.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads an answer of `/chat/completions`. Providers differ in almost every member, and what they agree on is read strictly:
 * a list of choices, whose first one has a message.
 *
 * @param body the parsed answer
 * @throws {ChatError} TW_CHAT_ANSWER for anything else
 */
export function readReply(body: unknown): ModelReply {
  const { message, finish } = messageIn(body);
  const { text, reasoning } = textsOf(message);
  const calls = callsOf(message);
  const usage = usageOf((body as Json)['usage']);
  const notes = notesOf(finish, { text, calls, usage });
  const wantsReasoning = typeof message['reasoning_content'] === 'string';
  return { text, reasoning, wantsReasoning, calls, notes, ...(usage && { usage }) };
}

function messageIn(body: unknown): { message: Json; finish: unknown } {
  const choices = isObject(body) ? body['choices'] : undefined;
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  if (!isObject(choice)) throw strange(`It has no choices, but ${membersOf(body)}.`);
  const { message, finish_reason: finish } = choice;
  if (isObject(message)) return { message, finish };
  throw strange(
    'text' in choice
      ? 'It is one of /completions. TOOLWRIGHT_CHAT_URL must lead to /chat/completions.'
      : `Its first choice has no message, but ${membersOf(choice)}.`,
  );
}

const strange = (what: string) =>
  new ChatError('TW_CHAT_ANSWER', `The answer of the model is not a chat completion. ${what}`);

function membersOf(value: unknown): string {
  if (!isObject(value)) return value === null ? 'null' : `a value of the type ${typeof value}`;
  const names = Object.keys(value).slice(0, 6);
  return names.length === 0 ? 'nothing' : `the members ${names.join(', ')}`;
}

/** Text is a text, null, left out, or a list of parts. Thoughts are parts, a member, or tags in the text. */
function textsOf(message: Json): { text: string; reasoning: string } {
  const { content, refusal, reasoning_content: one, reasoning: other } = message;
  const parts = Array.isArray(content) ? (content as unknown[]) : [content];
  const said = parts
    .filter((part) => !isThought(part))
    .map(partText)
    .join('');
  const thought = parts.filter(isThought).map(partText).join('');
  const tagged = splitThoughts(said);
  const text = tagged.text || (typeof refusal === 'string' ? refusal : '');
  return {
    text,
    reasoning: [one, other, thought, tagged.reasoning].map(partText).find((each) => each !== '') ?? '',
  };
}

const isThought = (part: unknown) => isObject(part) && part['type'] === 'thinking';

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return (part as unknown[]).map(partText).join('');
  if (!isObject(part)) return '';
  const { text, thinking } = part;
  return partText(text ?? thinking);
}

const [OPEN, CLOSE] = ['<think>', '</think>'];

/** Models whose server does not know their thoughts write them before the answer. The first tag may be missing. */
function splitThoughts(content: string): { text: string; reasoning: string } {
  const end = content.indexOf(CLOSE);
  if (end < 0) return { text: content.trim(), reasoning: '' };
  const begin = content.indexOf(OPEN);
  const reasoning = content.slice(begin >= 0 && begin < end ? begin + OPEN.length : 0, end);
  return { text: content.slice(end + CLOSE.length).trim(), reasoning: reasoning.trim() };
}

/** A list, one call, null, or the older `function_call`. */
function callsOf({ tool_calls: calls, function_call: older }: Json): WrittenCall[] {
  const all: unknown[] = Array.isArray(calls) ? calls : isObject(calls) ? [calls] : [];
  if (all.length === 0 && isObject(older)) all.push({ function: older });
  return all.filter(isObject).map(readCall);
}

/** Some servers throw away a call that they do not understand. */
function emptyNote(tokens: number): string {
  const empty = 'The answer is empty: it has no text and no call';
  if (tokens === 0) return `${empty}.`;
  return `${empty}, although the model has written ${tokens} tokens. Its server may have dropped a call that it could not read.`;
}

function readCall({ id, index: _index, type: _type, function: called, ...others }: Json): WrittenCall {
  const { name: given, arguments: args } = isObject(called) ? called : ({} as Json);
  const name = typeof given === 'string' ? given.trim() : '';
  return { id: typeof id === 'string' ? id : '', name, ...unwrapped(name, argumentsOf(args)), others };
}

type Arguments = Pick<WrittenCall, 'arguments' | 'written'>;

/** Some models write the whole call once more in place of its arguments. */
function unwrapped(tool: string, read: Arguments): Arguments {
  const { name, arguments: inner, ...others } = read.arguments ?? {};
  const isCall = name === tool && isPlain(inner) && Object.keys(others).length === 0;
  return isCall ? { ...read, arguments: inner } : read;
}

/** JSON text, the object itself, or nothing where a tool takes none. Some models write the text as JSON once more. */
function argumentsOf(given: unknown): Arguments {
  if (isPlain(given)) return { arguments: given, written: JSON.stringify(given) };
  const written = typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
  let value: unknown = given ?? '';
  for (let depth = 0; depth < 2 && typeof value === 'string'; depth++) {
    if (value.trim() === '' || value.trim() === 'null') return { arguments: {}, written };
    try {
      value = readJson(value);
    } catch {
      return { arguments: undefined, written };
    }
  }
  if (!isPlain(value) || !isShallow(value, chatLimits.levels)) return { arguments: undefined, written };
  return { arguments: value, written };
}

const isPlain = (value: unknown): value is Json => isObject(value) && !(value instanceof LongInteger);

/** Left out, null, or with zeros where nothing was counted. */
function usageOf(usage: unknown): ChatUsage | undefined {
  if (!isObject(usage)) return undefined;
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage;
  const [inputTokens, outputTokens] = [countOf(input), countOf(output)];
  if (inputTokens + outputTokens === 0) return undefined;
  const cachedInputTokens = isObject(details) ? countOf(details['cached_tokens']) : 0;
  return { inputTokens, outputTokens, ...(cachedInputTokens > 0 && { cachedInputTokens }) };
}

const countOf = (value: unknown) => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);

type Noted = Pick<ModelReply, 'text' | 'calls'> & { readonly usage: ChatUsage | undefined };

function notesOf(finish: unknown, { text, calls, usage }: Noted): string[] {
  const notes: string[] = [];
  if (finish === 'length') notes.push('The answer was cut: the model has reached its limit of tokens.');
  if (finish === 'content_filter') notes.push('A filter of the provider has cut the answer.');
  if (calls.length > 0) return notes;
  const found = findCallInText(text);
  if (found !== undefined)
    notes.push(
      `The model wrote a call as text (${found}), and its server did not read it as one. ` +
        'vLLM: start it with --enable-auto-tool-choice and the --tool-call-parser of the model. llama.cpp: --jinja.',
    );
  else if (text === '') notes.push(emptyNote(usage?.outputTokens ?? 0));
  return notes;
}
