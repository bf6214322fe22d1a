import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppOptions } from './app-options.js';
import { describePackage } from './describe-package.js';
import { hostEntry } from './host-entry.js';

const templates = join(__dirname, '../templates');

/** The placeholder for the app's name in templates. */
const placeholder = /my-server/g;

/** The files of an app: text by path, with forward slashes. */
export function appFiles(name: string, options: AppOptions): Map<string, string> {
  const { transport, auth, db } = options;
  const main = auth === 'jwt' ? `${transport}-jwt` : transport;
  const files = new Map<string, string>();
  for (const part of ['base', transport === 'stdio' ? 'stdio' : 'http', ...(auth === 'jwt' ? ['jwt'] : [])])
    addPart(files, part);
  files.set('src/main.ts', read('mains', `${main}.ts`));
  files.set('src/note-store.ts', read('stores', `${db}.ts`));
  for (const [path, text] of files) files.set(path, text.replace(placeholder, name));
  files.set('package.json', json(describePackage(name, options)));
  files.set('.vscode/mcp.json', json({ servers: { [name]: hostEntry(transport) } }));
  files.set('.mcp.json', json({ mcpServers: { [`${name}-dev`]: devEntry } }));
  return files;
}

/** Lets a coding agent see what \`toolwright dev\` sees. */
const devEntry = { command: 'npx', args: ['toolwright', 'dev', '--mcp'] };

/** Adds the files of a part. If a file already exists, the new text is added at its end. */
function addPart(files: Map<string, string>, part: string): void {
  for (const path of filesBelow(part)) {
    const name = path.replace(/^gitignore$/, '.gitignore');
    const before = files.get(name);
    files.set(name, before === undefined ? read(part, path) : `${before}\n${read(part, path)}`);
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(templates, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(templates, folder).length + 1))
    .map((path) => path.replaceAll('\\', '/'));
}

const read = (...path: string[]) => readFileSync(join(templates, ...path), 'utf8');
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
