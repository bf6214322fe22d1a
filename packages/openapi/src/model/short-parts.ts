import { commonForm, OPEN, withOpenMembers } from './open-forms.js';
import { behind, type JsonSchema, referredBy } from './schema-facts.js';

/** A member that a long part must have is written out up to this length. */
const SHORT_PART = 200;

/** Of a list that is too long, these many show what a value looks like. */
export const SHOWN_VALUES = 3;

/** Parts of arguments within a number of bytes. Of one that is longer, only what is required is said: a model knows the rest. */
export class ShortParts {
  constructor(
    private readonly definitions: ReadonlyMap<string, JsonSchema>,
    private readonly most: number,
  ) {}

  of(schema: JsonSchema): JsonSchema {
    if (this.sizeOf(schema) <= this.most) return schema;
    const { description, type, items = {} } = schema;
    const short =
      type === 'array' ? { ...schema, items: this.shortened(items, 0) } : this.shortened(schema, 0);
    return { ...short, ...(description !== undefined && { description }) };
  }

  /** How many bytes a schema has with all that it refers to. */
  private sizeOf(schema: JsonSchema): number {
    const all = [...referredBy(schema, this.definitions)].map((name) => this.definitions.get(name)!);
    return [schema, ...all].reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
  }

  /** An open object with the members that it must have. */
  private shortened(schema: JsonSchema, depth: number): JsonSchema {
    const whole = this.behind(schema);
    if (this.sizeOf(schema) < SHORT_PART && depth > 0) return schema;
    if (whole.$ref !== undefined && whole !== schema && depth < 4) return this.shortened(whole, depth);
    if (whole.type === 'array') return { ...whole, items: this.shortened(whole.items ?? {}, depth + 1) };
    if (whole.enum)
      return { type: typeof whole.enum[0], examples: whole.enum.slice(0, SHOWN_VALUES) } as JsonSchema;
    if (whole.type !== 'object' && whole.type !== undefined) return schema;
    const { properties = {}, required = [] } = whole;
    if (depth > 3) return OPEN;
    if (whole.anyOf) return this.shortUnion(whole.anyOf);
    if (required.length === 0) return OPEN;
    const needed = required.map((name) => [name, this.shortened(properties[name] ?? {}, depth + 1)] as const);
    return { ...withOpenMembers(Object.fromEntries(needed)), required };
  }

  private shortUnion(anyOf: readonly JsonSchema[]): JsonSchema {
    const nulls = anyOf.filter(({ type }) => type === 'null');
    const all = anyOf.filter((each) => !nulls.includes(each)).map(this.behind);
    const short = all.map((each) => this.shortened(each, 1));
    if (!all.every(({ type }) => type === 'object')) return { anyOf: [...short, ...nulls] };
    // Each alternative with what it needs, if that is short: one may need what another does not know.
    const union: JsonSchema = { anyOf: short };
    const behind = short.map(this.behind);
    return behind.every(({ required }) => required) && this.sizeOf(union) <= this.most
      ? union
      : commonForm(behind);
  }

  private readonly behind = (schema: JsonSchema): JsonSchema => behind(schema, this.definitions);
}
