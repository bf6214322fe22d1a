import { inspect } from 'node:util';
import {
  hideIn,
  type JsonSchema,
  type Problem,
  scrub,
  scrubbable,
  sensitiveParts,
  type SensitiveParts,
} from '@toolwright/json';
import type { BoundOperation } from './operation/operation.js';
import type { Catalogues } from './operation/registry.js';

interface SensitiveCall {
  readonly operation: BoundOperation;
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

/** The sensitive texts and numbers of a call, the longest first. */
export function secretsOf(call: SensitiveCall): string[] {
  const parts = partsOf(call.operation);
  return parts ? scrubbable(parts.secretsOf(call.argumentsByName)) : [];
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
