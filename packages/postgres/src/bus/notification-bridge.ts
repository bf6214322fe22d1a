import type { McpServer } from '@toolwright/core';
import type { ResourceUpdateOptions } from '@toolwright/core/operate';
import { type Duration, optionRules, type OptionSchema } from '@toolwright/core/options';
import { loggerRule, stderrLogger, systemClock, type Logger } from '@toolwright/core/ports';
import {
  address,
  checkConnections,
  connectionOptions,
  parseConnection,
  type PostgresConnectionOptions,
} from '../connect/connection-options.js';
import { openDatabase } from '../connect/open-database.js';
import { NotificationLine } from './notification-line.js';

/** A resource that has changed. */
export interface ResourceChange extends Pick<ResourceUpdateOptions, 'to'> {
  readonly uri: string;
}

export interface NotificationBridgeOptions extends Omit<PostgresConnectionOptions, 'schema' | 'migrate'> {
  /** The channel to listen at, as `NOTIFY` names it. */
  channel: string;
  /**
   * Says which resource a notification is about, and who may hear of it (`to`); `undefined` when it is about no
   * resource. Anybody who may connect to the database can send notifications, so take nothing in the payload for
   * granted.
   */
  read(this: void, payload: string): ResourceChange | undefined;
  /** Is called in the process that tells the bus, when notifications may have been missed. */
  onMissed?(this: void): void;
  /** The address to listen at, when `url` or `pool` leads to a pooler such as PgBouncer. */
  listenUrl?: string;
  /**
   * How often the connection is asked whether it still answers, and another process whether it has to take over.
   * Default 1 second. More than 0, at most a day.
   */
  checkInterval?: Duration;
  /** Default: stderr. */
  logger?: Logger;
}

export interface NotificationBridge {
  /** True while this process is the one that tells the bus. */
  readonly isTelling: boolean;
  close(): Promise<void>;
}

const { callback, filledText, required } = optionRules;
const { schema: _schema, migrate: _migrate, ...connection } = connectionOptions;

const bridgeOptions = {
  ...connection,
  channel: required(filledText),
  read: required(callback),
  onMissed: callback,
  listenUrl: address,
  checkInterval: { ...connection.timeout, default: 1_000 },
  logger: loggerRule,
} satisfies OptionSchema<NotificationBridgeOptions>;

/**
 * Tells the clients of a server what PostgreSQL notifies of. Every process of the server may call it: all of them
 * listen, and one of them tells the bus, so each client hears of it once. If that process ends, another one takes
 * over, and passes on what has come in the meantime. Close it before the server.
 *
 * @throws {ConfigurationError} when an option is wrong
 * @throws {PostgresError} when Postgres refuses; while it is merely away, the bridge connects later
 *
 * @example
 * const bridge = await bridgeNotifications(server, {
 *   url: process.env.DATABASE_URL,
 *   channel: 'tickets',
 *   read(payload) {
 *     const { id, owner } = JSON.parse(payload);
 *     return { uri: `ticket://${id}`, to: (principal) => principal?.subject === owner };
 *   },
 * });
 */
export async function bridgeNotifications(
  server: Pick<McpServer, 'resourceUpdated'>,
  given: NotificationBridgeOptions,
): Promise<NotificationBridge> {
  const { channel, read, onMissed, checkInterval, logger, ...options } = parseConnection(
    'bridgeNotifications',
    bridgeOptions,
    given,
  );
  checkConnections('bridgeNotifications', options);
  const database = await openDatabase({ ...options, clock: systemClock });
  const ports = { clock: systemClock, logger: logger ?? stderrLogger() };
  const line = new NotificationLine(database, ports, {
    channel,
    checkInterval,
    onMissed: () => onMissed?.(),
    tell(payload) {
      const change = read(payload);
      if (change) server.resourceUpdated(change.uri, change.to ? { to: change.to } : {});
    },
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    line.close();
    return (closing ??= database.close());
  };
  const problem = await line.start();
  if (problem) {
    await close();
    throw problem;
  }
  return {
    get isTelling() {
      return line.isTelling;
    },
    close,
  };
}
