import type { Clock } from '@toolwright/core/ports';
import { AwayError, type Command, type RedisLink } from './redis-link.js';

interface Waiting {
  readonly tick: number;
  fail(error: Error): void;
}

export interface ConnectionSettings {
  /** How long an answer may take. */
  readonly timeout: number;
  /** Is called when `isUp` may have changed. */
  changed(reason?: unknown): void;
  /** Is called when Redis refuses a command, although it can do the others. */
  refused(error: unknown): void;
  /** A command that succeeds only where Redis does what the stores need. Without it, `PING` is enough. */
  readonly probe?: { readonly command: Command; readonly key: string };
  /** What must be done whenever the connection was made. It is tried again when it fails. */
  prepare?(): Promise<void>;
}

/** What a connection gets when the server boots. */
interface Opened {
  readonly link: RedisLink;
  readonly clock: Clock;
}

/** More commands than this never wait for an answer at a time. Further ones fail. */
const MOST_WAITING = 10_000;
/** A tick is half the time that an answer may take. */
const TICKS_TO_ANSWER = 2;
/** After this many ticks without a word from Redis, the connection asks for one. As often, it asks for a write. */
const TICKS_TO_PING = 4;

/** After this many ticks without a word, the connection is dead. */
const TICKS_TO_LEAVE = 10;

/** Redis is full, a replica, cannot save to its disk, or has too few replicas: it answers, and stores nothing. */
export const REFUSES_WRITES = /^(OOM|READONLY|MISCONF|NOREPLICAS)\b/;
/** Redis does not take the user, or the user lacks a right, also within a script. */
export const REFUSES_USER = /^(NOPERM|NOAUTH|WRONGPASS)\b|\b(ACL failure in|user executing the) script\b/;

/** Marks an error so that core logs no outage. */
const asRefusal = (error: Error): Error => Object.assign(error, { isRefusal: true });

/** This process does not accept the certificate of Redis, or Redis that of this process. */
export const IS_UNTRUSTED = /\bcertificate\b|\balert unknown ca\b/i;

/** A cluster has lost the majority of its masters, or all slots of a node that failed. It refuses every command. */
export const IS_DOWN = /^CLUSTERDOWN The cluster is down\b/;

/** A script or a function takes so long that Redis refuses everything else. */
export const IS_BUSY = /^BUSY\b/;

/**
 * Sends commands as long as Redis answers. While it does not, commands fail at once: a caller must not wait
 * for a reconnect.
 *
 * A connection can go silent without being closed: the network loses all packets, or the server is stopped.
 * Time is measured in ticks of a timer, and not by the clock, for two reasons. A clock can be set. And when
 * this process was busy for long, it has had no chance to read the answers: that counts as one tick.
 */
export class RedisConnection {
  readonly #waiting = new Set<Waiting>();
  #opened: Opened | undefined;
  #ticks = 0;
  #heardAt = 0;
  #isSilent = false;
  #isPrepared = false;
  #isPreparing = false;
  #isClosed = false;
  #isKnown = false;
  #cancelTick = () => {};

  constructor(private readonly settings: ConnectionSettings) {}

  /** @throws {AwayError} when the connection was not opened yet */
  get clock(): Clock {
    return this.#needed().clock;
  }

  get isUp(): boolean {
    return this.#isPrepared && !this.#isSilent && !this.#isClosed && this.#needed().link.isReady;
  }

  /** False until the first attempt to connect has ended. */
  get isAway(): boolean {
    return this.#isKnown && !this.isUp;
  }

