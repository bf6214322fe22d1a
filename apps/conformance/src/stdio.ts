import { join } from 'node:path';
import { serveStdio } from '@toolwright/stdio';
import { createConformanceServer } from './conformance-server.js';

async function main(): Promise<void> {
  const server = await createConformanceServer({
    skills: join(__dirname, '../skills'),
    ...(process.env['PROGRAMS'] && { codeMode: { list: 'all' } }),
  });
  await serveStdio(server);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
