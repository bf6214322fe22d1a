import { serveHttp } from '@toolwright/express';
import { createGalleryServer } from './gallery-server.js';
import { readSettings } from './settings.js';

async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const { url } = await serveHttp(await createGalleryServer(settings), { port: settings.port });
  console.log(`gallery listening on ${url}`);
}

void main();
