import type { JsonSchema } from '@toolwright/manifest';
import type { InjectionToken } from '../../container/token.js';
import type { AnyCompletionSource, CompletionOptions } from '../../decorators/completion-provider.js';
import type { DecoratorRecord } from '../../base/metadata/store.js';
import type { Complete } from '../../call/operation/operation.js';
import { lazily } from '../../base/lazily.js';
import { planKnownFromText } from '../../call/values/from-text.js';
import type { BoundMethod } from '../services/bound-service.js';

/** Makes a completion that asks what the container provides for a token. */
export type CompletionResolver = (token: InjectionToken<AnyCompletionSource>) => Complete;

/** The completions of a method's arguments: those of `@CompletionProvider`, and those of enums. */
export function bindCompletions(source: BoundMethod, resolve: CompletionResolver): Record<string, Complete> {
  const complete: Record<string, Complete> = {};
  for (const [name, schema] of Object.entries(source.input?.properties ?? {})) {
    const values = enumValues(schema);
    if (values.length > 0) complete[name] = startingWith(values);
  }
  const read = lazily(() => planKnownFromText(source.input ?? {}));
  for (const [name, options] of declared(source)) complete[name] = completeWith(options, { resolve, read });
  return complete;
}

function declared({ method, entry }: BoundMethod): readonly Declared[] {
  if (method.parameters.size === 0 && !method.records.some(isCompletion)) return NONE;
  const found: Declared[] = [];
  const keep = (record: DecoratorRecord, parameter: string | undefined) => {
    if (!isCompletion(record)) return;
    const argument = record.options.argument ?? parameter;
    if (argument !== undefined) found.push([argument, record.options]);
  };
  for (const record of method.records) keep(record, undefined);
  for (const [index, records] of method.parameters)
    for (const record of records) keep(record, entry.parameters[index]?.name);
  return found;
}

function isCompletion(record: DecoratorRecord): record is DecoratorRecord<CompletionOptions> {
  return record.kind === 'completion';
}

interface Completing {
  resolve: CompletionResolver;
  /** Converts the known arguments to the types of the signature. */
  read: () => ReturnType<typeof planKnownFromText>;
}

type Declared = [argument: string, CompletionOptions];
const NONE: readonly Declared[] = [];

function completeWith(options: CompletionOptions, { resolve, read }: Completing): Complete {
  if ('values' in options) return startingWith(options.values);
  if ('enum' in options) return startingWith(enumMembers(options.enum));
  const complete = resolve(options.provider);
  // They are converted like the method's own arguments: the signature gives their types, not the protocol.
  return (value, known, request, call) =>
    complete(value, read()(known) as Record<string, string>, request, call);
}

function startingWith(values: readonly string[]): Complete {
  const complete = (typed: string) => {
    const start = typed.toLowerCase();
    return values.filter((value) => value.toLowerCase().startsWith(start));
  };
  return Object.assign(complete, { values });
}

/** A numeric TypeScript enum also maps its values back to their names. These names are not values. */
function enumMembers(members: Record<string, string | number>): string[] {
  return Object.entries(members).flatMap(([name, value]) =>
    members[value] === name && value !== name ? [] : [String(value)],
  );
}

function enumValues(schema: JsonSchema): string[] {
  return (schema.enum ?? []).filter((value) => typeof value === 'string');
}
