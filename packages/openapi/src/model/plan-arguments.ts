import { LONGEST_NAME, wordsOf } from '@toolwright/json';
import type { MediaType, OrReference, Parameter, RequestBody, Schema } from '../read/openapi-document.js';
import { isReference, type Specification } from '../read/specification.js';
import type { InputSchemas } from './input-schemas.js';
import type { DetailLimits } from './detail.js';
import type { PlannedArgument, PlannedBody, PlannedOperation, ParameterStyle } from './planned-operation.js';
import { alternativesOf, behind, type JsonSchema, mergeAllOf, neededOf, typesOf } from './schema-facts.js';
import { formStyles, listFormatOf } from './list-formats.js';
import { isRounded } from './long-integers.js';
import { concreteType, isFile, isForm, isJson, isMultipart, isText, sentType } from './media-types.js';
import { placesOf } from './path-places.js';
import { markSecret } from './secret-names.js';
import { describeArgument } from './text.js';

/**
 * Headers that belong to the client: OpenAPI says that parameters of the first three are ignored. The others are about the
 * connection and the form of the body, and `fetch` refuses most of them.
 */
const OF_THE_CLIENT = new Set(
  (
    'accept content-type authorization connection content-encoding content-length expect host keep-alive ' +
    'proxy-authorization proxy-connection te trailer transfer-encoding upgrade accept-encoding'
  ).split(' '),
);

/** Parameters that change how an answer is written. The client reads it, and wants it as it is. */
const FORM_OF_THE_ANSWER = /^(?:opt_)?pretty(?:_?print)?$|^jsonp$|^\$\.xgafv$/i;

/** Alternatives of alternatives that are looked at. */
const MOST_NESTED = 3;

export interface PlannedInput {
  readonly arguments: PlannedArgument[];
  readonly constants: PlannedOperation['constants'];
  readonly body: PlannedBody | undefined;
  /** Which of the arguments of the body are needed, where no schema can say it. */
  readonly needs: string | undefined;
}

/** Makes the arguments of a tool from the parameters and the body of an operation. */
export class ArgumentPlanner {
  constructor(
    private readonly specification: Specification,
    private readonly schemas: InputSchemas,
    /** Parameters that carry credentials, as `in name`: the client sends them. */
    private readonly credentials: ReadonlySet<string>,
    private readonly limits: Pick<DetailLimits, 'argument' | 'sharedArgument'>,
    /** Parameters that many operations have, as `in name`. */
    private readonly shared: ReadonlySet<string>,
  ) {}

  plan(
    path: string,
    parameters: readonly Parameter[],
    requestBody: OrReference<RequestBody> | undefined,
  ): PlannedInput {
    const taken = new Set<string>();
    const constants: { in: string; name: string; value: string }[] = [];
    const planned: PlannedArgument[] = [];
    for (const parameter of withMissing(path, parameters)) {
      if (this.isOfTheClient(parameter)) continue;
      const constant = this.constantOf(parameter);
      if (constant !== undefined)
        constants.push({ in: parameter.in!, name: parameter.name!, value: constant });
      else planned.push(this.argument(parameter, taken));
    }
    const body = this.body(requestBody, taken);
    return {
      arguments: planned,
      constants,
      body,
      needs: body?.isFlat ? this.needs(requestBody!) : undefined,
    };
  }

  private isOfTheClient({ name = '', in: place, required }: Parameter): boolean {
    if (place === 'query' && !required && FORM_OF_THE_ANSWER.test(name)) return true;
    if (this.credentials.has(`${place} ${name.toLowerCase()}`)) return true;
    return place === 'header' && OF_THE_CLIENT.has(name.toLowerCase());
  }

