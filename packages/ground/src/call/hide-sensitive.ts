import { inspect } from 'node:util';
import {
  FAILURE_OBSERVER,
  getOrMake,
  HIDDEN,
  hideIn,
  hideUndeclared,
  type JsonSchema,
  leavesOf,
  oncePer,
  type Problem,
  scrub,
  scrubbable,
  sensitiveParts,
  type SensitiveParts,
  undeclaredSecretsOf,
} from '@toolwright/json';
import type { RequestContext, RunningProgram } from '../base/request-context.js';
import type { BoundOperation } from './operation/operation.js';
import type { Catalogues } from './operation/registry.js';

interface SensitiveCall {
  readonly operation: BoundOperation;
  readonly request?: Pick<RequestContext, 'parent'>;
  readonly program?: RunningProgram;
  readonly argumentsByName: Readonly<Record<string, unknown>>;
}

/**
 * Prepares problems of sensitive arguments for the caller: their path, and the expectation if it reveals
 * nothing. A message of an author may repeat a value of another argument, so sensitive values are removed
 * from it.
 */
export function hideSensitive(problems: readonly Problem[], call: SensitiveCall): readonly Problem[] {
  const parts = partsOf(call.operation);
  if (!parts && !problems.some(({ sensitive }) => sensitive)) return problems;
  return hideIn(problems, parts, secretsOf(call));
}

/** The places where the arguments of an operation are sensitive. */
export function partsOf(operation: BoundOperation): SensitiveParts | undefined {
  const { inputSchema } = operation as { inputSchema?: JsonSchema };
  return inputSchema && sensitiveParts(inputSchema);
}

/** The names of the operations that have a sensitive part. A list never changes. */
const sensitiveNames = oncePer(
  (operations: readonly BoundOperation[]): ReadonlySet<string> =>
    new Set(operations.filter(isSensitiveOperation).map(({ name }) => name)),
);

/**
 * Whether any operation of a server has a sensitive part. Values that belong to no known place are then hidden: a
 * caller may have meant them for such a part.
 */
