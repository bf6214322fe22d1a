import { isObject, type ModelCall } from '@toolwright/json';

/** Around the text of a value that a program computes, such as `‹order.id›`. */
const [OPEN, CLOSE] = ['‹', '›'] as const;

/** Strings, comments, names, numbers, and single characters of anything else. */
const TOKEN =
  /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[^]*?\*\/|[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*|\s+|[^]/gu;

/**
 * The calls of tools that are written in a program: `tools.find({ id: 1 })`, `tools['find-it'](…)`, and `find(…)` after
 * `const { find } = tools`. A call in a loop is there once. The program does not run, so a value that it computes is the text of
 * the computation, in angle quotes.
 */
export function callsInProgram(code: string): ModelCall[] {
  const tokens = (code.match(TOKEN) ?? []).filter((token) => !/^(?:\s|\/\/|\/\*)/.test(token));
  const taken = destructured(tokens);
  const calls: ModelCall[] = [];
  for (let at = 0; at < tokens.length; at++) {
    // What is inside of a template is code, too.
    if (tokens[at]!.startsWith('`'))
      for (const [, inner] of tokens[at]!.matchAll(/\$\{([^}]*)\}/g)) calls.push(...callsInProgram(inner!));
    const called = calledAt(tokens, at, taken);
    if (!called) continue;
    const value = new Values(tokens, called.next).read();
    calls.push({ tool: called.tool, arguments: isObject(value) ? value : {} });
  }
  return calls;
}

/** Whether a program computes one of these values, so that nobody knows it before it runs. */
export function hasComputed(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(OPEN) && value.endsWith(CLOSE);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasComputed);
}

interface Called {
  readonly tool: string;
  /** The token after the parenthesis. */
  readonly next: number;
}

function calledAt(
  tokens: readonly string[],
  at: number,
  taken: ReadonlyMap<string, string>,
): Called | undefined {
  const [first, dot, name, third, fourth] = tokens.slice(at, at + 5);
  if (tokens[at - 1] === '.') return undefined;
  if (first === 'tools' && dot === '.' && third === '(') return { tool: name!, next: at + 4 };
  if (first === 'tools' && dot === '[' && third === ']' && fourth === '(' && isText(name!))
    return { tool: textOf(name!), next: at + 5 };
  const tool = taken.get(first!);
  return tool !== undefined && dot === '(' ? { tool, next: at + 2 } : undefined;
}

/** The names in `{ find, order: other } = tools`, with the tools that they are. */
function destructured(tokens: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (let at = 2; at < tokens.length; at++) {
    if (tokens[at] !== 'tools' || tokens[at - 1] !== '=' || tokens[at - 2] !== '}') continue;
    const open = tokens.lastIndexOf('{', at - 2);
    for (const part of tokens
      .slice(open + 1, at - 2)
      .join(' ')
      .split(',')) {
      const [tool = '', name = tool] = part.split(':').map((each) => each.trim());
      if (tool !== '') names.set(name, isText(tool) ? textOf(tool) : tool);
    }
  }
  return names;
}

/** Reads values as they are written in a program. */
class Values {
  constructor(
    private readonly tokens: readonly string[],
    private at: number,
  ) {}

  /** A value, up to the comma or the bracket after it. */
  read(): unknown {
    const began = this.at;
    const value = this.#literal();
    // Anything behind it makes it a part of a computation.
    if (value !== undefined && /^[,)\]}]$/.test(this.tokens[this.at] ?? ')')) return value;
    this.at = began;
    return this.#computed();
  }

  #literal(): unknown {
    const token = this.tokens[this.at] ?? '';
    if (token === '{') return this.#object();
    if (token === '[') return this.#list();
    this.at++;
    if (isText(token)) return textOf(token);
    if (token === '-' && /^\d/.test(this.tokens[this.at] ?? '')) return -Number(this.tokens[this.at++]);
    if (/^\d/.test(token)) return Number(token.replaceAll('_', ''));
    return words.get(token);
  }

  #object(): Record<string, unknown> | undefined {
    const members: [string, unknown][] = [];
    this.at++;
    while (this.at < this.tokens.length && this.tokens[this.at] !== '}') {
      const key = this.tokens[this.at++]!;
      if (this.tokens[this.at] === ':') {
        this.at++;
        members.push([isText(key) ? textOf(key) : key, this.read()]);
      } else if (/^[,}]$/.test(this.tokens[this.at] ?? '')) members.push([key, `${OPEN}${key}${CLOSE}`]);
      // A spread, or a computed name: nobody knows the object.
      else return undefined;
      if (this.tokens[this.at] === ',') this.at++;
    }
    this.at++;
    return Object.fromEntries(members);
  }

  #list(): unknown[] {
    const items: unknown[] = [];
    this.at++;
    while (this.at < this.tokens.length && this.tokens[this.at] !== ']') {
      items.push(this.read());
      if (this.tokens[this.at] === ',') this.at++;
    }
    this.at++;
    return items;
  }

  #computed(): string {
    const began = this.at;
    for (let depth = 0; this.at < this.tokens.length; this.at++) {
      const token = this.tokens[this.at]!;
      if (depth === 0 && /^[,)\]}]$/.test(token)) break;
      if (/^[([{]$/.test(token)) depth++;
      if (/^[)\]}]$/.test(token)) depth--;
    }
    return `${OPEN}${this.tokens.slice(began, this.at).join('')}${CLOSE}`;
  }
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** A text without parts that are computed. */
const isText = (token: string): boolean =>
  /^["']/.test(token) || (token.startsWith('`') && !token.includes('${'));

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};

function textOf(token: string): string {
  return token
    .slice(1, -1)
    .replace(
      /\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|([^]))/gi,
      (_, long, short, byte, one: string) => {
        const code = (long ?? short ?? byte) as string | undefined;
        if (code !== undefined) return String.fromCodePoint(parseInt(code, 16));
        return escapes[one] ?? (one === '\n' ? '' : one);
      },
    );
}
