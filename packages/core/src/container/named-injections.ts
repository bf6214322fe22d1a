import { findRecord } from '../base/metadata/class-records.js';
import type { DecoratorRecord } from '../base/metadata/store.js';
import type { InjectRecord, NamedInjectRecord } from './inject-record.js';
import { isOptionalToken } from './provider.js';

/** What `@Inject({ … })` on a class or a method says about the parameter of this name. */
export function namedInjection(
  records: readonly DecoratorRecord[],
  parameter: string,
): InjectRecord | undefined {
  const tokens = findRecord<NamedInjectRecord>(records, 'injections')?.options.tokens;
  if (!tokens || !Object.hasOwn(tokens, parameter)) return undefined;
  const token = tokens[parameter]!;
  return isOptionalToken(token) ? token : { token };
}

/** The names in an own `@Inject({ … })` that belong to no parameter. */
export function strayInjections(
  records: readonly DecoratorRecord[],
  parameters: readonly { readonly name: string }[],
): { record: DecoratorRecord<NamedInjectRecord>; names: string[] } | undefined {
  const record = findRecord<NamedInjectRecord>(records, 'injections');
  if (!record) return undefined;
  const names = Object.keys(record.options.tokens).filter(
    (name) => !parameters.some((parameter) => parameter.name === name),
  );
  return names.length > 0 ? { record, names } : undefined;
}
