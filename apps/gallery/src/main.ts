import { serveHttp } from '@toolwright/http';
import { bearerTokens } from './callers/bearer-tokens.js';
import { createGalleryServer } from './gallery-server.js';
import { readSettings } from './settings.js';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const { url } = await serveHttp(await createGalleryServer(settings), {
    port: settings.port,
    authenticate: bearerTokens(settings.callers),
  });
  console.log(`gallery listening on ${url}`);
}

void main();
