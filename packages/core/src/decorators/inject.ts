import type { InjectOptions, InjectRecord } from '../container/inject-record.js';
import { injectOptions } from '../container/provider-rule.js';
import type { InjectionToken } from '../container/token.js';
import { anything } from '../options/rules.js';
import { recording, type ParameterOnlyDecorator } from './recording.js';

/** What is no token is reported where it is injected. */
const injectRecordOptions = { ...injectOptions, token: anything };

/**
 * Names what a constructor parameter gets, where its type cannot: interfaces, values, a choice among several.
 *
 * @param token a class, `Token`, string or symbol; or a function that gives it, for a class declared further down
 *
 * @example
 * constructor(@Inject(DATABASE) private readonly database: Database) {}
 */
export function Inject(
  token: InjectionToken | (() => InjectionToken),
  options: InjectOptions = {},
): ParameterOnlyDecorator {
  return recording(
    { kind: 'inject', options: { ...options, token } satisfies InjectRecord, schema: injectRecordOptions },
    Inject,
  );
}
