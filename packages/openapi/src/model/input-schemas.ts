import { findPatternProblems } from '@toolwright/core/checks';
import type { Schema } from '../read/openapi-document.js';
import { isObject, isReference, type Specification } from '../read/specification.js';
import {
  alternativesOf,
  combine,
  discriminatorValue,
  isNullable,
  type JsonSchema,
  mergeAllOf,
  typesOf,
} from './schema-facts.js';
import { describeArgument } from './text.js';
import { pascalCase, type NameSet, wordsOf } from './words.js';

/** A nested part that is longer than this, in bytes of JSON, becomes an open object: a model fills it from what it knows. */
const LONGEST_PART = 1_000;
/** A member that a long part must have is written out up to this length. */
const SHORT_PART = 200;
const MOST_ALTERNATIVES = 8;
const MOST_VALUES = 80;

/** The formats that servers check. Others are notes for people. */
const formats = new Set(['date-time', 'date', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6']);

type Bound = 'minimum' | 'maximum' | 'multipleOf' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

/** Words of a property whose value nobody should see again. */
const SECRET =
  /(?:^|_)(?:password|passwd|passphrase|secret|client_secret|secret_key|private_key|api_key|apikey|access_token|refresh_token|auth_token)$/;

/** The schemas of arguments: what a caller may send, without what only the API may write. */
export class InputSchemas {
  /** Shared parts by name. The schemas refer to them as `#/$defs/<name>`. */
  readonly definitions = new Map<string, JsonSchema>();
  private readonly byPointer = new Map<string, string>();
  private readonly constants = new Map<string, { property: string; value: string }>();
  private readonly open = new Set<string>();

  constructor(
    private readonly specification: Specification,
    private readonly names: NameSet,
  ) {}

  /** @param node of the specification; a missing one accepts every value */
  of(node: Schema | boolean | undefined): JsonSchema {
    if (!isObject(node)) return {};
    if (!isReference(node)) return this.convert(node);
    const { value, pointer } = this.specification.resolve<Schema>(node);
    const described = describeArgument((node as Schema).description);
    const schema = this.referred(value, pointer!);
    return described === undefined ? schema : { ...schema, description: described };
  }

  /** How many bytes a schema has with everything that it refers to. */
  sizeOf(schema: JsonSchema): number {
    const found = new Set<string>();
    const queue = [JSON.stringify(schema)];
    for (const text of queue)
      for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
        if (found.has(name!) || !this.definitions.has(name!)) continue;
        found.add(name!);
        queue.push(JSON.stringify(this.definitions.get(name!)));
      }
    return queue.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  }

  /** Objects and alternatives are shared by name; anything else is written where it is used. */
  private referred(value: Schema, pointer: string): JsonSchema {
    const known = this.byPointer.get(pointer);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const merged = mergeAllOf(this.specification, value);
    const isShared = merged.properties !== undefined || alternativesOf(merged).length > 1;
    if (!isShared) {
      if (this.open.has(pointer)) return {};
      this.open.add(pointer);
      const schema = this.convert(value);
      this.open.delete(pointer);
      return schema;
    }
    const name = this.names.take(`${pascalCase(nameOf(pointer, value))}Input`);
    this.byPointer.set(pointer, name);
    const { description: _words, ...schema } = this.convert(value, pointer);
    this.definitions.set(name, schema);
    return { $ref: `#/$defs/${name}` };
  }

  private convert(node: Schema, pointer?: string): JsonSchema {
    const schema = mergeAllOf(this.specification, node);
    const description = describeArgument(schema.description ?? schema.title);
    const form = this.form(schema, pointer);
    const nullable = isNullable(schema) && Object.keys(form).length > 0 ? orNull(form) : form;
    return { ...nullable, ...(description !== undefined && { description }) };
  }

  private form(schema: Schema, pointer: string | undefined): JsonSchema {
    const alternatives = alternativesOf(schema);
    if (alternatives.length > 0) return this.union(schema, alternatives);
    if (schema.const !== undefined && !isObject(schema.const)) return { const: schema.const };
    const values = schema.enum?.filter((value) => value !== null && !isObject(value));
    if (values && values.length > 0 && values.length <= MOST_VALUES)
      return { enum: [...new Set(values)], ...initial(schema) };
    const forms = typesOf(schema).map((type) => this.ofType(type, schema, pointer));
    return forms.length === 0 ? {} : forms.length === 1 ? forms[0]! : { anyOf: forms };
  }

  private union(schema: Schema, alternatives: Schema[]): JsonSchema {
    if (alternatives.length > MOST_ALTERNATIVES) return openForm(schema);
    const { oneOf: _one, anyOf: _any, discriminator: _which, description: _words, ...base } = schema;
    const isBare = base.properties === undefined && typesOf(base).length === 0;
    const forms = alternatives.map((each) => {
      const { value, pointer } = this.specification.resolve<Schema>(each);
      const discriminated = pointer === undefined ? undefined : discriminatorValue(schema, pointer);
      if (discriminated !== undefined && pointer !== undefined)
        this.constants.set(pointer, { property: schema.discriminator!.propertyName!, value: discriminated });
      // A base with a mapping and no list of its own is in its heirs already.
      if (isBare || (!schema.oneOf && !schema.anyOf)) return this.of(each);
      return this.convert(combine(mergeAllOf(this.specification, value), base));
    });
    const different = [...new Map(forms.map((form) => [JSON.stringify(form), form])).values()];
    if (different.some((form) => Object.keys(form).length === 0)) return {};
    return different.length === 1 ? different[0]! : { anyOf: different };
  }

  private ofType(type: string, schema: Schema, pointer: string | undefined): JsonSchema {
    if (type === 'object') return this.object(schema, pointer);
    if (type === 'array')
      return { type: 'array', items: this.part(schema.items), ...limits(schema, ['minItems', 'maxItems']) };
    if (type === 'string') return text(schema);
    if (type === 'boolean') return { type, ...initial(schema) };
    if (type !== 'integer' && type !== 'number')
      return type === 'file' ? { type: 'string', contentEncoding: 'base64' } : {};
    const isWhole = type === 'integer' || /^u?int/.test(schema.format ?? '');
    return {
      type: isWhole ? 'integer' : 'number',
      ...limits(schema, ['minimum', 'maximum', 'multipleOf']),
      ...exclusive(schema),
      ...initial(schema),
    };
  }

  private object(schema: Schema, pointer: string | undefined): JsonSchema {
    const constant = pointer === undefined ? undefined : this.constants.get(pointer);
    const properties: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (name === '__proto__' || this.isReadOnly(property)) continue;
      properties[name] =
        constant?.property === name ? { const: constant.value } : this.property(name, property);
    }
    if (constant && !(constant.property in properties))
      properties[constant.property] = { const: constant.value };
    const { additionalProperties: more } = schema;
    if (Object.keys(properties).length === 0) {
      if (!isObject(more) || Object.keys(more).length === 0)
        return { type: 'object', additionalProperties: true };
      return { type: 'object', additionalProperties: this.part(more) };
    }
    const required = (schema.required ?? []).filter((name) => name in properties);
    if (constant && !required.includes(constant.property)) required.push(constant.property);
    return {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    };
  }

  private property(name: string, node: Schema | boolean): JsonSchema {
    const schema = this.part(node);
    return markSecret(name, schema);
  }

  /** A part of an object or a list. Of one that is too long only what is required is said. */
  private part(node: Schema | boolean | undefined): JsonSchema {
    const schema = this.of(node);
    if (this.sizeOf(schema) <= LONGEST_PART) return schema;
    const { description } = schema;
    const isList = schema.type === 'array';
    const short = isList
      ? { ...schema, items: this.shortened(schema.items ?? {}, 0) }
      : this.shortened(schema, 0);
    return { ...short, ...(description !== undefined && { description }) };
  }

  /** An open object with the members that it must have. */
  private shortened(schema: JsonSchema, depth: number): JsonSchema {
    const whole =
      this.definitions.get(schema.$ref?.replace('#/$defs/', '') ?? '') ?? schema.anyOf?.[0] ?? schema;
    if (this.sizeOf(schema) < SHORT_PART && depth > 0) return schema;
    if (whole.$ref !== undefined && depth < 4) return this.shortened(whole, depth);
    if (whole.type === 'array') return { ...whole, items: this.shortened(whole.items ?? {}, depth + 1) };
    const { properties = {}, required = [] } = whole;
    if (required.length === 0 || depth > 3 || schema.anyOf) return OPEN;
    const needed = required.map((name) => [name, this.shortened(properties[name] ?? {}, depth + 1)] as const);
    return { type: 'object', properties: Object.fromEntries(needed), required, additionalProperties: true };
  }

  private isReadOnly(property: Schema | boolean): boolean {
    if (typeof property !== 'object') return false;
    return property.readOnly === true || this.specification.resolve<Schema>(property).value.readOnly === true;
  }
}

