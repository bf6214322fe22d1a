import { homedir } from 'node:os';
import { join } from 'node:path';
import { createMcpServer } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';
import { GRAPH_FILE, GraphFile } from './graph-file.js';
import { MemoryTools } from './memory-tools.js';

const path = process.env['MEMORY_FILE_PATH'] || join(homedir(), '.mcp-memory.jsonl');

void createMcpServer({
  name: 'memory',
  version: '1.0.0',
  services: [MemoryTools],
  providers: [GraphFile, { provide: GRAPH_FILE, useValue: path }],
}).then((server) => serveStdio(server));