  /** Resolves when it is known whether Redis answers. */
  open(opened: Opened): Promise<void> {
    this.#opened = opened;
    this.#scheduleTick();
    return new Promise((resolve) => {
      const settle = (reason?: unknown) => {
        this.#tell(reason);
        resolve();
      };
      opened.link.connect({
        ready: () => {
          this.#heardAt = this.#ticks;
          // The nodes of a cluster become ready one by one.
          if (this.#isPrepared) this.#heard();
          else if (!this.#isPreparing) void this.#makeReady().then(settle);
        },
        lost: (reason) => {
          this.#isPrepared = false;
          settle(reason);
        },
      });
    });
  }

  /**
   * @param key one of the keys that the command touches
   * @throws {AwayError} when Redis does not answer
   */
  send(command: Command, key: string): Promise<unknown> {
    if (!this.isUp) return Promise.reject(new AwayError('Redis is away.'));
    if (this.#waiting.size >= MOST_WAITING)
      return Promise.reject(new AwayError('Too many commands wait for Redis.'));
    return this.#inTime(() => this.#needed().link.send(command, key));
  }

  subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    return this.#needed().link.subscribe(channel, (message) => {
      this.#heard();
      listener(message);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#opened) return;
    const { link, clock } = this.#opened;
    await new Promise<void>((resolve) => {
      const stopClock = clock.after(this.settings.timeout, resolve);
      link.close().then(stopClock, stopClock).finally(resolve);
    });
    this.#cancelTick();
    link.destroy();
    this.#failAll(() => true);
  }

  #inTime(ask: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { tick: this.#ticks, fail: reject };
      this.#waiting.add(waiting);
      ask().then(
        (reply) => {
          this.#waiting.delete(waiting);
          this.#heard();
          resolve(reply);
        },
        (error: Error) => {
          this.#waiting.delete(waiting);
          this.#heardAt = this.#ticks;
          if (REFUSES_WRITES.test(error.message) || IS_DOWN.test(error.message)) this.#refuses(error);
          else if (REFUSES_USER.test(error.message) || IS_BUSY.test(error.message))
            this.settings.refused(asRefusal(error));
          reject(error);
        },
      );
    });
  }

  /**
   * Redis accepts connections before it can answer, for example while it loads its data.
   *
   * @returns why the connection is of no use yet
   */
  async #makeReady(): Promise<unknown> {
    this.#isPreparing = true;
    try {
      await this.#needed().link.ping();
      this.#heardAt = this.#ticks;
      await this.#write();
      await this.settings.prepare?.();
      this.#isPrepared = true;
      this.#heard();
      return undefined;
    } catch (error) {
      return error;
    } finally {
      this.#isPreparing = false;
    }
  }

  #heard(): void {
    this.#heardAt = this.#ticks;
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#tell();
  }

  #needed(): Opened {
    if (!this.#opened) throw new AwayError('The stores were not opened yet.');
    return this.#opened;
  }

  #tell(reason?: unknown): void {
    this.#isKnown = true;
    this.settings.changed(reason);
  }

  #scheduleTick(): void {
    this.#cancelTick = this.clock.after(this.settings.timeout / TICKS_TO_ANSWER, () => {
      this.#ticks++;
      this.#endOverdue();
      this.#probeWrites();
      this.#pingWhenIdle();
      this.#prepareAgain();
      this.#leaveWhenDead();
      this.#scheduleTick();
    });
  }

  #endOverdue(): void {
    const isOverdue = ({ tick }: Waiting) => this.#ticks - tick > TICKS_TO_ANSWER;
    const hasOverdue = this.#failAll(isOverdue);
    if (!hasOverdue || this.#isSilent || this.#ticks - this.#heardAt <= TICKS_TO_ANSWER) return;
    this.#isSilent = true;
    this.#failAll(() => true);
    this.#tell(new AwayError('Redis takes too long to answer.'));
    this.#probe();
  }

  /** The longest waiting come first. */
  #failAll(ends: (waiting: Waiting) => boolean): boolean {
    let hasFailed = false;
    for (const waiting of this.#waiting) {
      if (!ends(waiting)) break;
      this.#waiting.delete(waiting);
      waiting.fail(new AwayError('Redis took too long to answer.'));
      hasFailed = true;
    }
    return hasFailed;
  }

  async #write(): Promise<void> {
    const { probe } = this.settings;
    if (probe) await this.#needed().link.send(probe.command, probe.key);
  }

  /** `#prepareAgain` finds out when it takes commands again. Until then it counts as away. */
  #refuses(error: Error): void {
    if (!this.#isPrepared) return;
    this.#isPrepared = false;
    this.#tell(error);
  }

  /** Traffic that only reads would not notice that Redis takes no writes. */
  #probeWrites(): void {
    if (!this.isUp || !this.settings.probe || this.#ticks % TICKS_TO_PING !== 0) return;
    this.#inTime(() => this.#write()).catch(() => {});
  }

  #pingWhenIdle(): void {
    if (!this.isUp || this.#waiting.size > 0 || this.#ticks - this.#heardAt < TICKS_TO_PING) return;
    this.#inTime(() => this.#needed().link.ping()).catch(() => {});
  }

  /** Redis may have loaded its data by now, or an operator has given the user a right that it lacked. */
  #prepareAgain(): void {
    const isDue = !this.#isPrepared && !this.#isPreparing && this.#ticks % TICKS_TO_PING === 0;
    if (isDue && this.#needed().link.isReady) void this.#makeReady().then((reason) => this.#tell(reason));
  }

  #leaveWhenDead(): void {
    const { link } = this.#needed();
    if (!link.isReady || this.#ticks - this.#heardAt < TICKS_TO_LEAVE) return;
    this.#heardAt = this.#ticks;
    this.#isPrepared = false;
    link.renew?.();
  }

  /**
   * The answer to a single `PING` tells that Redis is back. Nothing else is sent until then. Packets that are
   * sent again and again would only wait in a dead connection, which is left soon.
   */
  #probe(): void {
    this.#needed()
      .link.ping()
      .then(
        () => this.#heard(),
        () => {},
      );
  }
}
