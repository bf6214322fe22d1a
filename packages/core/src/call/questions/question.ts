import type { JsonSchema, ManifestQuestion } from '@toolwright/manifest';
import { ToolError } from '../../base/errors/tool-error.js';
import { toClientSafe } from '../../base/schema/client-safe-profile.js';
import { lazily } from '../../base/lazily.js';
import type { TypedQuestion } from './question-table.js';
import type { TypeTable } from '../operation/target.js';
import { validateInstances } from '../validation/class-validation.js';
import { describeProblems } from '../validation/describe-problems.js';
import { PendingChecks } from '../validation/pending-checks.js';
import type { Problem } from '../validation/problem.js';
import { validatorFor } from '../validation/validator.js';
import { primitiveDefaults } from '../values/primitive-defaults.js';
import { compileRevival } from '../values/revive.js';
import { UnrevivableError } from '../values/unrevivable-error.js';

/** Created from the manifest's description of a question. */
export class Question implements TypedQuestion {
  readonly #key: string;
  readonly #definition: ManifestQuestion;
  readonly #types: TypeTable;
  readonly #revive = lazily(() => {
    const { revive } = this.#definition;
    return revive && compileRevival(revive, { types: this.#types, always: false });
  });

  constructor(
    { key, definition, types }: { key: string; definition: ManifestQuestion; types: TypeTable },
    readonly schema: JsonSchema,
  ) {
    this.#key = key;
    this.#definition = definition;
    this.#types = types;
  }

  get kind(): ManifestQuestion['kind'] {
    return this.#definition.kind;
  }

  get published(): JsonSchema {
    return toClientSafe(this.schema, { role: 'input' });
  }

  async read(answer: unknown): Promise<unknown> {
    const given = this.kind === 'elicit' ? this.#declared(answer) : answer;
    const problems = validatorFor(this.schema, 'caller')(given);
    if (problems) throw this.#misfit(problems);
    const complete = withDefaults(given as object, this.schema);
    const value: unknown = this.#definition.wrap ? (complete as { value: unknown }).value : complete;
    const pending = new PendingChecks();
    const revived = this.#tell(() => this.#revive()?.(value, pending, '') ?? value);
    const faults = pending.unchecked.length > 0 ? await validateInstances(pending) : [];
    if (faults.length > 0) throw this.#misfit(faults);
    this.#tell(() => pending.finish());
    return revived;
  }

  unreadable(): ToolError {
    return new ToolError(`The answer to the question "${this.#key}" is no JSON.`);
  }

  /** Removes properties that the form does not have, because clients may send more. */
  #declared(answer: unknown): unknown {
    const { properties = {} } = this.schema;
    return Object.fromEntries(
      Object.entries(answer as object).filter(([name]) => Object.hasOwn(properties, name)),
    );
  }

  #tell<T>(revive: () => T): T {
    try {
      return revive();
    } catch (error) {
      if (error instanceof UnrevivableError) throw this.#misfit(error.problems);
      throw error;
    }
  }

  #misfit(problems: readonly Problem[]): ToolError {
    return new ToolError(
      `The answer to the question "${this.#key}" does not fit:\n${describeProblems(problems)}`,
    );
  }
}

function withDefaults(value: object, schema: JsonSchema): object {
  const missing = primitiveDefaults(schema).filter(([name]) => !Object.hasOwn(value, name));
  return missing.length > 0 ? { ...value, ...Object.fromEntries(missing) } : value;
}
