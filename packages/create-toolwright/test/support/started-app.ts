import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';

/** Starts a compiled app, on any free port unless the environment names one. It prints its URL when it is ready. */
export function startApp(directory: string, env: Record<string, string>) {
  const app = spawn(process.execPath, ['dist/main.js'], {
    cwd: directory,
    env: { PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(app, 'exit');
  const url = once(createInterface(app.stdout), 'line').then(
    ([line]) => /^[\w-]+ listening on (http\S+)$/.exec(line as string)![1]!,
  );
  const stop = () => {
    app.kill('SIGTERM');
    return ended;
  };
  return { url, stop };
}

/** An address of this machine other than 127.0.0.1, as a container has one. */
export function outsideAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

/** What the server of an app answers to a handshake. */
export async function statusFor(address: RequestOptions): Promise<number | undefined> {
  const headers = {
    ...address.headers,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const asked = request({ ...address, headers, path: '/mcp', method: 'POST' });
  asked.end(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    }),
  );
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}
