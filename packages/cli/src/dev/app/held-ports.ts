import type { Address } from '../messages.js';
import { HeldPort } from './held-port.js';

interface Held {
  key: string;
  port: HeldPort;
}

/**
 * The public ports of an app, in all its lives: what asks to listen on the same port after a restart gets the same one,
 * also where it asked for any that is free.
 */
export class HeldPorts {
  private readonly ports = new Map<string, HeldPort>();
  /** Of the app that runs now, by the number of its listener. */
  private current = new Map<number, Held>();

  /**
   * Opens a port, or finds the one that an earlier app had.
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

  /** The app has closed a listener itself. */
  release(listener: number): void {
    const held = this.current.get(listener);
    if (!held) return;
    this.current.delete(listener);
    this.ports.delete(held.key);
    held.port.close();
  }

  /** Until the next app is there, requests wait. */
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
