import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/** Something that is wrong in a file, and where. */
export interface Finding {
  readonly message: string;
  readonly offset: number;
}

/** A JSON file that knows the place of each of its values. Comments and trailing commas are allowed, as hosts allow them. */
export class JsonSource {
  readonly value: unknown;
  readonly root: Node | undefined;
  readonly #text: string;

  /** @param findings gets what is wrong with the text: syntax, and keys that are there twice */
  constructor(text: string, findings: Finding[]) {
    this.#text = text;
    const errors: ParseError[] = [];
    this.root = parseTree(text, errors, { allowTrailingComma: true });
    for (const { error, offset } of errors.slice(0, 1))
      findings.push({ message: `This is no JSON: ${inWords(printParseErrorCode(error))}.`, offset });
    this.value = this.root && valueOf(this.root, findings);
  }

  /** Where the key of a value begins, of equal keys the last one. An unknown path is where its last known part is. */
  offsetOf(path: readonly string[]): number {
    return this.#follow(path).offset;
  }

  /**
   * A number or a truth value in place of a text, as the file has it: `8080` and `1.10` keep their digits.
   *
   * @returns `undefined` for any other value
   */
  literalOf(path: readonly string[]): string | undefined {
    const { node } = this.#follow(path);
    if (node?.type !== 'number' && node?.type !== 'boolean') return undefined;
    return this.#text.slice(node.offset, node.offset + node.length);
  }

  /** The line and the column of a place, from 1. */
  at(offset: number): { line: number; column: number } {
    const before = this.#text.slice(0, offset).split('\n');
    return { line: before.length, column: before.at(-1)!.length + 1 };
  }

  #follow(path: readonly string[]): { node: Node | undefined; offset: number } {
    let node = this.root;
    let offset = node?.offset ?? 0;
    for (const key of path) {
      const property = node?.children?.filter(({ children }) => children?.[0]?.value === key).at(-1);
      node = property?.children?.[1] ?? node?.children?.[Number(key)];
      if (!node) break;
      offset = property?.offset ?? node.offset;
    }
    return { node, offset };
  }
}

/** `CommaExpected` is two words. */
const inWords = (code: string) => code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

/** The library sets a member `__proto__`, and takes the last of two equal keys. */
function valueOf(node: Node, findings: Finding[]): unknown {
  const { type, children = [], value } = node;
  if (type === 'array') return children.map((each) => valueOf(each, findings));
  if (type !== 'object') return value as unknown;
  const seen = new Set<string>();
  const entries = children.map(({ children: [key, member] = [], offset }) => {
    const name = String(key?.value);
    if (seen.has(name)) findings.push({ message: `"${name}" is there twice.`, offset });
    seen.add(name);
    return [name, member && valueOf(member, findings)] as const;
  });
  return Object.fromEntries(entries);
}