const OPEN: JsonSchema = { type: 'object', additionalProperties: true };

/** Marks a text whose name says that it is a secret. */
export function markSecret(name: string, schema: JsonSchema): JsonSchema {
  return isSecret(name, schema) ? { ...schema, writeOnly: true } : schema;
}

export const isSecret = (name: string, schema: JsonSchema) =>
  schema.type === 'string' && SECRET.test(wordsOf(name).join('_'));

/** The last name of a pointer that says something: `#/paths/…/schema` has none, so the title is taken. */
function nameOf(pointer: string, { title }: Schema): string {
  const last = decodeURIComponent(
    pointer
      .split('/')
      .at(-1)!
      .replaceAll('~1', ' ')
      .replace(/%(?![\da-f]{2})/gi, ''),
  );
  return /^(?:schema|items|\d+)$/.test(last) ? (title ?? 'Part') : last;
}

function openForm(schema: Schema): JsonSchema {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object') ? OPEN : {};
}

function orNull(form: JsonSchema): JsonSchema {
  if (typeof form.type === 'string' && form.enum === undefined && form.properties === undefined)
    return { ...form, type: [form.type, 'null'] };
  return { anyOf: [...(form.anyOf ?? [form]), { type: 'null' }] };
}

function text(schema: Schema): JsonSchema {
  const { format, pattern } = schema;
  if (format === 'binary') return { type: 'string', contentEncoding: 'base64' };
  const isSecret = format === 'password' || schema.writeOnly === true;
  return {
    type: 'string',
    ...limits(schema, ['minLength', 'maxLength']),
    ...(format !== undefined && formats.has(format) && { format }),
    ...(pattern !== undefined && isUsable(pattern) && { pattern }),
    ...(isSecret ? { writeOnly: true } : initial(schema)),
  };
}

