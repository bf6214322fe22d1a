import { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { readListen } from '../../app/child/read-listen.js';
import type { Address, DevLink } from '../messages.js';

/**
 * Lets `dev` listen in place of the app's HTTP servers, so that the public port stays open during a restart.
 * The servers get other ports on the loopback, but report the ports that they asked for. Listeners of other
 * protocols, on pipes and on handles are not changed.
 */
export function holdListeners(link: DevLink): void {
  const waiting = new Map<number, { server: Server; held(address: Address): void; answered(): void }>();
  const addresses = new WeakMap<Server, Address>();
  let count = 0;
  const { listen, address } = Server.prototype as unknown as {
    listen(this: Server, ...args: unknown[]): Server;
    address(this: Server): unknown;
  };

  link.on('held', ({ listener, address: held }) => take(listener)?.held(held));
  link.on('refused', ({ listener, code, message }) =>
    take(listener)?.server.emit('error', Object.assign(new Error(message), { code, syscall: 'listen' })),
  );
  const take = (listener: number) => {
    const found = waiting.get(listener);
    waiting.delete(listener);
    // Once its own port is open, the server keeps the process running.
    setImmediate(() => found?.answered());
    return found;
  };

  Object.assign(Server.prototype, {
    listen(this: Server, ...args: unknown[]): Server {
      const wanted = this instanceof HttpServer && !this.listening ? readListen(args) : undefined;
      if (!wanted) return listen.apply(this, args);
      const listener = count++;
      if (wanted.listening) this.once('listening', wanted.listening);
      const held = (public_: Address) => {
        addresses.set(this, public_);
        this.once('close', () => link.tell({ tell: 'closed', listener }));
        this.prependOnceListener('listening', () =>
          link.tell({ tell: 'listening', listener, port: (address.call(this) as Address).port }),
        );
        listen.call(this, { port: 0, host: '127.0.0.1' });
      };
      waiting.set(listener, { server: this, held, answered: link.expectAnswer() });
      link.tell({ tell: 'listen', listener, port: wanted.port, host: wanted.host });
      return this;
    },
    address(this: Server): unknown {
      const own = address.call(this);
      return own ? (addresses.get(this) ?? own) : own;
    },
  });
}
