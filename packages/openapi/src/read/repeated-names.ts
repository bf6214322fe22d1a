import { pointerToken } from '@toolwright/json';
import { SpecificationError } from './specification-error.js';

/** Strings, and the characters that make the form of a JSON text. A string without an end is the rest of the text. */
const TOKEN = /"[^"\\]*(?:\\[^]?[^"\\]*)*(?:"|$)|[{}[\],:]/g;

/** An object with its names so far, or a list; and the member that is read now. */
interface Open {
  readonly names: Set<string> | undefined;
  step: string | number;
}

/**
 * Refuses a JSON text in which an object names a member twice. `JSON.parse` keeps the last one, so an operation would be gone
 * without a word. The reader of YAML refuses such a text itself.
 *
 * @throws {SpecificationError} with the place
 */
export function requireNamesOnce(path: string, text: string): void {
  if (/\.ya?ml$/i.test(path) || !/^\ufeff?\s*\{/.test(text)) return;
  const open: Open[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ names: new Set(), step: '' });
    else if (token === '[') open.push({ names: undefined, step: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (inner && !inner.names) inner.step = Number(inner.step) + 1;
    } else if (token !== ':') last = token;
    else if (inner?.names) {
      const name = nameIn(last);
      if (inner.names.has(name)) throw repeated(path, name, open);
      inner.names.add(name);
      inner.step = name;
    }
  }
}

/** Text that is not JSON has an error of its own. */
function nameIn(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch {
    return token;
  }
}

function repeated(path: string, name: string, open: readonly Open[]): SpecificationError {
  const steps = open.slice(0, -1).map(({ step }) => pointerToken(String(step)));
  const place = ['#', ...steps].join('/');
  return new SpecificationError(`${path}: ${place} has ${JSON.stringify(name)} twice. Repair it.`);
}
