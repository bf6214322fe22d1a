import type { Environment } from '@toolwright/ground/call/environment';
import type { AnyDraft } from '@toolwright/ground/call/operation/draft';
import type { StepOrigin } from '@toolwright/ground/call/operation/operation';
import {
  InvalidOutputError,
  type JsonSchema,
  type OutputWriter,
  outputWriter,
  referredSchema,
  type Revival,
  type Undeclared,
} from '@toolwright/json';
import { definePolicy, oneWord } from '../define-policy.js';

/**
 * Sets for one operation what happens to returned data that its output schema does not declare. It is left
 * out, passed on, or refused like any output that breaks its schema. Without it, the server's option
 * `output.undeclared` applies.
 *
 * @example
 * @McpTool({ annotations: { readOnlyHint: true } })
 * @UndeclaredOutput('refuse') readAccount(id: string): Account { … }
 */
export const UndeclaredOutput = definePolicy('undeclaredOutput', {
  parse: oneWord<Undeclared>('drop', 'keep', 'refuse'),
});

/** What happens to undeclared data, and who decided it. */
interface UndeclaredRule {
  /** For values that a method returned. */
  readonly ofValues: Undeclared;
  /**
   * For results in the protocol's own form. By default JSON Schema decides: objects of another server are
   * open, unless its schema closes them.
   */
  readonly ofResults: Undeclared;
  readonly origin: StepOrigin;
}

export function undeclaredRuleOf(draft: AnyDraft, { undeclared }: Environment): UndeclaredRule {
  const policy = UndeclaredOutput.of(draft);
  const said = policy?.options ?? undeclared;
  return { ofValues: said ?? 'drop', ofResults: said ?? 'keep', origin: policy?.origin ?? 'default' };
}

/** The writers of one operation. What takes time to make is made at the first result. */
interface OutputWriters {
  readonly value: OutputWriter;
  readonly result: OutputWriter;
}

export function outputWritersOf(
  schema: JsonSchema,
  draft: AnyDraft,
  environment: Environment,
): OutputWriters {
  const { ofValues, ofResults } = undeclaredRuleOf(draft, environment);
  // Only the tool of a proxy has the arguments of another server.
  const isForeign = draft.kind === 'tool' && draft.exactSchema === 'arguments';
  const writer = (undeclared: Undeclared, revival?: Revival) => {
    const options = { revival, isForeign };
    return undeclared === 'refuse' && isLeftOut(draft)
      ? leavingOut((way) => outputWriter(schema, { undeclared: way, ...options }), draft, environment)
      : outputWriter(schema, { undeclared, ...options });
  };
  return { value: writer(ofValues, draft.target.revive?.output), result: writer(ofResults) };
}

/**
 * The writer of parts of a result: items of a list, or some properties of an object. Apart from what makes it whole, the
 * output schema counts.
 */
export function partWriterOf(schema: JsonSchema, draft: AnyDraft, environment: Environment): OutputWriter {
  const { $defs } = schema;
  const { required: _, minItems: __, minProperties: ___, ...open } = referredSchema(schema, schema);
  return outputWritersOf({ ...open, ...($defs && { $defs }) }, draft, environment).value;
}

/**
 * True for tools that say that they change something. The server's rule `'refuse'` then leaves undeclared data out and
 * logs it: what the tool did is done, and an error would make a model do it again. A rule of the tool's own stays.
 */
function isLeftOut(draft: AnyDraft): boolean {
  const { readOnlyHint, destructiveHint } = draft.annotations;
  const saysSo = readOnlyHint === false || (readOnlyHint === undefined && destructiveHint !== undefined);
  return draft.kind === 'tool' && saysSo && !UndeclaredOutput.of(draft);
}

function leavingOut(
  writerFor: (way: 'refuse' | 'drop') => OutputWriter,
  draft: AnyDraft,
  { logger }: Environment,
): OutputWriter {
  const exact = writerFor('refuse');
  let lenient: OutputWriter | undefined;
  return (value) => {
    try {
      return exact(value);
    } catch (error) {
      if (!(error instanceof InvalidOutputError)) throw error;
      // If the data is wrong in another way, too, this throws.
      const written = (lenient ??= writerFor('drop'))(value);
      logger.warn(
        { err: error, operation: draft.name },
        'A tool returned data that it does not declare; it was left out, because what the tool did is done',
      );
      return written;
    }
  };
}

/** Makes the writer for data that the method of a prompt or of a resource returns, if its type is known. */
export function dataWriterOf(draft: AnyDraft, environment: Environment): OutputWriter | undefined {
  const { resultSchema } = draft.target;
  return resultSchema && outputWritersOf(resultSchema, draft, environment).value;
}
