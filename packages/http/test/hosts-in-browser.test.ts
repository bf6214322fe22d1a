import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type { setUpHost } from '../src/hosts.js';

const dist = join(__dirname, '../dist');

/** Loads a module of the package into a world that has what browsers have, and no modules of Node. */
function loadInBrowser(file: string, world = createContext({ URL, btoa })): Record<string, unknown> {
  const module = { exports: {} };
  const load = (name: string) => {
    if (!name.startsWith('./')) throw new Error(`${file} needs ${name}, which no browser has.`);
    return loadInBrowser(name, world);
  };
  runInContext(`(function (module, exports, require) {${readFileSync(join(dist, file), 'utf8')}\n})`, world)(
    module,
    module.exports,
    load,
  );
  return module.exports;
}

test('the table of hosts works without Node and without other packages', () => {
  const { setUpHost: setUp } = loadInBrowser('hosts.bundle.js') as { setUpHost: typeof setUpHost };
  expect(setUp('cursor', { name: 'notes', url: 'https://notes.example.com/mcp' }).link).toMatch(/^cursor:/);
});
