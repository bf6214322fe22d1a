/** Longest URI that is matched. */
const MAX_URI = 8192;

type Part = { literal: string } | { name: string; allowed: RegExp };

const SEGMENT = /[^/?#]/;
const ANYTHING = /[^]/;
/** What an operator puts before its first variable and between them, and what values may hold (RFC 6570, 2.2). */
const operators: Readonly<
  Record<string, { first: string; separator: string; allowed: RegExp; named?: boolean }>
> = {
  '': { first: '', separator: ',', allowed: SEGMENT },
  '+': { first: '', separator: ',', allowed: ANYTHING },
  '#': { first: '#', separator: ',', allowed: ANYTHING },
  '.': { first: '.', separator: '.', allowed: /[^/?#.]/ },
  '/': { first: '/', separator: '/', allowed: SEGMENT },
  ';': { first: ';', separator: ';', allowed: /[^/?#;]/, named: true },
};
const EXPRESSION = /^([+#./;?&]?)([A-Za-z0-9_.%]+(?::\d+|\*)?(?:,[A-Za-z0-9_.%]+(?::\d+|\*)?)*)$/;

/**
 * Matches URIs against an RFC 6570 template and gives the variables' values, decoded. Takes time linear in the length
 * of the URI, which no backtracking pattern promises: part by part, it notes which positions can be reached at all.
 */
export class UriTemplate {
  readonly #parts: Part[] = [];
  /** Variables of a query at the end: in any order, each optional. */
  readonly #query: string[] = [];

  /** @throws {TypeError} when the template is malformed */
  constructor(readonly template: string) {
    for (const [index, piece] of template.split(/\{([^{}]*)\}/).entries()) {
      if (index % 2 === 1) this.#addExpression(piece);
      else this.#addLiteral(piece);
    }
  }

  get variables(): string[] {
    return [...this.#parts.flatMap((part) => ('name' in part ? [part.name] : [])), ...this.#query];
  }

  match(uri: string): Record<string, string> | undefined {
    if (uri.length > MAX_URI) return undefined;
    const queryAt = this.#query.length > 0 ? uri.indexOf('?') : -1;
    const path = queryAt < 0 ? uri : uri.slice(0, queryAt);
    const values = this.#matchPath(path);
    try {
      const decoded = values?.map(([name, value]): [string, string] => [name, decodeURIComponent(value)]);
      if (!decoded) return undefined;
      const query = queryAt < 0 ? [] : [...new URLSearchParams(uri.slice(queryAt + 1))];
      return Object.fromEntries([...decoded, ...query.filter(([name]) => this.#query.includes(name))]);
    } catch {
      return undefined; // broken percent-encoding
    }
  }

  #matchPath(uri: string): [string, string][] | undefined {
    /** By part and end: where the part started, or -1. */
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
    this.#parts.push({ literal });
  }

  #addExpression(expression: string): void {
    const [, operator = '', list] = EXPRESSION.exec(expression) ?? [];
    if (list === undefined) throw new TypeError(`"{${expression}}" is not an RFC 6570 expression.`);
    const names = list.split(',').map((variable) => variable.replace(/\*$|:\d+$/, ''));
    if (operator === '?' || operator === '&') {
      this.#query.push(...names);
      return;
    }
    const { first, separator, allowed, named } = operators[operator]!;
    for (const [index, name] of names.entries()) {
      const before = (index === 0 ? first : separator) + (named ? `${name}=` : '');
      if (before) this.#parts.push({ literal: before });
      this.#parts.push({ name, allowed: list.split(',')[index]!.endsWith('*') ? ANYTHING : allowed });
    }
  }
}

function stepLiteral(literal: string, uri: string, reached: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(uri.length + 1).fill(-1);
  for (let at = 0; at + literal.length <= uri.length; at++) {
    if (reached[at] !== -1 && uri.startsWith(literal, at)) next[at + literal.length] = at;
  }
  return next;
}

/** A value is at least one character long; of several possible starts the last is taken, so that `a.b.json` is `a.b` and `json`. */
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
