import { join } from 'node:path';
import { serveStdio } from '@toolwright/stdio';
import { createConformanceServer } from './conformance-server.js';

async function main(): Promise<void> {
  await serveStdio(await createConformanceServer({ skills: join(__dirname, '../skills') }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
