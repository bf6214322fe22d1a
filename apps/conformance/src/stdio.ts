import { serveStdio } from '@toolwright/stdio';
import { createConformanceServer } from './conformance-server.js';

async function main(): Promise<void> {
  await serveStdio(await createConformanceServer());
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