  /** A required parameter with one possible value, and the header with the version of the API. */
  private constantOf(parameter: Parameter): string | undefined {
    const schema = this.specification.resolve<Schema>(parameter.schema).value;
    const [value, ...others] = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
    const isOnly = parameter.required === true && value !== undefined && others.length === 0;
    const isVersion = parameter.in === 'header' && /version$/i.test(parameter.name!);
    const fixed = isOnly ? value : isVersion ? (schema.default ?? parameter.example) : undefined;
    // A number in the place of a text may be written otherwise: 1.0 is read as 1.
    const isNumber = typeof fixed === 'number' && !isRounded(fixed) && !typesOf(schema).includes('string');
    const isKnown = typeof fixed === 'string' || isNumber;
    return isKnown ? String(fixed) : undefined;
  }

  private argument(parameter: Parameter, taken: Set<string>): PlannedArgument {
    const [[type, media] = ['', undefined]] = Object.entries(parameter.content ?? {});
    const node = parameter.schema ?? media?.schema;
    const found = this.schemas.of(node as Schema | undefined);
    const isShared = parameter.required !== true && this.shared.has(keyOf(parameter));
    const words = describeArgument(
      parameter.description,
      isShared ? this.limits.sharedArgument : this.limits.argument,
    );
    const { description: ofSchema, ...rest } = found;
    // Half a sentence about what many tools have is not worth its tokens.
    const described = isShared && words?.endsWith('…') ? undefined : (words ?? ofSchema);
    const schema = markSecret(
      parameter.name!,
      described === undefined ? rest : { ...rest, description: described },
    );
    const place = parameter.in!;
    return {
      name: freeName(parameter.name!, place, taken),
      apiName: parameter.name!,
      in: place,
      // Text in a parameter is as it is. JSON would be in quotes.
      style: !parameter.content ? this.styleOf(parameter) : isJson(type) ? 'json' : 'form',
      isReserved: place === 'query' && parameter.allowReserved === true && !parameter.content,
      required: place === 'path' || parameter.required === true,
      schema: place === 'path' || (parameter.required && schema.type === 'array') ? notEmpty(schema) : schema,
    };
  }

  private styleOf({ in: place, style, explode, schema: node }: Parameter): ParameterStyle {
    const types = this.typesIn(node as Schema | undefined);
    const isComposed = types.includes('array') || types.includes('object');
    if (style === 'deepObject') return isComposed ? style : 'form';
    if (style === 'spaceDelimited' || style === 'pipeDelimited')
      return isComposed && explode !== true ? style : 'form';
    if (style === 'label') return explode ? 'labelExploded' : 'label';
    if (style === 'matrix') return explode ? 'matrixExploded' : 'matrix';
    const isForm = place === 'query' || place === 'cookie';
    if (isForm) return explode === false && isComposed ? 'commaSeparated' : 'form';
    return explode === true && types.includes('object') ? 'exploded' : 'simple';
  }

  /** The types of a schema and of its alternatives: Stripe takes a time, or an object with its bounds. */
  private typesIn(node: OrReference<Schema> | undefined, depth = 0): string[] {
    const schema = mergeAllOf(this.specification, this.specification.resolve<Schema>(node).value);
    const own = typesOf(schema);
    if (own.length > 0 || depth > MOST_NESTED) return own;
    return alternativesOf(schema).flatMap((each) => this.typesIn(each, depth + 1));
  }

  private needs(node: OrReference<RequestBody>): string | undefined {
    const { content = {} } = this.specification.resolve<RequestBody>(node).value;
    const { value } = this.specification.resolve<Schema>(preferred(content)?.[1].schema);
    return neededOf(mergeAllOf(this.specification, value));
  }

