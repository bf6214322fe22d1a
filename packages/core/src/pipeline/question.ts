import type { JsonSchema, ManifestQuestion } from '@toolwright/manifest';
import { ToolError } from '../errors/tool-error.js';
import { toClientSafe } from '../schema/client-safe-profile.js';
import { lazily } from './lazily.js';
import type { TypedQuestion } from './question-table.js';
import type { TypeTable } from './target.js';
import { validateInstances, type Unchecked } from './validation/class-validation.js';
import { describeProblems } from './validation/describe-problems.js';
import type { Problem } from './validation/problem.js';
import { validatorFor } from './validation/validator.js';
import { primitiveDefaults } from './values/primitive-defaults.js';
import { compileRevival, UnrevivableError } from './values/revive.js';

/** Made of what the manifest says of a question. */
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
    const unchecked: Unchecked[] = [];
    const revived = this.#revived(value, unchecked);
    const faults = unchecked.length > 0 ? await validateInstances(unchecked) : [];
    if (faults.length > 0) throw this.#misfit(faults);
    return revived;
  }

  unreadable(): ToolError {
    return new ToolError(`The answer to the question "${this.#key}" is no JSON.`);
  }

  /** Clients may send more than a form has. */
  #declared(answer: unknown): unknown {
    const { properties = {} } = this.schema;
    return Object.fromEntries(
      Object.entries(answer as object).filter(([name]) => Object.hasOwn(properties, name)),
    );
  }

  #revived(value: unknown, unchecked: Unchecked[]): unknown {
    try {
      return this.#revive()?.(value, unchecked, '') ?? value;
    } catch (error) {
      if (error instanceof UnrevivableError) throw this.#misfit([error.problem]);
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
