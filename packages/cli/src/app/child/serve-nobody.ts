import { Server } from 'node:net';
import { PassThrough } from 'node:stream';
import { ONLY_INSPECTED } from '@toolwright/json';
import { readListen } from './read-listen.js';

/**
 * Lets an app believe that it serves. No port and no pipe is opened, standard input never says anything, and nothing
 * begins.
 *
 * @param serves is called each time the app would begin to serve
 */
export function serveNobody(serves: () => void): void {
  Object.assign(globalThis, { [ONLY_INSPECTED]: true });
  const addresses = new WeakMap<Server, object>();
  const { address } = Server.prototype;
  Object.assign(Server.prototype, {
    listen(this: Server, ...args: unknown[]): Server {
      const { port = 0, host = '127.0.0.1', listening } = readListen(args) ?? {};
      addresses.set(this, { address: host, port, family: 'IPv4' });
      if (listening) this.once('listening', listening);
      process.nextTick(() => this.emit('listening'));
      serves();
      return this;
    },
    address(this: Server): unknown {
      return addresses.get(this) ?? address.call(this);
    },
  });
  const input = new PassThrough();
  Object.defineProperty(process, 'stdin', {
    configurable: true,
    get() {
      serves();
      return input;
    },
  });
}
