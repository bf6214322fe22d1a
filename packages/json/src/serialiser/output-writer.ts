import type { JsonSchema } from '../schema/json-schema.js';
import { lazily } from '../schema/once.js';
import { isSpent } from '../validation/check-budget.js';
import { TOO_COMPLEX } from '../validation/problem.js';
import { checkAsOne } from '../validation/validator.js';
import { findDefinition } from '../schema/find-definition.js';
import { standAlone } from './declared-parts.js';
import { exactWriter, InvalidOutputError, type WriterOptions } from './exact-writer.js';
import { interpretOutput } from './interpret-output.js';
import { partText, wholeWriter } from './json-text.js';
import type { OutputNode, OutputWriter, Undeclared, Write } from './output-node.js';
import { planOutput } from './plan-output.js';
import type { OutputPlanning } from './plan-types.js';

/** The writer of an output schema. */
export function outputWriter(schema: JsonSchema, options: WriterOptions): OutputWriter {
  const exact = exactWriter(schema, options);
  const write = wholeWriter(
    () => writerOf(schema, options),
    (value) => {
      // The value has taken all its steps already, and is not read again to say so.
      if (isSpent()) throw new InvalidOutputError(TOO_COMPLEX);
      return exact(value);
    },
  );
  return options.isForeign ? (value) => checkAsOne(value, () => write(value)) : write;
}

interface Shared {
  readonly writer: SchemaWriter;
  readonly document: Document;
}

const sharedWriters: Record<Undeclared, WeakMap<JsonSchema, Shared>> = {
  drop: new WeakMap(),
  keep: new WeakMap(),
  refuse: new WeakMap(),
};

/**
 * Returns the writer of a schema. A definition that several documents share is planned once. The
 * cost grows with the number of types, not with the number of tools that use them or of paths between them.
 */
export function writerOf(schema: JsonSchema, options: WriterOptions): SchemaWriter {
  return new Document(schema, options).writerOf(schema);
}

/** A schema with the definitions that it refers to. */
class Document implements OutputPlanning {
  readonly undeclared: Undeclared;
  readonly #shared: WeakMap<JsonSchema, Shared>;

  constructor(
    private readonly root: JsonSchema,
    { undeclared }: WriterOptions,
  ) {
    this.undeclared = undeclared;
    this.#shared = sharedWriters[undeclared];
  }

  writerOf(schema: JsonSchema): SchemaWriter {
    const known = this.#shared.get(schema);
    if (known && known.document.means(schema, this)) return known.writer;
    const writer = new SchemaWriter(() => planOutput(schema, this));
    this.#shared.set(schema, { writer, document: this });
    return writer;
  }

  definition(reference: string) {
    const schema = this.resolve(reference);
    if (!schema) return undefined;
    return { schema, writer: this.writerOf(schema) };
  }

  resolve(reference: string): JsonSchema | undefined {
    return reference === '#' ? this.root : findDefinition(this.root, reference)?.schema;
  }

  exact(schema: JsonSchema): Write {
    const { undeclared } = this;
    const write = lazily(() => exactWriter(standAlone(schema, this.root), { undeclared, isPart: true }));
    return (value) => partText(write()(value));
  }

  /** Whether the references of a schema mean the same in both documents. */
  means(schema: JsonSchema, other: Document): boolean {
    const { $defs } = this.root;
    if (this.root === other.root || ($defs !== undefined && $defs === other.root.$defs)) return true;
    const seen = new Set<JsonSchema>();
    const isSame = (part: JsonSchema): boolean => {
      if (seen.has(part)) return true;
      seen.add(part);
      return referencesOf(part).every((reference) => {
        const target = this.resolve(reference);
        return target === other.resolve(reference) && (!target || isSame(target));
      });
    };
    return isSame(schema);
  }
}

/** All names that a schema refers to, at any depth. */
function referencesOf(schema: JsonSchema): readonly string[] {
  const found = new Set<string>();
  JSON.stringify(schema, (keyword, value: unknown) => {
    if (keyword === '$ref' && typeof value === 'string') found.add(value);
    return value;
  });
  return [...found];
}

/** Writes the values of one schema. */
class SchemaWriter {
  /** Throws `UNSURE` if the exact writer has to handle a value. */
  write: Write;

  /** @param plan called with the first value, so that a schema may refer to itself */
  constructor(plan: () => OutputNode) {
    this.write = (value) => {
      this.write = interpretOutput(plan());
      return this.write(value);
    };
  }
}
