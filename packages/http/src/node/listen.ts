import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '@toolwright/core';
import { optionRules } from '@toolwright/core/options';

const { filledText, required } = optionRules;

/** The options that say where a server listens. */
export const addressOptions = {
  port: required({
    expected: 'a port from 0 to 65535',
    accepts: (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 65_535,
  }),
  host: { ...filledText, default: '127.0.0.1' },
};

/**
 * Listens, and returns the port.
 *
 * @throws {Error} when it cannot, for example because the port is taken (`code` EADDRINUSE)
 */
export async function listen(
  http: Server,
  { port, host }: { port: number; host: string },
  logger: Logger,
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(inWords(error, port, host));
    http.once('error', fail);
    http.listen(port, host, () => {
      http.off('error', fail);
      resolve();
    });
  });
  // Node.js passes on what it cannot accept. Without a listener, that would end the process.
  http.on('error', (err) => logger.error({ err }, 'The server cannot accept a connection'));
  return (http.address() as AddressInfo).port;
}

function inWords(error: NodeJS.ErrnoException, port: number, host: string): Error {
  const { code } = error;
  if (code !== 'EADDRINUSE') return error;
  const message = `Port ${port} of ${host} is taken: end what listens there, or choose another (0: any that is free).`;
  return Object.assign(new Error(message, { cause: error }), { code });
}
