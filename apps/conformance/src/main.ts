import { serveHttp } from '@toolwright/http';
import { createConformanceServer } from './conformance-server.js';

async function main(): Promise<void> {
  const server = await createConformanceServer();
  const { url } = await serveHttp(server, { port: Number(process.env['PORT'] ?? 3901) });
  console.log(`conformance listening on ${url}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
