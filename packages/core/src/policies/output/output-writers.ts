import type { JsonSchema } from '@toolwright/manifest';
import { UndeclaredOutput } from './undeclared-output.js';
import type { AnyDraft } from '../../call/operation/draft.js';
import type { Environment } from '../../call/environment.js';
import type { OutputWriter, Undeclared } from '../../call/serialiser/output-node.js';
import { outputWriter } from '../../call/serialiser/output-writer.js';
import type { StepOrigin } from '../../call/operation/step-description.js';

/** What happens to undeclared data, and who decided it. */
export interface UndeclaredRule {
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
export interface OutputWriters {
  readonly value: OutputWriter;
  readonly result: OutputWriter;
}

export function outputWritersOf(
  schema: JsonSchema,
  draft: AnyDraft,
  environment: Environment,
): OutputWriters {
  const { ofValues, ofResults } = undeclaredRuleOf(draft, environment);
  const { generate } = environment;
  return {
    value: outputWriter(schema, { undeclared: ofValues, revival: draft.target.revive?.output, generate }),
    result: outputWriter(schema, { undeclared: ofResults, generate }),
  };
}

/** Makes the writer for data that the method of a prompt or of a resource returns, if its type is known. */
export function dataWriterOf(draft: AnyDraft, environment: Environment): OutputWriter | undefined {
  const { resultSchema } = draft.target;
  return resultSchema && outputWritersOf(resultSchema, draft, environment).value;
}
