import type { Schema } from '../read/openapi-document.js';
import { isHidden } from '../read/shape-values.js';
import { isObject, isReference, type Specification } from '../read/specification.js';
import { exclusive, limits } from './bounds.js';
import type { DetailLimits } from './detail.js';
import {
  alternativesOf,
  combine,
  type Discriminated,
  discriminatedBy,
  discriminatedMember,
  isObjectMap,
  isNullable,
  type JsonSchema,
  mergeAllOf,
  neededOf,
  othersOf,
  typesOf,
  withSiblings,
  wrappedReference,
} from './schema-facts.js';
import { isRounded, isWhole, longArgument, mayBeLong, withoutDigits } from './long-integers.js';
import { commonForm, openForm, orNull, withOpenMembers } from './open-forms.js';
import { isFile } from './media-types.js';
import { markSecret } from './secret-names.js';
import { SHOWN_VALUES, ShortParts } from './short-parts.js';
import { describeArgument } from './text.js';
import { tupleForm } from './tuples.js';
import { usablePattern } from './usable-pattern.js';
import { formats, initial, isClosed, valuesOf } from './values.js';
import { distinct, type NameSet, pascalName } from '@toolwright/json';
import { typeNameOf } from './words.js';

const MOST_ALTERNATIVES = 8;

/** The schemas of arguments: what a caller may send, without what only the API may write. */
export class InputSchemas {
  /** Shared parts by name. The schemas refer to them as `#/$defs/<name>`. */
  readonly definitions = new Map<string, JsonSchema>();
  /** Patterns that no server can check. */
  readonly lostPatterns = new Set<string>();
  private readonly byPointer = new Map<string, string>();
  private readonly open = new Set<string>();
  private readonly inside = new Set<Schema>();
  /** The unions that are written now, with no object and no list between them: none is an alternative of another. */
  private unions = new Set<string>();

  constructor(
    private readonly specification: Specification,
    private readonly names: NameSet,
    private readonly limits: Pick<DetailLimits, 'argument' | 'part'>,
  ) {}

  /** @param given of the specification; a missing one accepts every value */
  of(given: Schema | boolean | undefined): JsonSchema {
    if (!isObject(given)) return {};
    const node = withSiblings(given);
    if (!isReference(node)) {
      const wrapped = wrappedReference(node);
      const named = wrapped && this.of(wrapped);
      if (named?.$ref !== undefined) return this.noted(node, named);
      return this.once(given, () => this.convert(node));
    }
    const { value, pointer } = this.specification.resolve<Schema>(node);
    const described = describeArgument((node as Schema).description, this.limits.argument);
    const schema = this.referred(value, pointer!);
    return described === undefined ? schema : { ...schema, description: described };
  }

  /** A reference with what its wrapper says about it. */
  private noted(node: Schema, found: JsonSchema): JsonSchema {
    const words = describeArgument(node.description ?? node.title, this.limits.argument);
    const form = node.nullable === true ? orNull(found) : found;
    return { ...form, ...(words !== undefined && { description: words }) };
  }

  /** A schema without a name cannot refer to itself. Where it contains itself, the inner one is published in a shorter form. */
  private once(node: Schema, convert: () => JsonSchema): JsonSchema {
    if (this.inside.has(node)) return openForm(node);
    this.inside.add(node);
    const found = convert();
    this.inside.delete(node);
    return found;
  }

  /** Objects and alternatives are shared by name; anything else is written where it is used. */
  private referred(value: Schema, pointer: string, which?: Discriminated): JsonSchema {
    const key = which === undefined ? pointer : JSON.stringify([pointer, which]);
    const known = this.byPointer.get(key);
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
    const name = this.names.take(`${pascalName(nameOf(pointer, value))}Input`);
    this.byPointer.set(key, name);
    this.unions.add(pointer);
    const { description: _words, ...schema } = this.convert(value, { which });
    this.unions.delete(pointer);
    this.definitions.set(name, schema);
    return { $ref: `#/$defs/${name}` };
  }

  /** @param shared present for what has a name, and which of some alternatives it is */
  private convert(node: Schema, shared?: { which: Discriminated | undefined }): JsonSchema {
    const schema = mergeAllOf(this.specification, node);
    const words = describeArgument(schema.description ?? schema.title, this.limits.argument);
    const form = this.form(schema, shared?.which);
    const needed = shared ? undefined : neededOf(schema);
    const description = [words, schema.prefixItems && form.description, needed].filter(Boolean).join(' ');
    const nullable = isNullable(schema) ? orNull(form) : form;
    return { ...nullable, ...(description !== '' && { description }) };
  }

