import type { ProjectLayout } from '@toolwright/codemod';
import { dirname, join, relative, sep } from 'node:path';
import { type FileChange } from '../changes/file-change.js';
import { currentText, readJsonFile } from '@toolwright/operate/terminal';

/** A source file that contains `createMcpServer`. */
export interface ServerFile {
  path: string;
  text: string;
}

export function findServers({ files }: ProjectLayout): ServerFile[] {
  return files
    .filter((path) => !/\.(test|spec)\.[cm]?tsx?$/.test(path))
    .map((path) => ({ path, text: currentText(path) ?? '' }))
    .filter(({ text }) => /\bcreateMcpServer\s*\(/.test(text));
}

/** The folder that contains all sources. */
export function sourceFolder({ root, files }: ProjectLayout): string {
  return files.length > 0 && files.every((file) => file.startsWith(join(root, 'src') + sep))
    ? join(root, 'src')
    : root;
}

/** A note for a package that a new file needs, and that package.json does not have. */
export function missingPackage(root: string, name: string, user: 'server' | 'test' = 'server'): string[] {
  const { text = '' } = readJsonFile(join(root, 'package.json')) ?? {};
  const option = user === 'test' ? '--save-dev ' : '';
  return text.includes(`"${name}"`) ? [] : [`The ${user} needs ${name}: npm install ${option}${name}`];
}

interface Place {
  /** The folder of the file of the class. */
  target: string;
  importEnding: string;
  edits: typeof import('@toolwright/codemod');
}

/** Plans how a class gets into the services of the server. What is better done by a person is in the notes. */
export function planRegistration(
  { className, module }: { className: string; module: string },
  servers: readonly ServerFile[],
  { target, importEnding, edits }: Place,
): { changes: FileChange[]; notes: string[] } {
  const importFor = (path: string) => {
    const from = relative(dirname(path), join(target, module)).split(sep).join('/');
    return { name: className, from: `${from.startsWith('.') ? from : `./${from}`}${importEnding}` };
  };
  const [server] = servers;
  const byHand = `add ${className} to the "services" of createMcpServer.`;
  if (!server) return { changes: [], notes: [`No createMcpServer was found in this project: ${byHand}`] };
  if (servers.length > 1)
    return { changes: [], notes: [`This project makes more than one server: ${byHand}`] };
  const done = edits.registerService(server.text, importFor(server.path));
  if (done === 'discovered') return { changes: [], notes: [] };
  if (typeof done === 'object') {
    return { changes: [{ path: server.path, before: server.text, after: done.text }], notes: [] };
  }
  const { from } = importFor(server.path);
  const lines = [`import { ${className} } from '${from}';`, `services: [ …, ${className}]`];
  return {
    changes: [],
    notes: [
      `${server.path} lists its services in a way that is better changed by you. Add:\n  ${lines.join('\n  ')}`,
    ],
  };
}
