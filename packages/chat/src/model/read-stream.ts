import { isObject } from '@toolwright/json';

type Json = Readonly<Record<string, unknown>>;

/** A call, as its parts have come so far. */
interface GrowingCall {
  id: string;
  name: string;
  arguments: string;
  others: Json;
}

/**
 * The answer in a stream that nobody has asked for. Some servers stream whatever they are asked, and some only write the marks of
 * a stream around a whole answer.
 *
 * @returns a body as if it had come at once; `undefined` where the text is not a stream
 */
export function readStream(text: string): unknown {
  const parts = text.split('\n').flatMap(partOf);
  if (parts.length === 0) return undefined;
  const whole = parts.find((part) => 'error' in part || isObject(choiceOf(part)?.['message']));
  return whole ?? joined(parts);
}

function partOf(line: string): Json[] {
  const text = line
    .trim()
    .replace(/^data:/, '')
    .replace(/data: *\[DONE\]$/, '')
    .trim();
  if (!text.startsWith('{')) return [];
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}

function choiceOf({ choices }: Json): Json | undefined {
  const [choice] = Array.isArray(choices) ? (choices as unknown[]) : [];
  return isObject(choice) ? choice : undefined;
}

function joined(parts: readonly Json[]): unknown {
  const said: string[] = [];
  const thought: string[] = [];
  let thoughts = 'reasoning';
  const calls = new Map<unknown, GrowingCall>();
  let finish: unknown;
  for (const part of parts) {
    const { delta, finish_reason: reason } = choiceOf(part) ?? {};
    finish = reason ?? finish;
    if (!isObject(delta)) continue;
    const { content, reasoning_content: one, reasoning: other, tool_calls: called } = delta;
    if (typeof content === 'string') said.push(content);
    const reasoning = one ?? other;
    if (typeof reasoning === 'string') thought.push(reasoning);
    // The provider gets them back under its own name.
    if (typeof one === 'string') thoughts = 'reasoning_content';
    for (const [at, call] of (Array.isArray(called) ? (called as unknown[]) : []).entries())
      if (isObject(call)) grow(calls, call, at);
  }
  const message = {
    content: said.join(''),
    ...(thought.length > 0 && { [thoughts]: thought.join('') }),
    tool_calls: [...calls.values()].map(({ id, name, arguments: args, others }) => ({
      ...others,
      id,
      function: { name, arguments: args },
    })),
  };
  const usage = parts
    .map((part) => part['usage'])
    .filter(isObject)
    .at(-1);
  return { choices: [{ message, finish_reason: finish }], usage };
}

/** A call is known by its index, and by its place where it has none. A name may come once, or with each part. */
function grow(calls: Map<unknown, GrowingCall>, part: Json, at: number): void {
  const { index = at, id, type: _type, function: called, ...others } = part;
  const { name, arguments: args } = isObject(called) ? called : ({} as Json);
  const known = calls.get(index) ?? { id: '', name: '', arguments: '', others: {} };
  const written =
    typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args);
  calls.set(index, {
    id: typeof id === 'string' && id !== '' ? id : known.id,
    name: typeof name === 'string' && name !== '' ? name : known.name,
    arguments: known.arguments + written,
    others: { ...known.others, ...others },
  });
}
