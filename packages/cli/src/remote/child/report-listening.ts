import { appendFileSync } from 'node:fs';
import { type AddressInfo, Server } from 'node:net';

/**
 * `node --require` loads this file into an app that `--app` started, and into each program of Node.js that the app starts. It
 * writes every TCP address on which one of them listens to a file, a line each, before the app itself hears of it.
 */
const file = process.env['TOOLWRIGHT_LISTENING'];

if (file !== undefined) {
  const { listen } = Server.prototype as { listen(this: Server, ...args: unknown[]): Server };
  Object.assign(Server.prototype, {
    listen(this: Server, ...args: unknown[]): Server {
      this.prependOnceListener('listening', () => report(file, this.address()));
      return listen.apply(this, args);
    },
  });
  write(file, '\n');
}

/** A server on a pipe has a name in place of an address. */
function report(to: string, address: AddressInfo | string | null): void {
  if (address !== null && typeof address === 'object') write(to, `${JSON.stringify(address)}\n`);
}

function write(to: string, line: string): void {
  try {
    appendFileSync(to, line);
  } catch {
    // The command has ended, and has taken its folder away.
  }
}
