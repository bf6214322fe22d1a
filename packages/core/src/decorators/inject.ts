import type { InjectOptions, InjectRecord } from '../container/inject-record.js';
import { injectOptions } from '../container/provider-rule.js';
import type { InjectionToken } from '../container/token.js';
import { anything } from '../base/options/rules.js';
import { recording, type ParameterOnlyDecorator } from './recording.js';

/** What is no token is reported where it is injected. */
const injectRecordOptions = { ...injectOptions, token: anything };

/**
 * Names what the container passes as a parameter, where its type cannot: interfaces, values, a choice among several. It
 * stands before a parameter of a constructor, or of a decorated method, whose schema then leaves the parameter out.
 *
 * @param token a class, `Token`, string or symbol; or a function that gives it, for a class declared further down
 *
 * @example
 * constructor(@Inject(DATABASE) private readonly database: Database) {}
 * @McpTool() find(query: string, @Inject(CLOCK) clock: Clock) { … }   // the client sends `query` alone
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
