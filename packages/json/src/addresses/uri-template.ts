/**
 * The longest URI that may be watched. Longer ones are not matched against templates. Each watched URI is kept as
 * long as its stream.
 */
export const MAX_URI = 8_192;

type Part = { literal: string } | { name: string; allowed: RegExp };

/** The values of a match. A variable has a list if it is exploded and a list was asked for. */
export type Variables = Record<string, string | string[]>;

const SEGMENT = /[^/?#]/;
const ANYTHING = /[^]/;
/**
 * The text that an operator puts before its first variable and between variables, and the characters of its
 * values (RFC 6570, 2.2).
 */
const operators: Readonly<Record<string, Operator>> = {
  '': { first: '', separator: ',', allowed: SEGMENT },
  '+': { first: '', separator: ',', allowed: ANYTHING, reserved: true },
  '#': { first: '#', separator: ',', allowed: ANYTHING, reserved: true },
  '.': { first: '.', separator: '.', allowed: /[^/?#.]/ },
  '/': { first: '/', separator: '/', allowed: SEGMENT },
  ';': { first: ';', separator: ';', allowed: /[^/?#;]/, named: true },
  '?': { first: '?', separator: '&', allowed: ANYTHING, named: true },
  '&': { first: '&', separator: '&', allowed: ANYTHING, named: true },
};

interface Operator {
  readonly first: string;
  readonly separator: string;
  readonly allowed: RegExp;
  /** The names of the variables are written before their values. */
  readonly named?: boolean;
  /** Characters with a meaning in URIs stay as they are. */
  readonly reserved?: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const EXPRESSIONS = /\{([^{}]*)\}/g;
/** A variable with its modifier (RFC 6570, 2.3 and 2.4). */
const VARIABLE = String.raw`(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*(?:\*|:[1-9]\d{0,3})?`;
const EXPRESSION = new RegExp(`^([+#./;?&]?)(${VARIABLE}(?:,${VARIABLE})*)$`);

/**
 * Matches URIs against an RFC 6570 template and returns the decoded values of the variables. The time is
 * linear in the length of the URI, which no backtracking pattern guarantees: part by part, it notes which
 * positions can be reached.
 */
export class UriTemplate {
  readonly #parts: Part[] = [];
  /** The variables of a query at the end: in any order, each optional. */
  readonly #query: string[] = [];
  /** The separators between the list items of exploded variables. */
  readonly #exploded = new Map<string, string>();

  /** @throws {TypeError} when the template is malformed */
  constructor(readonly template: string) {
    for (const [index, piece] of template.split(EXPRESSIONS).entries()) {
      if (index % 2 === 1) this.#addExpression(piece);
      else this.#addLiteral(piece);
    }
  }

  get variables(): string[] {
    return [...this.#parts.flatMap((part) => ('name' in part ? [part.name] : [])), ...this.#query];
  }

  /**
   * Puts values into the template: texts, lists and objects of texts (RFC 6570, 3.2). A variable without a value, and an
   * empty list, are left out.
   */
  expand(values: Readonly<Record<string, unknown>>): string {
    const literals = this.template.split(EXPRESSIONS);
    return literals
      .map((piece, index) => (index % 2 === 1 ? expanded(piece, values) : canonicalUri(piece)))
      .join('');
  }

  /**
   * @param lists the exploded variables whose items are wanted one by one; others are returned as they are in
   *   the URI
   * @returns undefined when the template cannot expand to this URI
   */
  match(given: string, lists: ReadonlySet<string> = NONE): Variables | undefined {
    if (given.length > MAX_URI) return undefined;
    const uri = canonicalUri(given);
    const queryAt = this.#query.length > 0 ? uri.indexOf('?') : -1;
    const values = this.#matchPath(queryAt < 0 ? uri : uri.slice(0, queryAt));
    const query = this.#matchQuery(queryAt < 0 ? '' : uri.slice(queryAt + 1), lists);
    if (!values || !query) return undefined;
    try {
      const decoded = values.map(([name, value]) => [name, this.#decode(name, value, lists)] as const);
      return Object.fromEntries([...decoded, ...query]);
    } catch {
      return undefined; // broken percent-encoding
    }
  }

  /** An encoded separator is part of its item. */
  #decode(name: string, value: string, lists: ReadonlySet<string>): string | string[] {
    const separator = this.#exploded.get(name);
    if (separator === undefined || !lists.has(name)) return decodeURIComponent(value);
    return value.split(separator).map(decodeURIComponent);
  }

  /**
   * Escapes and `+` mean what they mean in the path, and not what they mean in a form. Only an exploded variable may be repeated. If
   * another variable had two values, two readers of the URI could choose different ones.
   */
  #matchQuery(query: string, lists: ReadonlySet<string>): Map<string, string | string[]> | undefined {
    const found = new Map<string, string | string[]>();
    if (query === '') return found;
    const given = query.split('&').map((pair) => pair.split(/=(.*)/s, 2));
    for (const name of this.#query) {
      const values = given.flatMap(([key, value = '']) => (decoded(key!) === name ? [decoded(value)] : []));
      if (values.includes(undefined) || (values.length > 1 && !this.#exploded.has(name))) return undefined;
      if (values.length > 0)
        found.set(
          name,
          this.#exploded.has(name) && lists.has(name) ? (values as string[]) : values.join(','),
        );
    }
    return found;
  }

  #matchPath(uri: string): [string, string][] | undefined {
    /** For each part and end: where the part started, or -1. */
    const starts: Int32Array[] = [];
    let reached = new Int32Array(uri.length + 1).fill(-1);
    reached[0] = 0;
    for (const part of this.#parts) {
      reached =
        'literal' in part
          ? stepLiteral(part.literal, uri, reached)
          : stepVariable(part.allowed, uri, reached);
      starts.push(reached);
    }
    if (reached[uri.length] === -1) return undefined;
    const values: [string, string][] = [];
    let end = uri.length;
    for (let index = this.#parts.length - 1; index >= 0; index--) {
      const part = this.#parts[index]!;
      const start = starts[index]![end]!;
      if ('name' in part) values.unshift([part.name, uri.slice(start, end)]);
      end = start;
    }
    return values;
  }

  #addLiteral(literal: string): void {
    if (/[{}]/.test(literal))
      throw new TypeError(`Unbalanced braces in the URI template "${this.template}".`);
    if (literal === '') return;
    if (this.#query.length > 0) throw new TypeError(`A query must end the URI template "${this.template}".`);
    this.#parts.push({ literal: canonicalUri(literal) });
  }

  #addExpression(expression: string): void {
    const [, operator = '', list] = EXPRESSION.exec(expression) ?? [];
    if (list === undefined) throw new TypeError(`"{${expression}}" is not an RFC 6570 expression.`);
    for (const [index, variable] of list.split(',').entries())
      this.#addVariable(variable, operator, index === 0);
  }

  #addVariable(variable: string, operator: string, isFirst: boolean): void {
    const name = variable.replace(/\*$|:\d+$/, '');
    const isExploded = variable.endsWith('*');
    if (operator === '?' || operator === '&') {
      this.#query.push(name);
      if (isExploded) this.#exploded.set(name, '&');
      return;
    }
    const { first, separator, allowed, named } = operators[operator]!;
    const before = (isFirst ? first : separator) + (named ? `${name}=` : '');
    if (before) this.#parts.push({ literal: before });
    if (isExploded) this.#exploded.set(name, separator + (named ? `${name}=` : ''));
    this.#parts.push({ name, allowed: isExploded ? ANYTHING : allowed });
  }
}

/** One expression with its values. */
function expanded(expression: string, values: Readonly<Record<string, unknown>>): string {
  const [, operator = '', list = ''] = EXPRESSION.exec(expression)!;
  const { first, separator, named = false, reserved = false } = operators[operator]!;
  const encode = (value: unknown, length?: number) => {
    const text = length === undefined ? String(value) : [...String(value)].slice(0, length).join('');
    return reserved ? encodeReserved(text) : encodeValue(text);
  };
  /** A query has `name=` for an empty value, and a parameter of a path `name`. */
  const pair = (name: string, text: string) => (text === '' && operator === ';' ? name : `${name}=${text}`);
  const parts = list.split(',').flatMap((variable) => {
    const [, name = '', star, length] = /^(.*?)(?:(\*)|:(\d+))?$/.exec(variable)!;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || value === null) return [];
    const isObject = typeof value === 'object' && !Array.isArray(value);
    const items = isObject
      ? Object.entries(value).map(([key, each]) => [encode(key), encode(each)] as const)
      : [value].flat().map((each) => encode(each, length === undefined ? undefined : Number(length)));
    if (items.length === 0) return [];
    if (star === undefined) return named ? pair(name, items.flat().join(',')) : items.flat().join(',');
    return items.map((each) =>
      typeof each === 'string' ? (named ? pair(name, each) : each) : `${each[0]}=${each[1]}`,
    );
  });
  return parts.length === 0 ? '' : first + parts.join(separator);
}

/** Half a surrogate pair has no encoding. */
const withoutHalves = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd');
const encodeByte = (character: string) =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
/** RFC 6570 leaves fewer characters as they are than `encodeURIComponent` does. */
const encodeValue = (text: string) => encodeURIComponent(withoutHalves(text)).replace(/[!'()*]/g, encodeByte);
/** Escapes that are written stay, and so do brackets, which `encodeURI` escapes. */
const encodeReserved = (text: string) =>
  encodeURI(withoutHalves(text))
    .replace(/%25(?=[0-9A-Fa-f]{2})/g, '%')
    .replace(/%5B/g, '[')
    .replace(/%5D/g, ']');

/**
 * A URI in the spelling that all its spellings share: what no URI may contain, such as `é` or a space, is
 * percent-encoded (RFC 3987, 3.1). Many clients encode URIs before they send them.
 */
export function canonicalUri(uri: string): string {
  if (!MAY_DIFFER.test(uri)) return uri;
  return uri
    .replace(NO_URI_CHARACTER, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase());
}

/** Half a surrogate pair has no encoding. */
const NO_URI_CHARACTER = /(?!\p{Cs})[^!-~]|["<>\\^`{|}]/gu;
const MAY_DIFFER = /[^!-~]|["%<>\\^`{|}]/;

/** Undefined if the percent-encoding is broken. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function stepLiteral(literal: string, uri: string, reached: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(uri.length + 1).fill(-1);
  for (let at = 0; at + literal.length <= uri.length; at++) {
    if (reached[at] !== -1 && uri.startsWith(literal, at)) next[at + literal.length] = at;
  }
  return next;
}

/**
 * A value has at least one character. If several starts are possible, the last one is taken, so that
 * `a.b.json` is `a.b` and `json`.
 */
function stepVariable(allowed: RegExp, uri: string, reached: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(uri.length + 1).fill(-1);
  let start = -1;
  for (let at = 0; at < uri.length; at++) {
    if (reached[at] !== -1) start = at;
    if (!allowed.test(uri[at]!)) start = -1;
    else if (start !== -1) next[at + 1] = start;
  }
  return next;
}