  private body(node: OrReference<RequestBody> | undefined, taken: Set<string>): PlannedBody | undefined {
    if (node === undefined) return undefined;
    const { value } = this.specification.resolve<RequestBody>(node);
    const [contentType, media] = preferred(value.content ?? {}) ?? [];
    if (contentType === undefined) return undefined;
    const kind = this.isPlainText(contentType, media!) ? 'text' : kindOf(contentType);
    const schema = this.bodySchema(media!, kind);
    const whole = behind(schema, this.schemas.definitions);
    const properties = Object.keys(whole.properties ?? {});
    const hasFreeNames = properties.every(
      (name) => /^[A-Za-z_]\w*$/.test(name) && name.length <= LONGEST_NAME && !taken.has(name),
    );
    // That one of several members is needed cannot be said of arguments that stand beside others.
    const needsAny = Number(whole['minProperties'] ?? 0) > 0;
    const required = value.required === true;
    // Of a body that may be missing, members are needed only if there is one. Members of any name stand beside no argument.
    const isOnlyWhole = needsAny || (!required && whole.required !== undefined) || isOpen(whole);
    const isFlat =
      !isOnlyWhole &&
      (kind === 'json' || kind === 'form' || kind === 'multipart') &&
      properties.length > 0 &&
      hasFreeNames;
    const described = isFlat ? undefined : describeArgument(value.description, this.limits.argument);
    return {
      kind,
      contentType: sentType(contentType, kind),
      required,
      isFlat,
      name: freeName('body', 'body', taken),
      schema: described === undefined ? schema : { ...schema, description: described },
      styles: this.stylesOf(media!, kind),
      parts: kind === 'multipart' ? partTypes(media!) : {},
    };
  }

  /** A type that is not a file, such as `application/graphql`, whose schema says that it is a text. */
  private isPlainText(contentType: string, { schema: node }: MediaType): boolean {
    const { type, format, contentEncoding } = this.specification.resolve<Schema>(node).value;
    const isText =
      type === 'string' && format !== 'binary' && format !== 'byte' && contentEncoding === undefined;
    return isText && kindOf(contentType) === 'binary' && !isFile(contentType);
  }

  private bodySchema({ schema }: MediaType, kind: PlannedBody['kind']): JsonSchema {
    if (kind === 'text') return { type: 'string' };
    if (kind === 'binary') return { type: 'string', contentEncoding: 'base64' };
    const found = this.schemas.of(schema);
    return kind === 'form' ? withFilledLists(behind(found, this.schemas.definitions)) : found;
  }

  /**
   * Forms write lists and objects as query parameters do, unless `encoding` says otherwise. Parts of a multipart body do so
   * since version 3.1, where `encoding` says it.
   */
  private stylesOf(
    { schema, encoding = {} }: MediaType,
    kind: PlannedBody['kind'],
  ): Record<string, ParameterStyle> {
    const isForm = kind === 'form';
    if (!isForm && kind !== 'multipart') return {};
    const hasStyles = isForm || !/^3\.0/.test(String(this.specification.document.openapi));
    const whole = mergeAllOf(this.specification, this.specification.resolve<Schema>(schema).value);
    const styles: Record<string, ParameterStyle> = {};
    for (const [name, property] of Object.entries(whole.properties ?? {})) {
      const { style, explode, contentType } = (hasStyles && encoding[name]) || {};
      const own = formStyles[listFormatOf(property) ?? ''];
      if (own !== undefined) styles[name] = own;
      else if (contentType !== undefined && isJson(contentType)) styles[name] = 'json';
      else if (style === 'deepObject' || style === 'spaceDelimited' || style === 'pipeDelimited')
        styles[name] = style;
      else if (explode === false) styles[name] = 'commaSeparated';
    }
    // A part of JSON has its type among the parts, and an object has no other form there.
    const isUsual = (style: ParameterStyle) =>
      style === 'form' || (!isForm && (style === 'json' || style === 'deepObject'));
    return Object.fromEntries(Object.entries(styles).filter(([, style]) => !isUsual(style)));
  }
}

/** The types of the parts of a multipart body, where the specification says one that can be sent. */
function partTypes({ encoding = {} }: MediaType): Record<string, string> {
  const stated = Object.entries(encoding).map(([name, { contentType = '' }]) => [
    name,
    concreteType(contentType),
  ]);
  return Object.fromEntries(stated.filter(([, type]) => type !== undefined)) as Record<string, string>;
}

const isOpen = ({ additionalProperties: more }: JsonSchema) => more !== false && more !== undefined;

/** An empty part of a path leads to another operation, and an empty list is not sent at all. */
function notEmpty(schema: JsonSchema): JsonSchema {
  if (schema.type === 'string') return { ...schema, minLength: schema['minLength'] || 1 };
  return schema.type === 'array' ? { ...schema, minItems: schema['minItems'] || 1 } : schema;
}