  private form(schema: Schema, which: Discriminated | undefined): JsonSchema {
    const alternatives = alternativesOf(schema);
    if (alternatives.length > 0) return this.union(schema, alternatives);
    const { const: only } = schema;
    if (only !== undefined && !isObject(only) && !isRounded(only) && !isHidden(only)) return { const: only };
    const values = valuesOf(schema);
    if (isClosed(schema, values)) return { enum: values, ...initial(schema) };
    const shown = values.length > 0 && { examples: values.slice(0, SHOWN_VALUES) };
    if (schema.type === 'null') return { type: 'null' };
    const forms = typesOf(schema).map((type) => ({ ...this.ofType(type, schema, which), ...shown }));
    return forms.length === 0 ? {} : forms.length === 1 ? forms[0]! : { anyOf: forms };
  }

  private union(schema: Schema, alternatives: Schema[]): JsonSchema {
    if (alternatives.length > MOST_ALTERNATIVES) return this.common(schema, alternatives);
    const { oneOf: _one, anyOf: _any, discriminator: _which, description: _words, ...base } = schema;
    const isBare = base.properties === undefined && typesOf(base).length === 0;
    const forms = alternatives.flatMap((each): JsonSchema[] => {
      const { value, pointer } = this.specification.resolve<Schema>(each);
      // "A is A or a text" says no more than "A is a text", and no type can be written so.
      if (pointer !== undefined && this.unions.has(pointer))
        return isSelf(value, schema) ? [this.form(base, undefined)] : [];
      // A base with a mapping and no list of its own is in its heirs already.
      if (isBare || (!schema.oneOf && !schema.anyOf)) return [this.alternative(each, schema)];
      return [this.convert(combine(mergeAllOf(this.specification, value), base))];
    });
    const different = distinct(forms);
    if (different.length === 0 || different.some((form) => Object.keys(form).length === 0)) return {};
    if (different.length === 1) return different[0]!;
    return {
      anyOf: different.some(({ type }) => type === 'string') ? different.map(withoutDigits) : different,
    };
  }

  /** One schema may stand in several unions, which have different words for it. So it is shared for each word. */
  private alternative(node: Schema, union: Schema): JsonSchema {
    const { value, pointer } = this.specification.resolve<Schema>(node);
    const which = pointer === undefined ? undefined : discriminatedBy(union, pointer);
    return which && isReference(node) ? this.referred(value, pointer!, which) : this.of(node);
  }

  /** An open object with what all of many alternatives require: usually the member that says which of them it is. */
  private common(schema: Schema, alternatives: Schema[]): JsonSchema {
    const all = alternatives.map((each) =>
      mergeAllOf(this.specification, this.specification.resolve<Schema>(each).value),
    );
    const types = typesOf(schema);
    const isObjects = types.includes('object') || all.every((each) => typesOf(each).includes('object'));
    if (!isObjects) return types.length === 0 ? {} : openForm(schema);
    const members = all.map(({ required = [], properties = {} }): JsonSchema => {
      const names = [...new Set([...required, ...(schema.required ?? [])])];
      const known = names.map(
        (name) => [name, this.part(properties[name] ?? schema.properties?.[name])] as const,
      );
      return { required: names, properties: Object.fromEntries(known) };
    });
    return commonForm(members);
  }

  private ofType(type: string, schema: Schema, which: Discriminated | undefined): JsonSchema {
    if (type === 'object') return this.object(schema, which);
    if (type === 'array') return this.list(schema);
    if (type === 'string') return this.text(schema);
    if (type === 'boolean') return { type, ...initial(schema) };
    if (type !== 'integer' && type !== 'number')
      return type === 'file' ? { type: 'string', contentEncoding: 'base64' } : {};
    const whole = isWhole(type, schema);
    // Where a text is accepted anyway, it may be one of digits.
    // Every integer is a multiple of 1, and no pattern says that digits are a multiple of another one.
    const steps = whole && schema.multipleOf === 1 ? {} : limits(schema, ['multipleOf']);
    const isLong =
      whole && mayBeLong(schema) && steps['multipleOf'] === undefined && !typesOf(schema).includes('string');
    return {
      ...(isLong ? longArgument() : { type: whole ? 'integer' : 'number' }),
      ...limits(schema, ['minimum', 'maximum']),
      ...steps,
      ...exclusive(schema),
      ...initial(schema),
    };
  }

  private list(schema: Schema): JsonSchema {
    const { prefixItems: places = [], items } = schema;
    if (places.length === 0) return withExamples(this.part(items), limits(schema, ['minItems', 'maxItems']));
    return tupleForm(
      schema,
      [...places, ...(isObject(items) ? [items] : [])].map((each) => this.part(each)),
    );
  }

