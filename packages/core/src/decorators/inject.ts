import type { InjectOptions, InjectRecord } from '../container/inject-record.js';
import { injectOptions } from '../container/provider-rule.js';
import type { InjectionToken } from '../container/token.js';
import { anything } from '../base/options/rules.js';
import { recording, type ParameterOnlyDecorator } from './recording.js';

/** A value that is not a token is reported at the place where it is injected. */
const injectRecordOptions = { ...injectOptions, token: anything };

/**
 * Names the token that the container passes as a parameter. Use it where the parameter's type cannot name it:
 * for an interface, a value, or one choice among several. Write it before a parameter of a constructor or of
 * a decorated method. The method's schema then leaves this parameter out.
 *
 * @param token a class, `Token`, string or symbol; or a function that returns one, for a class that is
 * declared further down in the file
 * @example
 * constructor(@Inject(DATABASE) private readonly database: Database) {}
 * @McpTool() find(query: string, @Inject(CLOCK) clock: Clock) { … }   // the client sends only `query`
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