/** A form has no way to say that a list is empty. */
function withFilledLists(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [] } = schema;
  const lists = required.filter((name) => properties[name]?.type === 'array');
  if (lists.length === 0) return schema;
  return {
    ...schema,
    properties: {
      ...properties,
      ...Object.fromEntries(lists.map((name) => [name, notEmpty(properties[name]!)])),
    },
  };
}

/** Path parameters that the operation forgets to declare. */
function withMissing(path: string, parameters: readonly Parameter[]): Parameter[] {
  const usable = parameters.filter(
    ({ name, in: place }) =>
      typeof name === 'string' && ['path', 'query', 'header', 'cookie'].includes(place ?? ''),
  );
  const hasOwn = (name: string) => usable.some((each) => each.in === 'path' && each.name === name);
  const inPath = placesOf(path).map(({ written, name }) => (hasOwn(written) ? written : name));
  const missing = [...new Set(inPath)].filter((name) => !hasOwn(name));
  return [
    ...missing.map((name): Parameter => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...usable.filter(({ in: place, name }) => place !== 'path' || inPath.includes(name!)),
  ];
}

/** A name that TypeScript and every host accept, and that is free. */
function freeName(apiName: string, place: string, taken: Set<string>): string {
  const words = wordsOf(apiName).join('_') || 'value';
  const wanted = isUsable(apiName) ? apiName : isUsable(words) ? words : `${place}_${words}`;
  let name = wanted.slice(0, LONGEST_NAME);
  for (let ending = `_${place}`; taken.has(name); ending += `_${place}`)
    name = wanted.slice(0, LONGEST_NAME - ending.length) + ending;
  taken.add(name);
  return name;
}

/** Every object has the members of its prototype, such as `constructor`, also where the caller does not give them. */
const isUsable = (name: string) =>
  /^[A-Za-z_]\w*$/.test(name) && !(name in Object.prototype) && !RESERVED.has(name);

/** Words that TypeScript does not accept as the name of a variable, and `ctx`, which is the context of the call. */
const RESERVED = new Set(
  (
    'break case catch class const continue ctx debugger default delete do else enum export extends false finally for ' +
    'function if implements import in instanceof interface let new null package private protected public return static ' +
    'super switch this throw true try typeof undefined var void while with yield await arguments eval'
  ).split(' '),
);

/** JSON before forms, forms before text, text before bytes. */
function preferred(content: Record<string, MediaType>): [string, MediaType] | undefined {
  const order = [isJson, isForm, isMultipart, isText, () => true];
  for (const accepts of order) {
    const found = Object.entries(content).find(([contentType]) => accepts(contentType));
    if (found) return found;
  }
  return undefined;
}

function kindOf(contentType: string): PlannedBody['kind'] {
  if (isJson(contentType)) return 'json';
  if (isForm(contentType)) return 'form';
  if (isMultipart(contentType)) return 'multipart';
  return isText(contentType) ? 'text' : 'binary';
}

/** The parameters of an operation: its own, and those of its path that it does not replace. */
export function parametersOf(
  specification: Specification,
  ofPath: readonly OrReference<Parameter>[] = [],
  own: readonly OrReference<Parameter>[] = [],
): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const each of [...ofPath, ...own]) {
    const { value } = isReference(each) ? specification.resolve<Parameter>(each) : { value: each };
    found.set(`${value.in} ${value.name}`, value);
  }
  return [...found.values()];
}

const keyOf = ({ in: place, name }: Parameter) => `${place} ${name}`;

/** Fewer operations than this share nothing that costs much. */
const MANY_OPERATIONS = 10;

/** The parameters that many operations repeat, as `in name`: a model has read what they mean elsewhere. */
export function sharedParameters(operations: readonly (readonly Parameter[])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const parameters of operations)
    for (const each of parameters) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  const least = Math.max(MANY_OPERATIONS, operations.length / 10);
  return new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
}
