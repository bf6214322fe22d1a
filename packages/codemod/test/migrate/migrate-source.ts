import { resolve } from 'node:path';
import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { TemporaryProject } from '../../../schema-compiler/test/temporary-project.js';
import type { Migration } from '../../src/index.js';
import { migrateProject } from '../../src/migrate/migrate-project.js';

export interface Migrated {
  /** The new text of `src/notes.ts`, or of another file. */
  text(file?: string): string;
  /** `src/notes.ts:3:1: tool "a": Why. What to do.` */
  notes: string[];
  counts: Migration['counts'];
}

/** Migrates `src/notes.ts` and other files. Packages are not installed, unless `installed` names them. */
export function migrate(
  source: string,
  more: Record<string, string> = {},
  installed: readonly string[] = [],
  options: object = {},
): Migrated {
  const project = new TemporaryProject({ 'src/notes.ts': source, ...more }, { lib: ['es2022'], ...options });
  try {
    for (const name of installed) {
      const link = join(project.root, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve(__dirname, '../../../schema-compiler/node_modules', name), link);
    }
    const { files, notes, counts } = migrateProject(project.project);
    const named = (path: string) => relative(project.root, path).replaceAll('\\', '/');
    return {
      text: (file = 'src/notes.ts') => files.find(({ path }) => named(path) === file)?.after ?? '(unchanged)',
      notes: notes.map(
        ({ file, line, column, subject, reason, advice }) =>
          `${named(file)}:${line}:${column}: ${subject}: ${reason} ${advice}`,
      ),
      counts,
    };
  } finally {
    project.remove();
  }
}

/** A server whose only tool has this input and this handler. */
export function serverWith(input: string, handler = '() => ({ content: [] })', before = ''): string {
  return `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
${before}
export function register(server: McpServer) {
  server.registerTool('try_it', { description: 'Try it.', inputSchema: ${input} }, ${handler});
}
`;
}

/** The class of a migrated file, with the types that belong to it. */
export function classOf(text: string): string {
  const start = /^(interface|type|@McpService)/m.exec(text)?.index ?? 0;
  const end = text.indexOf('\n}\n', text.indexOf('export class')) + 3;
  return text.slice(start, end);
}
