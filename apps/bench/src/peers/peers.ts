import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder } from '../folders.js';

/** A server of the comparison, and what a user installs for it. */
export interface Peer {
  /** Of the contestant. */
  contestant: string;
  /** The names of packages of npm. */
  installs: readonly string[];
  /** The folders of our packages. */
  ours?: readonly string[];
}

const nest = ['@nestjs/common', '@nestjs/core', '@nestjs/microservices', '@nestjs/platform-express'];
const sdk = [
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/node',
  '@modelcontextprotocol/express',
  'express',
  'zod',
];

/** What each asks for in its own guide, for a server over HTTP. */
export const peers: readonly Peer[] = [
  { contestant: 'express-json', installs: ['express'] },
  { contestant: 'toolwright-http', installs: [], ours: ['manifest', 'core', 'http'] },
  { contestant: 'toolwright-express', installs: ['express'], ours: ['manifest', 'core', 'http', 'express'] },
  { contestant: 'sdk-v2', installs: sdk },
  { contestant: 'sdk-v2-kept-schemas', installs: sdk },
  { contestant: 'fastmcp', installs: ['fastmcp', 'zod'] },
  { contestant: 'xmcp', installs: ['xmcp', 'zod'] },
  { contestant: 'mcp-use', installs: ['mcp-use', 'zod'] },
  { contestant: 'mcp-nest', installs: ['@rekog/mcp-nest', ...nest, 'reflect-metadata', 'rxjs', 'zod'] },
];

/** Where the packages are that are too large for the workspace. They have a lockfile of their own. */
export const peersFolder = join(appFolder, 'peers');

/** The versions of packages that a lockfile of this app pins. */
export const pinned: Readonly<Record<string, string>> = Object.assign(
  {},
  ...[appFolder, peersFolder].map(
    (folder) =>
      (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { dependencies: object })
        .dependencies,
  ),
);
