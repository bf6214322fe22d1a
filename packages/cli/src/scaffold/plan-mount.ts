import { pascalCase } from '@toolwright/json';
import { dirname, join } from 'node:path';
import { currentText, usageError } from '@toolwright/operate/terminal';
import type { PlannedPiece } from './plan-piece.js';
import { missingPackage } from './plan-registration.js';

interface MountRequest {
  /** The name as typed. */
  readonly name: string;
  /** The URL of a server, or the words of the command that starts it. */
  readonly server: readonly string[];
  /** Absolute path of the tsconfig. */
  readonly project: string;
  /** Absolute path of the folder of the file. Default: beside the file that makes the server. */
  readonly folder: string | undefined;
}

/**
 * Plans a file with the call that mounts a server.
 *
 * @throws {CommandError} if the name cannot be one, or the file exists
 */
export async function planMount({ name, server, project, folder }: MountRequest): Promise<PlannedPiece> {
  const { projectLayout } = await import('@toolwright/codemod');
  const words = name.replaceAll('_', '-').toLowerCase();
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(words) || words.length > 40)
    throw usageError(`${name} is no name of a mount: use small letters, digits and hyphens, such as github.`);
  const { files } = projectLayout(project);
  const main = files.find((file) => /\bcreateMcpServer\s*\(/.test(currentText(file) ?? ''));
  const path = join(folder ?? dirname(main ?? join(dirname(project), 'src/main.ts')), `mount-${words}.ts`);
  if (currentText(path) !== undefined) throw usageError(`${path} already exists.`);
  return {
    changes: [{ path, before: undefined, after: textOf(words, server) }],
    notes: [
      `Mount it where the server is made: await ${functionName(words)}(server), from './mount-${words}.js'.`,
      ...missingPackage(dirname(project), '@toolwright/mount'),
    ],
  };
}

const functionName = (name: string) => `mount${pascalCase(name)}`;

function textOf(name: string, [first = '', ...rest]: readonly string[]): string {
  const text = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`;
  const isUrl = /^https?:\/\//.test(first);
  const where = isUrl
    ? [`url: ${text(first)},`]
    : [`command: ${text(first)},`, `args: [${rest.map(text).join(', ')}],`];
  return `import type { McpServer } from '@toolwright/core';
import { type MountedServer, mountServer } from '@toolwright/mount';

/** Mounts ${name}. What it changes later is held back until \`toolwright lock --app\` or the console accepts it. */
export function ${functionName(name)}(server: McpServer): Promise<MountedServer> {
  return mountServer(server, ${text(name)}, {
    ${where.join('\n    ')}
    prefix: ${text(`${name.replaceAll('-', '_')}_`)},
    lock: 'mcp.lock.json',
  });
}
`;
}
