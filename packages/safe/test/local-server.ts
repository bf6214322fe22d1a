import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ToolError } from '@toolwright/core';
import type { Resolver, SafeFetchOptions } from '../src/index.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server on a loopback address, with options that let any host name reach it. */
export async function serve(answer: RequestListener, address = '127.0.0.1') {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const lookups: string[] = [];
  const resolve: Resolver = async (host) => {
    lookups.push(host);
    return [{ address, family: 4 }];
  };
  const options: SafeFetchOptions = { allowedPorts: [port], allowedAddresses: [`${address}/32`], resolve };
  return { port, requests, lookups, options, url: `http://site.example:${port}/` };
}

export const hello: RequestListener = (_request, response) => response.end('hello');
export const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: ToolError) => (error instanceof ToolError ? error.code : error),
  );