  private text(schema: Schema): JsonSchema {
    const pattern = usablePattern(schema.pattern);
    if (schema.pattern !== undefined && pattern === undefined && !isHidden(schema.pattern))
      this.lostPatterns.add(schema.pattern);
    const { contentEncoding, contentMediaType } = schema;
    // Version 3.0 calls a text of base64 "byte".
    const stated = schema.format ?? (contentEncoding === 'base64' ? 'byte' : undefined);
    const format = stated === 'url' ? 'uri' : stated;
    // Version 3.1 has bytes as a media type without an encoding.
    if (format === 'binary' || (contentEncoding === undefined && isFile(contentMediaType ?? '')))
      return { type: 'string', contentEncoding: 'base64' };
    const isSecret = format === 'password' || schema.writeOnly === true;
    return {
      type: 'string',
      ...limits(schema, ['minLength', 'maxLength']),
      ...(format !== undefined && formats.has(format) && { format }),
      ...(pattern !== undefined && { pattern }),
      ...(isSecret ? { writeOnly: true } : initial(schema)),
    };
  }

  private object(schema: Schema, which: Discriminated | undefined): JsonSchema {
    const properties: Record<string, JsonSchema> = {};
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!isSayable(name) || property === false || this.isReadOnly(property)) continue;
      const member = markSecret(name, withoutDefault(this.part(property)));
      properties[name] = which?.property === name ? discriminatedMember(member, which) : member;
    }
    if (which && !Object.hasOwn(properties, which.property))
      properties[which.property] = discriminatedMember({}, which);
    const more = othersOf(schema);
    // Some documents require what they never describe.
    const isKnown = (name: string) =>
      [schema.properties ?? {}, properties].some((each) => Object.hasOwn(each, name));
    for (const name of more === false ? [] : (schema.required ?? []))
      if (!isKnown(name) && isSayable(name)) properties[name] = {};
    if (Object.keys(properties).length === 0) {
      if (!isObject(more) || Object.keys(more).length === 0)
        return { type: 'object', additionalProperties: true };
      return { type: 'object', additionalProperties: this.part(more) };
    }
    const isOpen = more === true || isObjectMap(schema);
    const required = (schema.required ?? []).filter((name) => Object.hasOwn(properties, name));
    if (which && !required.includes(which.property)) required.push(which.property);
    return {
      // The API checks what else it was given: TypeScript has no type for members beside those with names.
      ...(isOpen ? withOpenMembers(properties) : { type: 'object', properties, additionalProperties: false }),
      ...(required.length > 0 ? { required } : limits(schema, ['minProperties'])),
    };
  }

  /** A part of an object or a list. */
  private part(node: Schema | boolean | undefined): JsonSchema {
    const around = this.unions;
    this.unions = new Set();
    const schema = this.of(node);
    this.unions = around;
    return new ShortParts(this.definitions, this.limits.part).of(schema);
  }

  private isReadOnly(property: Schema | boolean): boolean {
    const isSaid = (schema: Schema) => schema.readOnly === true;
    return isObject(property) && (isSaid(property) || isSaid(this.specification.resolve(property).value));
  }
}

/** Whether an argument can have this name. */
const isSayable = (name: string) => name !== '__proto__' && !isHidden(name);

/** Whether a base is one of its own alternatives: it has the same discriminator, also where its `allOf` was merged. */
const isSelf = ({ discriminator }: Schema, union: Schema) =>
  discriminator !== undefined && discriminator === union.discriminator;

/**
 * A member of a body without its default. The default says what the API takes if the member is missing, so there is no need to
 * send it. In an update it would replace what the caller did not name.
 */
function withoutDefault({ default: initial, ...schema }: JsonSchema): JsonSchema {
  if (initial === undefined) return schema;
  const words = `Default: ${typeof initial === 'string' ? initial : JSON.stringify(initial)}.`;
  const isShort = words.length <= LONGEST_DEFAULT;
  return {
    ...schema,
    ...(isShort && { description: [schema.description, words].filter(Boolean).join(' ') }),
  };
}

const LONGEST_DEFAULT = 40;

/** The last name of a pointer that says something: `#/paths/…/schema` has none, so the title is taken. */
function nameOf(pointer: string, { title }: Schema): string {
  const last = typeNameOf(pointer);
  return /^(?:schema|items|\d+)$/.test(last) ? (title ?? 'Part') : last;
}

/** A list. Examples of its items are examples of the list: types have no place for the former. */
function withExamples({ examples, ...items }: JsonSchema, more: JsonSchema): JsonSchema {
  return {
    type: 'array',
    items,
    ...more,
    ...(Array.isArray(examples) && { examples: [examples.slice(0, 1)] }),
  };
}