export function hasSensitiveParts({ tools, prompts, resources, resourceTemplates }: Catalogues): boolean {
  return [tools, prompts, resources, resourceTemplates].some((catalogue) => {
    return catalogue.hadSensitive || sensitiveNames(catalogue.everything()).size > 0;
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

/** The sensitive texts and numbers of a call, the longest first; also what the program has met that runs it, or that it runs. */
export function secretsOf(call: SensitiveCall): string[] {
  const parts = partsOf(call.operation);
  const program = call.program ?? call.request?.parent?.program;
  if (!parts && !program) return [];
  return scrubbable([...(parts?.secretsOf(call.argumentsByName) ?? []), ...(program?.secrets ?? [])]);
}

/**
 * Whether a program can meet a secret: whether a tool that it may call has a sensitive part. Only then is anything noted of it.
 *
 * @param runner the tool that runs the program. All of its values are sensitive
 */
export function mayMeetSecrets({ tools }: Pick<Catalogues, 'tools'>, runner: BoundOperation): boolean {
  const names = sensitiveNames(tools.everything());
  return names.size > (names.has(runner.name) ? 1 : 0);
}

/** What takes part in a call of a program. `undefined`: no tool has the name, so nobody knows what its arguments are. */
type CalledTool =
  { readonly inputSchema?: JsonSchema; readonly outputSchema?: JsonSchema | undefined } | undefined;

/** Notes the sensitive values that a program gives to a tool, and each that nobody declared: it may have meant a sensitive one. */
export function noteGiven({ secrets }: RunningProgram, tool: CalledTool, args: unknown): void {
  const given = tool?.inputSchema ? undeclaredSecretsOf(tool.inputSchema, args) : leavesOf(args);
  for (const secret of given) secrets.add(secret);
}

/** Texts and numbers of results in which no secret can be. */
const knownBy = new WeakMap<RunningProgram, Set<string>>();

/** At most this many texts of results are remembered for a program. */
const MOST_KNOWN = 5_000;

/** Longer texts are not remembered: a program rarely gives them to another tool unchanged. */
const LONGEST_KNOWN = 200;

/**
 * Notes the sensitive values that a program gets from a tool, and what it surely knows from there.
 *
 * @param isOwn whether the arguments had something that may be a part of a secret: the result may repeat it
 */
export function noteGot(
  program: RunningProgram,
  tool: NonNullable<CalledTool>,
  { result, isOwn }: { readonly result: unknown; readonly isOwn: boolean },
): void {
  const parts = tool.outputSchema && sensitiveParts(tool.outputSchema);
  for (const secret of parts?.secretsOf(result) ?? []) program.secrets.add(secret);
  if (isOwn) return;
  const known = getOrMake(knownBy, program, () => new Set());
  for (const text of leavesOf(parts ? parts.hide(result) : result)) {
    if (known.size >= MOST_KNOWN) return;
    if (text.length <= LONGEST_KNOWN && !isBoolean(text)) known.add(text);
  }
}

/** A program that has met more secrets than these shows no text at all. */
const MOST_SECRETS = 1_000;

/** Shorter texts are in every secret. */
const LEAST_PART = 3;

/** Another result that has one says nothing of where a boolean comes from: there are only two. */
const isBoolean = (text: string): boolean => text === 'true' || text === 'false';

/** The module of `toolwright dev` is there. */
export const isDev = (): boolean => FAILURE_OBSERVER in globalThis;

/**
 * A value of a program, as observers may see it. A program that has met a secret can cut it, encode it or split it, and nobody
 * finds the parts. So a text is shown if it surely comes from elsewhere: if it is a whole text in the code, or in a result in
 * which no secret can be. In `dev`, everything but the secrets is shown.
 */
export function withoutTextsOf<T>(program: RunningProgram | undefined, value: T): T {
  if (!program || program.secrets.size === 0) return value;
  return isDev() ? withoutSecretsOf(program, value) : mapTexts(value, textsOf(program));
}

/** A value of a program without the secrets that it has met: what the person sees who decides about it. */
export function withoutSecretsOf<T>(program: RunningProgram | undefined, value: T): T {
  if (!program || program.secrets.size === 0) return value;
  const secrets = scrubbable([...program.secrets]);
  return mapTexts(value, (text) => scrub(text, secrets));
}

/** What the log may not repeat of a call, the longest first. */
export const unloggableOf = (call: SensitiveCall): string[] =>
  scrubbable([...secretsOf(call), ...doubtfulTextsOf(call)]);

/** What of the arguments of a call in a program may be a part of a secret. */
export function doubtfulTextsOf({ operation, request, argumentsByName }: SensitiveCall): string[] {
  const program = request?.parent?.program;
  if (!program || program.secrets.size === 0) return [];
  const { inputSchema } = operation as { inputSchema?: JsonSchema };
  const shown = hideUndeclared(inputSchema ?? argumentsSchema(operation), argumentsByName);
  const show = textsOf(program);
  const doubtful = new Set<string>();
  mapTexts(shown, (text) => {
    if (text !== HIDDEN && show(text) === HIDDEN) doubtful.add(text);
    return text;
  });
  return [...doubtful];
}

/** Shows a text of a program that has met a secret, or hides it. */
function textsOf(program: RunningProgram): (text: string) => string {
  const known = knownBy.get(program);
  if (program.secrets.size > MOST_SECRETS) return () => HIDDEN;
  const secrets = scrubbable([...program.secrets]);
  const inCode = textsInCode(program);
  const metBoolean = program.secrets.has('true') || program.secrets.has('false');
  const isPart = (text: string) =>
    program.secrets.has(text) ||
    (metBoolean && isBoolean(text)) ||
    secrets.some((secret) => text.includes(secret) || (text.length >= LEAST_PART && secret.includes(text)));
  return (text) => ((inCode.has(text) || known?.has(text)) && !isPart(text) ? text : HIDDEN);
}

/** A text in the code, or a word or a number outside of texts. Texts with an escape are left out. */
const partOfCode = /'([^'\\\n]*)'|"([^"\\\n]*)"|`([^`\\$]*)`|\d+\.\d+|[\w$]+/g;

const textsInCode = oncePer(({ code }: RunningProgram): ReadonlySet<string> => {
  return new Set(Array.from(code.matchAll(partOfCode), ([all, ...quoted]) => quoted.join('') || all));
});

/** A value with each of its texts in another form. A number or a boolean is hidden if its text would be. */
function mapTexts<T>(value: T, write: (text: string) => string): T {
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return write(part);
    if (part === null || part === undefined) return part;
    if (typeof part !== 'object') return write(String(part)) === String(part) ? part : HIDDEN;
    if (Array.isArray(part)) return part.map(walk);
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [write(key), walk(inner)]));
  };
  return walk(value) as T;
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
