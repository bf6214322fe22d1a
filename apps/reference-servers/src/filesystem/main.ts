import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createMcpServer } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';
import { ALLOWANCE, AllowedFolders, isFolder } from './allowed-folders.js';
import { ListingTools } from './listing-tools.js';
import { ReadingTools } from './reading-tools.js';
import { WritingTools } from './writing-tools.js';

const { values, positionals } = parseArgs({
  options: { 'no-hidden': { type: 'boolean', default: false } },
  allowPositionals: true,
});

const given = positionals.map((path) => resolve(path.replace(/^~(?=\/|$)/, homedir())));
const folders = given.filter(isFolder);
for (const path of given)
  if (!folders.includes(path)) console.error(`${path} is not a folder that I can read.`);
if (given.length > 0 && folders.length === 0) process.exit(1);

void createMcpServer({
  name: 'filesystem',
  version: '1.0.0',
  services: [ReadingTools, WritingTools, ListingTools],
  providers: [AllowedFolders, { provide: ALLOWANCE, useValue: { folders, hidden: !values['no-hidden'] } }],
}).then((server) => serveStdio(server));
