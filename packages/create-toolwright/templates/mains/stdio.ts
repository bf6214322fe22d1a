import './compile-cache.js';
import './guard-stdout.js';
import { join } from 'node:path';
import { failStart } from '@toolwright/core';
import { serveStdio } from '@toolwright/stdio';
import { createServer } from './create-server.js';

async function main(): Promise<void> {
  // A host may start the process in any folder, so the path must not depend on it.
  await serveStdio(await createServer(process.env['DATA'] ?? join(import.meta.dirname, '../.data')));
}

main().catch(failStart);
