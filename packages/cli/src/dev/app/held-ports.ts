import type { Address } from '../messages.js';
import { HeldPort } from './held-port.js';

interface Held {
  key: string;
  port: HeldPort;
}

/**
 * The public ports of an app across restarts. If the app asks for the same port again, it gets the same one,
 * even if it asked for any free port.
 */
export class HeldPorts {
  private readonly ports = new Map<string, HeldPort>();
  /** The ports of the running app, by the number of the listener. */
  private current = new Map<number, Held>();

  /**
   * Opens a port, or returns the one of an earlier run.
   *
   * @throws as `listen` does, such as EADDRINUSE
   */
  async take(listener: number, port: number, host: string | undefined): Promise<Address> {
    const twins = [...this.current.values()].filter(({ key }) => key.startsWith(`${host} ${port} `)).length;
    const key = `${host} ${port} ${twins}`;
    const known = this.ports.get(key);
    const held = known ?? new HeldPort();
    const address = known ? known.address : await held.open(port, host);
    this.ports.set(key, held);
    this.current.set(listener, { key, port: held });
    return address;
  }

  lead(listener: number, port: number): void {
    this.current.get(listener)?.port.lead(port);
  }

  /** Called when the app itself has closed a listener. */
  release(listener: number): void {
    const held = this.current.get(listener);
    if (!held) return;
    this.current.delete(listener);
    this.ports.delete(held.key);
    held.port.close();
  }

  /** Makes requests wait for the next app. */
  hold(): void {
    this.current = new Map();
    for (const port of this.ports.values()) port.hold();
  }

  idle(patienceMs: number): Promise<unknown> {
    return Promise.all([...this.ports.values()].map((port) => port.idle(patienceMs)));
  }

  giveUp(reason: string): void {
    for (const port of this.ports.values()) port.giveUp(reason);
  }

  close(): void {
    for (const port of this.ports.values()) port.close();
  }
}