/** A pattern that a server can check in time that grows evenly. Others are dropped: the API checks the value, too. */
function isUsable(pattern: string): boolean {
  if (pattern.length > 120 || /[\n\r]|\*\//.test(pattern)) return false;
  try {
    new RegExp(pattern, 'u');
    return findPatternProblems({ type: 'string', pattern }).length === 0;
  } catch {
    return false;
  }
}

function limits(schema: Schema, names: readonly Bound[]): JsonSchema {
  const known = names.filter((name) => typeof schema[name] === 'number' && Number.isFinite(schema[name]));
  return Object.fromEntries(known.map((name) => [name, schema[name]]));
}

/** Version 3.0 has `exclusiveMinimum: true` beside `minimum`. */
function exclusive(schema: Schema): JsonSchema {
  const found: JsonSchema = {};
  for (const [name, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const value = schema[name] === true ? schema[bound] : schema[name];
    if (typeof value === 'number') found[name] = value;
  }
  return found;
}

/** A default that fits; documents have others. */
function initial(schema: Schema): JsonSchema {
  const { default: value } = schema;
  if (value === undefined || value === null || isObject(value)) return {};
  if (schema.enum) return schema.enum.includes(value) ? { default: value } : {};
  const types = typesOf(schema);
  const type = typeof value === 'number' && Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
  return types.some((each) => type.includes(each)) ? { default: value } : {};
}
