import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express4 from 'express-4';
import express5 from 'express';

/** The tests use the same functions of both versions. types.test.ts checks the types of version 4. */
export const versions = [
  ['Express 5', express5],
  ['Express 4', express4 as unknown as typeof express5],
] as const;

const servers: Server[] = [];

/** @returns the URL of the app's root */
export async function serveApp(app: express5.Express): Promise<string> {
  const http = createServer(app);
  servers.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

export function closeApps(): void {
  for (const server of servers.splice(0)) server.close();
}
