import { inspect } from 'node:util';
import {
  HIDDEN,
  hideIn,
  type JsonSchema,
  type Problem,
  scrub,
  scrubbable,
  sensitiveParts,
  type SensitiveParts,
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

/** The sensitive texts and numbers of a call, the longest first; also what the program has met that runs it, or that it runs. */
export function secretsOf(call: SensitiveCall): string[] {
  const parts = partsOf(call.operation);
  const program = call.program ?? call.request?.parent?.program;
  if (!parts && !program) return [];
  return scrubbable([...(parts?.secretsOf(call.argumentsByName) ?? []), ...(program?.secrets ?? [])]);
}

/** Notes the sensitive values that a program meets in a call of a tool. */
export function noteSecrets(
  { secrets }: RunningProgram,
  { inputSchema, outputSchema }: { readonly inputSchema?: JsonSchema; readonly outputSchema?: JsonSchema },
  { args, result }: { readonly args?: unknown; readonly result?: unknown },
): void {
  const given = args !== undefined && inputSchema && sensitiveParts(inputSchema)?.secretsOf(args);
  const got = result !== undefined && outputSchema && sensitiveParts(outputSchema)?.secretsOf(result);
  for (const secret of [...(given || []), ...(got || [])]) secrets.add(secret);
}

/** A value without what a program has met: it may pass it on to tools that do not know that it is sensitive. */
export function withoutTextsOf<T>(program: RunningProgram | undefined, value: T): T {
  if (!program || program.secrets.size === 0) return value;
  const secrets = scrubbable([...program.secrets]);
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return scrub(part, secrets);
    if (typeof part === 'number') return secrets.includes(String(part)) ? HIDDEN : part;
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(walk);
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [scrub(key, secrets), walk(inner)]));
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
