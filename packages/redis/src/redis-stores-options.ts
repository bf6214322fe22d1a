import type { ConnectionOptions } from 'node:tls';
import type { ConfigurationError } from '@toolwright/core';
import { storeBounds, type StoreBounds } from '@toolwright/core/ports';
import {
  type Duration,
  optionRules,
  parseOptions,
  type OptionRule,
  type OptionSchema,
  wrongOption,
} from '@toolwright/core/options';
import { readUrl } from '@toolwright/json';

const { anyObject, driverTimeout, filledText, listOf, objectWith, secret } = optionRules;

/** A client or a cluster of node-redis 5 or 6. */
export interface ApplicationClient {
  readonly isReady: boolean;
  duplicate(options?: object): unknown;
  sendCommand(...args: never[]): Promise<unknown>;
}

/** Where Redis is: give exactly one of `url`, `cluster` and `client`. The other options have defaults. */
export interface RedisStoresOptions extends StoreBounds {
  /**
   * The address of a server: `redis://user:password@host:6379/0`, or `rediss://` for TLS. The user is one of
   * the access control list (ACL) of Redis.
   */
  url?: string;
  /**
   * Addresses of some nodes of a Redis Cluster. The nodes name the others. All have the user, the password
   * and the TLS of the first address.
   */
  cluster?: readonly string[];
  /**
   * A client or a cluster of the application. It serves the commands and is not closed. A duplicate of it
   * listens for events.
   */
  client?: ApplicationClient;
  /** For `rediss://`: what `tls.connect` of Node.js takes, such as `ca`, `cert` and `key`. */
  tls?: ConnectionOptions;
  /** What all keys and the channel begin with. Servers with the same prefix share everything. Default `toolwright:`. */
  prefix?: string;
  /**
   * How long an answer of Redis may take. Then Redis counts as away. Default 500 ms. More than 0, at most a
   * day.
   */
  timeout?: Duration;
}

const url: OptionRule = secret({
  expected: 'an address such as redis://user:password@host:6379/0 or rediss://host',
  accepts: (value) => typeof value === 'string' && isAddress(value),
});

const schema = {
  url,
  cluster: {
    ...secret(listOf('a non-empty list of addresses such as redis://host:6379', url)),
    accepts: (value) => Array.isArray(value) && value.length > 0 && value.every((each) => url.accepts(each)),
  },
  client: objectWith('a client of node-redis', 'sendCommand', 'duplicate'),
  tls: secret(anyObject),
  prefix: { ...filledText, default: 'toolwright:' },
  timeout: { ...driverTimeout, default: 500 },
  ...storeBounds,
} satisfies OptionSchema<RedisStoresOptions>;

export type RedisSettings = ReturnType<typeof readRedisOptions>;

/** @throws {ConfigurationError} with everything that is wrong. No message repeats an address. */
export function readRedisOptions(given: RedisStoresOptions) {
  const options = parseOptions('redisStores', schema, given);
  const places = [options.url, options.cluster, options.client].filter((place) => place !== undefined);
  if (places.length === 0)
    throw invalid(`redisStores needs one of the options "url", "cluster" and "client".${unsetPlace(given)}`);
  if (places.length > 1) throw invalid('redisStores takes only one of "url", "cluster" and "client".');
  if (options.client && 'getSentinelNode' in options.client)
    throw invalid(
      'The option "client" is a sentinel of node-redis, which redisStores does not take. Give the address of the master as "url", such as that of a proxy that follows it.',
    );
  // A client of ioredis has both methods as well, and would count as away for ever.
  if (options.client && typeof options.client.isReady !== 'boolean')
    throw invalid(
      'The option "client" is neither a client nor a cluster of node-redis 5 or 6: it has no "isReady". In place of a client of ioredis or iovalkey, give its address as "url", or the addresses of the nodes as "cluster".',
    );
  const addresses = options.cluster ?? (options.url === undefined ? [] : [options.url]);
  if (options.tls && !addresses.every((address) => address.startsWith('rediss:')))
    throw invalid('The option "tls" needs addresses that begin with "rediss://".');
  return options;
}

/** An option that reads an unset variable of the environment is there, and `undefined`. */
function unsetPlace(given: RedisStoresOptions): string {
  const name = (['url', 'cluster', 'client'] as const).find((place) => place in given);
  return name ? ` "${name}" is undefined.` : '';
}

function invalid(message: string): ConfigurationError {
  return wrongOption(message, 'Correct the options of redisStores.');
}

function isAddress(text: string): boolean {
  const url = readUrl(text);
  if (url === undefined) return false;
  const { protocol, hostname, pathname, username, password } = url;
  return (
    ['redis:', 'rediss:'].includes(protocol) &&
    hostname !== '' &&
    /^\/?\d{0,3}$/.test(pathname) &&
    [username, password].every(isDecodable)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
