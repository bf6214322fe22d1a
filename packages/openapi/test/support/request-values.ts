import type { IncomingMessage } from 'node:http';
import type { MediaType, Parameter, Schema } from '../../src/read/openapi-document';
import type { Specification } from '../../src/read/specification';

export function typesIn(specification: Specification, schema: Schema): string[] {
  const own = [schema.type ?? []].flat();
  if (own.length > 0) return own;
  const parts = [...(schema.allOf ?? []), ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])];
  const nested = parts.flatMap((each) => typesIn(specification, specification.resolve<Schema>(each).value));
  return nested.length > 0 ? nested : schema.properties ? ['object'] : schema.items ? ['array'] : [];
}

/** The text, the list of texts, or the object of texts that a parameter was sent as. */
export function rawValue(
  { name = '', in: place, style, explode, content }: Parameter,
  types: readonly string[],
  { request, url, values }: { request: IncomingMessage; url: URL; values: Record<string, string> },
): unknown {
  const [isList, isObject] = [
    types.includes('array') && !content,
    types.includes('object') && !content && !types.includes('string'),
  ];
  if (place === 'path')
    return fromPath(values[name], {
      name,
      style: style ?? 'simple',
      explode: explode ?? false,
      isList,
      isObject,
    });
  if (place === 'header') {
    const text = request.headers[name.toLowerCase()] as string | undefined;
    return text === undefined
      ? undefined
      : isList
        ? text.split(',')
        : isObject
          ? pairsOf(text.split(','), explode ?? false)
          : text;
  }
  const query =
    place === 'cookie'
      ? new URLSearchParams((request.headers.cookie ?? '').replaceAll('; ', '&'))
      : url.searchParams;
  if (style === 'deepObject' && (isObject || isList)) return deepValue(name, query);
  const isExploded = explode ?? (style === undefined || style === 'form');
  if (isObject && isExploded) {
    const all = Object.fromEntries(query);
    return Object.keys(all).length > 0 ? all : undefined;
  }
  const all = query.getAll(name);
  if (all.length === 0) return undefined;
  if (isList && isExploded) return all;
  const separator = style === 'pipeDelimited' ? '|' : style === 'spaceDelimited' ? ' ' : ',';
  if (isList) return all[0]!.split(separator);
  return isObject ? pairsOf(all[0]!.split(separator), false) : all[0];
}

function fromPath(
  text: string | undefined,
  {
    name,
    style,
    explode,
    isList,
    isObject,
  }: { name: string; style: string; explode: boolean; isList: boolean; isObject: boolean },
): unknown {
  if (text === undefined) return undefined;
  const decode = (part: string) => decodeURIComponent(part);
  if (style === 'label') {
    const parts = text
      .slice(1)
      .split(explode ? '.' : ',')
      .map(decode);
    return isList ? parts : isObject ? pairsOf(parts, explode) : decode(text.slice(1));
  }
  if (style === 'matrix') {
    const parts = text.slice(1).split(explode ? ';' : /(?!)/);
    const strip = (part: string) => (part.startsWith(`${name}=`) ? part.slice(name.length + 1) : part);
    if (isObject && explode) return pairsOf(parts.map(decode), true);
    const bare = parts.map(strip);
    return isList
      ? (explode ? bare : bare[0]!.split(',')).map(decode)
      : isObject
        ? pairsOf(bare[0]!.split(',').map(decode), false)
        : decode(bare[0]!);
  }
  if (isList) return text.split(',').map(decode);
  return isObject ? pairsOf(text.split(',').map(decode), explode) : decode(text);
}

function pairsOf(parts: readonly string[], isExploded: boolean): Record<string, string> {
  if (isExploded)
    return Object.fromEntries(
      parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
    );
  return Object.fromEntries(
    parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1]!]] : [])),
  );
}

/** `a[b][c]=1`, as `qs` and its like read it. */
function deepValue(name: string, query: URLSearchParams): unknown {
  let found: Record<string, unknown> | undefined;
  for (const [key, value] of query) {
    if (!key.startsWith(`${name}[`)) continue;
    const steps = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map(([, step]) => step!);
    found ??= {};
    let at: Record<string, unknown> = found;
    steps.forEach((step, index) => {
      const key = step === '' ? String(Object.keys(at).length) : step;
      if (index === steps.length - 1) at[key] = value;
      else at = (at[key] ??= {}) as Record<string, unknown>;
    });
  }
  return found && listsIn(found);
}

function listsIn(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const keys = Object.keys(value);
  const members = Object.values(value).map(listsIn);
  return keys.length > 0 && keys.every((key, index) => key === String(index))
    ? members
    : Object.fromEntries(keys.map((key, index) => [key, members[index]]));
}

export function formValue(
  specification: Specification,
  { encoding = {} }: MediaType,
  schema: Schema,
  text: string,
): unknown {
  const query = new URLSearchParams(text);
  const whole = merged(specification, schema);
  const value: Record<string, unknown> = {};
  // What the schema does not describe is there all the same.
  for (const [name, text] of query) if (!name.includes('[') && !whole.properties?.[name]) value[name] = text;
  for (const [name, node] of Object.entries(whole.properties ?? {})) {
    const property = specification.resolve<Schema>(node as Schema).value;
    const types = typesIn(specification, property);
    const { style, explode } = encoding[name] ?? {};
    const isObject = types.includes('object');
    const isJson =
      (isObject && style === undefined) ||
      (types.includes('array') &&
        typesIn(specification, specification.resolve<Schema>(property.items as Schema).value).includes(
          'object',
        ) &&
        style === undefined);
    if (isJson) {
      const json = query.get(name);
      if (json !== null) value[name] = looseJson(json);
      continue;
    }
    const raw = rawValue(
      { name, in: 'query', ...(style && { style }), ...(explode !== undefined && { explode }) },
      types,
      {
        request: undefined as never,
        url: { searchParams: query } as URL,
        values: {},
      },
    );
    if (raw !== undefined) value[name] = coerce(specification, raw, property);
  }
  return value;
}

const looseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

function merged(specification: Specification, schema: Schema): Schema {
  const parts = (schema.allOf ?? []).map((each) =>
    merged(specification, specification.resolve<Schema>(each).value),
  );
  return {
    ...schema,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
  };
}

/** Texts become the numbers, booleans and lists that the schema asks for. */
export function coerce(specification: Specification, value: unknown, schema: Schema, depth = 0): unknown {
  const whole = specification.resolve<Schema>(schema).value;
  if (depth > 8) return value;
  if (Array.isArray(value))
    return value.map((each) => coerce(specification, each, (whole.items ?? {}) as Schema, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const { properties = {}, additionalProperties: more } = merged(specification, whole);
    const other = typeof more === 'object' ? more : {};
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        coerce(specification, each, (properties[name] ?? other) as Schema, depth + 1),
      ]),
    );
  }
  if (typeof value !== 'string' || whole.enum?.includes(value)) return value;
  const types = typesIn(specification, whole);
  if (types.includes('string') || types.length === 0) {
    const isOther = types.length !== 1 || (whole.enum && !whole.enum.map(String).includes(value));
    return isOther ? looseScalar(value) : value;
  }
  if (types.includes('integer') || types.includes('number'))
    return value !== '' && !Number.isNaN(Number(value)) ? Number(value) : looseScalar(value);
  if (types.includes('boolean')) return value === 'true' ? true : value === 'false' ? false : value;
  return types.includes('object') || types.includes('array') ? looseJson(value) : value;
}

const looseScalar = (text: string) =>
  /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(text) ? (JSON.parse(text) as unknown) : text;
