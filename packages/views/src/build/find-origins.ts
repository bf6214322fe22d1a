import type { Plugin } from 'vite';

type List = 'connectDomains' | 'resourceDomains' | 'frameDomains';

/** A node of the syntax tree, as far as this file reads it. */
interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** What makes a connection out of an address. */
const connecting = /^(?:fetch|WebSocket|EventSource|sendBeacon|open|WebTransport)$/;
/** Members and attributes that load what they name. */
const loading = /^(?:src|srcSet|srcset|poster|data|backgroundImage|background|imagesrcset)$/;
const address = /^((?:https?|wss?):\/\/[^/?#\s'"`$]+)/;

const ofLibraries = /[\\/]node_modules[\\/]|[\\/]dist[\\/]browser[\\/]|^\0|\.css(?:$|\?)/;

/**
 * Finds the origins that the files of a view connect to and load from, for the Content Security Policy of the page. It reads
 * addresses that are written in the source. The author lists what is only known at run time.
 */
export class SourceOrigins {
  readonly #found: Record<List, Set<string>> = {
    connectDomains: new Set(),
    resourceDomains: new Set(),
    frameDomains: new Set(),
  };

  get csp(): Record<string, readonly string[]> | undefined {
    const lists = Object.entries(this.#found).filter(([, origins]) => origins.size > 0);
    return lists.length > 0
      ? Object.fromEntries(lists.map(([list, origins]) => [list, [...origins].sort()]))
      : undefined;
  }

  /**
   * Reads the files of the project, after TypeScript and JSX were compiled. Libraries are left out: they load nothing by
   * themselves.
   */
  plugin(): Plugin {
    const add = (program: unknown) => this.#read(program as Node);
    return {
      name: 'toolwright:origins',
      enforce: 'post',
      transform: {
        // Files of libraries are large, and do not even leave the bundler.
        filter: { id: { exclude: ofLibraries }, code: '://' },
        handler(code, id) {
          // A Vite before 6.3 reads no filter.
          if (!ofLibraries.test(id) && code.includes('://')) add(this.parse(code));
        },
      },
    };
  }

  /** Styles load images and fonts. */
  addStyles(text: string): void {
    for (const [, url] of text.matchAll(/(?:url\(\s*['"]?|@import\s+['"])((?:https?):\/\/[^/?#\s'")]+)/gi))
      this.#found.resourceDomains.add(url!);
  }

  #read(program: Node): void {
    const constants = new Map<string, string>();
    walk(program, (node) => {
      const { id, init } = node as { id?: Node; init?: Node };
      const text = node.type === 'VariableDeclarator' && init ? textOf(init, constants) : undefined;
      if (text !== undefined && id?.type === 'Identifier') constants.set(id['name'] as string, text);
    });
    const add = (list: List, value: unknown) => {
      const [, origin] = address.exec(textOf(value as Node, constants) ?? '') ?? [];
      if (origin) this.#found[list].add(origin);
    };
    walk(program, (node) => {
      if (node.type === 'CallExpression' || node.type === 'NewExpression') {
        const [first, second] = (node['arguments'] ?? []) as Node[];
        const name = nameOf(node['callee'] as Node);
        if (connecting.test(name)) add('connectDomains', first);
        // The first argument of `XMLHttpRequest.open` is the HTTP method.
        if (name === 'open') add('connectDomains', second);
        if (/^(?:_?jsxs?|jsxDEV|createElement|h)$/.test(name) && second?.type === 'ObjectExpression')
          this.#readAttributes(first, second, add);
      } else if (node.type === 'AssignmentExpression') {
        const { left, right } = node as unknown as { left: Node; right: Node };
        if (left.type === 'MemberExpression' && loading.test(nameOf(left))) add('resourceDomains', right);
      } else if (node.type === 'ImportExpression') add('resourceDomains', node['source']);
    });
  }

  #readAttributes(
    element: Node | undefined,
    attributes: Node,
    add: (list: List, value: unknown) => void,
  ): void {
    const tag = element && textOf(element, new Map());
    for (const { key, value } of attributes['properties'] as { key?: Node; value?: unknown }[]) {
      const name = key ? nameOf(key) : '';
      if (loading.test(name)) add(tag === 'iframe' ? 'frameDomains' : 'resourceDomains', value);
      if (name === 'href' && tag === 'link') add('resourceDomains', value);
    }
  }
}

/** The name that is called, or the last one of `window.fetch`. */
function nameOf(node: Node | undefined): string {
  if (node?.type === 'MemberExpression') return nameOf(node['property'] as Node);
  return String(node?.['name'] ?? node?.['value'] ?? '');
}

/** The beginning of a text, as far as it is written: a literal, a template, a sum, a constant. */
function textOf(node: Node | undefined, constants: ReadonlyMap<string, string>): string | undefined {
  switch (node?.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? node['value'] : undefined;
    case 'Identifier':
      return constants.get(node['name'] as string);
    case 'TemplateLiteral': {
      const [first] = node['quasis'] as { value: { cooked: string } }[];
      const [inserted] = node['expressions'] as Node[];
      return first?.value.cooked || (inserted && textOf(inserted, constants));
    }
    case 'BinaryExpression':
      return textOf(node['left'] as Node, constants);
    case 'NewExpression':
      return nameOf(node['callee'] as Node) === 'URL'
        ? urlText(node['arguments'] as Node[], constants)
        : undefined;
    default:
      return undefined;
  }
}

function urlText(parts: readonly Node[], constants: ReadonlyMap<string, string>): string | undefined {
  const [first, base] = parts.map((part) => textOf(part, constants));
  return first !== undefined && address.test(first) ? first : base;
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) return node.forEach((each) => walk(each, visit));
  if (typeof node !== 'object' || node === null) return;
  if (typeof (node as Node).type === 'string') visit(node as Node);
  for (const value of Object.values(node)) if (typeof value === 'object') walk(value, visit);
}
