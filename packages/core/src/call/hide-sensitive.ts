import { inspect } from 'node:util';
import { type JsonSchema, HIDDEN, type Problem, type SensitiveParts, sensitiveParts } from '@toolwright/json';
import type { ActiveCall } from './active-call.js';
import type { Catalogues } from './operation/registry.js';

/**
 * Expectations that reveal nothing about the allowed values: types, lengths, limits, and that something is
 * missing.
 */
const harmless = new Set(
  'type required minLength maxLength minItems maxItems minimum maximum additionalProperties'.split(' '),
);

/** Shorter texts occur in every message, so they are not removed. */
const LEAST = 3;

/**
 * Prepares problems of sensitive arguments for the caller: their path, and the expectation if it reveals
 * nothing. A message of an author may repeat a value of another argument, so sensitive values are removed
 * from it.
 */
export function hideSensitive(problems: readonly Problem[], call: ActiveCall): readonly Problem[] {
  const parts = partsOf(call.operation);
  if (!parts && !problems.some(({ sensitive }) => sensitive)) return problems;
  return hideIn(problems, parts, secretsOf(call));
}

/** The same for the answer to a question, whose schema has sensitive parts of its own. */
export function hideInAnswer(
  problems: readonly Problem[],
  schema: JsonSchema,
  answer: unknown,
): readonly Problem[] {
  const parts = sensitiveParts(schema);
  return parts ? hideIn(problems, parts, scrubbable(parts.secretsOf(answer))) : problems;
}

function hideIn(
  problems: readonly Problem[],
  parts: SensitiveParts | undefined,
  secrets: readonly string[],
): readonly Problem[] {
  return problems.map((problem) => {
    const { pointer, keyword, expected, received, isSentence } = problem;
    const isCovered = problem.sensitive === true || parts?.covers(pointer) === true;
    const isRepeated = received !== undefined && secrets.includes(String(received.value));
    const isGivenAway = isCovered && !harmless.has(keyword);
    return {
      pointer: parts?.shorten(pointer) ?? pointer,
      keyword,
      expected: isGivenAway ? 'another value' : scrub(withoutDetail(expected, isCovered), secrets),
      ...(isSentence && !isGivenAway && { isSentence }),
      ...(received && !isCovered && !isRepeated && { received: scrubbed(received, secrets) }),
    };
  });
}

/** `required (one of "a", "b")` would reveal the possible values. */
function withoutDetail(expected: string, isCovered: boolean): string {
  return isCovered ? expected.replace(/ \([^]*\),/, ',') : expected;
}

/** The places where the arguments of an operation are sensitive. */
export function partsOf(operation: ActiveCall['operation']): SensitiveParts | undefined {
  const { inputSchema } = operation as { inputSchema?: JsonSchema };
  return inputSchema && sensitiveParts(inputSchema);
}

/** For each list of operations, whether one of them has a sensitive part. A list never changes. */
const holding = new WeakMap<readonly object[], boolean>();

/**
 * Whether any operation of a server has a sensitive part. Values that belong to no known place are then hidden: a
 * caller may have meant them for such a part.
 */
export function hasSensitiveParts({ tools, prompts, resources, resourceTemplates }: Catalogues): boolean {
  return [tools, prompts, resources, resourceTemplates].some((catalogue) => {
    if (catalogue.hadSensitive) return true;
    const operations = catalogue.everything();
    let holds = holding.get(operations);
    if (holds === undefined) holding.set(operations, (holds = operations.some(isSensitiveOperation)));
    return holds;
  });
}

/** What an operation without a schema declares: the arguments of a prompt, or nothing. */
export function argumentsSchema(operation: object): JsonSchema {
  const { arguments: declared = [] } = operation as { arguments?: readonly { name: string }[] };
  return { type: 'object', properties: Object.fromEntries(declared.map(({ name }) => [name, {}])) };
}

/** Whether arguments or results of an operation have a sensitive part. */
export function isSensitiveOperation(operation: object): boolean {
  const { inputSchema, outputSchema } = operation as { inputSchema?: JsonSchema; outputSchema?: JsonSchema };
  return [inputSchema, outputSchema].some((schema) => schema && sensitiveParts(schema) !== undefined);
}

/** The sensitive texts and numbers of a call, the longest first. */
export function secretsOf(call: ActiveCall): string[] {
  return scrubbable(partsOf(call.operation)?.secretsOf(call.argumentsByName) ?? []);
}

function scrubbable(secrets: readonly string[]): string[] {
  return secrets.filter(({ length }) => length >= LEAST).sort((one, other) => other.length - one.length);
}

function scrubbed({ value }: { value: unknown }, secrets: readonly string[]): { value: unknown } {
  return { value: typeof value === 'string' ? scrub(value, secrets) : value };
}

/** Removes the secrets from a text. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
}

/** How many causes of causes are processed. */
const MAX_CAUSES = 8;

/** An error in the form for the log, without secrets. A method may have put its arguments into the message. */
export function withoutSecrets(error: unknown, secrets: readonly string[], depth = 0): unknown {
  if (secrets.length === 0 || depth > MAX_CAUSES) return error;
  if (typeof error === 'string') return scrub(error, secrets);
  if (typeof error === 'object' && error !== null && !(error instanceof Error))
    return scrub(inspect(error, { depth: MAX_CAUSES }), secrets);
  if (!(error instanceof Error)) return error;
  const { name, message, stack = '', cause } = error;
  const safe = new Error(scrub(message, secrets), {
    ...(cause !== undefined && { cause: withoutSecrets(cause, secrets, depth + 1) }),
  });
  Object.defineProperty(safe, 'stack', { value: scrub(stack, secrets) });
  return Object.assign(safe, { name });
}
