import { present, type ApiKey } from '@toolwright/json';
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { McpServer, Principal } from '@toolwright/core';
import { extend, type Extension } from '@toolwright/core/extend';
import { type Duration, type OptionSchema, optionRules, parseOptions } from '@toolwright/core/options';
import { type Clock, type RecordStore, systemClock } from '@toolwright/core/ports';
import { challenge, type Authenticated, headerOf, isRepeated } from '../adapters/authenticated.js';
import { TimedCache } from '../exchange/timed-cache.js';
import { ApiKeyRecords, type NewApiKey } from './api-key-records.js';

type Authenticate = (req: IncomingMessage | Request) => unknown;

export interface ApiKeysOptions {
  /** Where the keys are kept: `stores.records` of `redisStores` or `postgresStores`, or a `MemoryRecordStore` for tests. */
  records: RecordStore;
  /** The secrets of the server, as its option `secrets`. The first one is for new keys. */
  secrets: readonly string[];
  /** What keys begin with, so that scanners find a leaked one. Default `tw`. */
  prefix?: string;
  /** Authenticates requests that bring no API key, such as `oauth.authenticate`. Default: they are refused. */
  or?: Authenticate;
  /** How long a key that was accepted is remembered. A revoked one works for so long at most. Default 5 seconds; 0: never. */
  remember?: Duration;
  clock?: Clock;
}

const { callback, durationFromZero, required, secrets, filledText, listOf, oauthScope } = optionRules;

const apiKeysOptions = {
  records: required(optionRules.recordStore),
  secrets: required(secrets),
  prefix: {
    expected: '2 to 20 lower-case letters and digits',
    accepts: (value: unknown) => typeof value === 'string' && /^[a-z][a-z0-9]{1,19}$/.test(value),
    default: 'tw',
  },
  or: callback,
  remember: { ...durationFromZero, default: '5s' },
  clock: optionRules.clock,
} satisfies OptionSchema<ApiKeysOptions>;

/** What a new key is for. */
export interface NewKeyOptions {
  /** Who calls with it: a person, or a program. */
  subject: string;
  /** The issuer of the subject, where the key acts for a person who also signs in there. */
  issuer?: string;
  /** The tenant of the subject, on a server that keeps tenants apart. */
  tenant?: string;
  scopes?: readonly string[];
  /** What the key is for, in words. */
  name?: string;
  /** When it ends. Default `'90d'`; `false`: never. More than 0; `Infinity` is the same as `false`. */
  lifetime?: Duration | false;
}

const { durationToInfinity, either, no } = optionRules;

const newKeyOptions = {
  subject: required(filledText),
  issuer: filledText,
  tenant: filledText,
  scopes: { ...listOf('a list of scopes', oauthScope), default: [] },
  name: filledText,
  lifetime: { ...either(durationToInfinity, no), default: '90d' },
} satisfies OptionSchema<NewKeyOptions>;

/** The API keys of a server. */
export interface ApiKeys {
  /** For the option `authenticate` of an endpoint. Keys come as `Authorization: Bearer <key>`, or in `X-API-Key`. */
  readonly authenticate: (req: IncomingMessage | Request) => Promise<Authenticated>;
  /** Makes a key. `key` in the answer is the only copy. @throws {ConfigurationError} for wrong options */
  create(options: NewKeyOptions): Promise<NewApiKey>;
  /** Replaces a key. The old one goes on for `grace`, by default one day. 0: it ends at once. */
  rotate(id: string, options?: { grace?: Duration }): Promise<NewApiKey | undefined>;
  /** @returns false when there is no such key */
  revoke(id: string): Promise<boolean>;
  list(): Promise<readonly ApiKey[]>;
  /** Lets operators of this server see, make and end the keys: in the console, and with `server.operate(…).ask`. */
  attach(server: McpServer): Promise<void>;
}

/** How many accepted keys are remembered. */
const MOST_REMEMBERED = 1_000;

/**
 * API keys for callers that cannot sign in, such as programs. Pass `authenticate` to the endpoint.
 *
 * @throws {ConfigurationError} for options that are unknown, missing or of the wrong type
 * @example
 * const keys = apiKeys({ records: stores.records, secrets, or: oauth.authenticate });
 * await serveHttp(server, { port: 3000, authenticate: keys.authenticate });
 */
export function apiKeys(given: ApiKeysOptions): ApiKeys {
  const {
    records: store,
    secrets: list,
    prefix,
    or,
    remember,
    clock = systemClock,
  } = parseOptions('apiKeys', apiKeysOptions, given);
  const records = new ApiKeyRecords(store, list, { clock, prefix });
  const remembered = new TimedCache<{ key: ApiKey; until: number }>(clock, MOST_REMEMBERED);

  const find = async (text: string): Promise<ApiKey | undefined> => {
    // A memory of keys would be worth stealing. Their digests are not.
    const digest = createHash('sha256').update(text).digest('base64url');
    const known = remembered.get(digest);
    if (known) return known.key;
    const key = await records.find(text);
    if (!key) return undefined;
    const until = Math.min(clock.now() + remember, key.expires ?? Number.POSITIVE_INFINITY);
    remembered.set(digest, { key, until });
    return key;
  };

  const keys: ApiKeys = {
    async authenticate(req) {
      const bearer = /^Bearer +(\S+) *$/i.exec(headerOf(req, 'authorization') ?? '')?.[1];
      const own = headerOf(req, 'x-api-key');
      const inBearer = bearer?.startsWith(`${prefix}_`) ? bearer : undefined;
      if (
        isRepeated(req, 'authorization') ||
        isRepeated(req, 'x-api-key') ||
        (own !== undefined && bearer !== undefined)
      )
        return challenge(400, 'malformed', 'Send one API key, or one token.');
      const text = own ?? inBearer;
      if (text === undefined)
        return or ? ((await or(req)) as Authenticated) : challenge(401, 'missing', 'An API key is required.');
      const key = await find(text);
      if (!key) return challenge(401, 'unknown-key', 'The API key is not valid, or has ended.');
      void records.note(key).catch(() => undefined);
      return { principal: principalOf(key) };
    },
    async create(options) {
      const { subject, issuer, tenant, scopes, name, lifetime } = parseOptions(
        'apiKeys.create',
        newKeyOptions,
        options,
      );
      const lifetimeMs = lifetime === false || lifetime === Infinity ? undefined : (lifetime as number);
      return records.create({ subject, issuer, tenant, scopes, name, lifetimeMs });
    },
    async rotate(id, options = {}) {
      const { grace } = parseOptions(
        'apiKeys.rotate',
        { grace: { ...durationFromZero, default: '1d' } },
        options,
      ) as { grace: number };
      return records.rotate(id, { graceMs: grace });
    },
    revoke: async (id) => {
      remembered.forget(({ key }) => key.id === id);
      return records.revoke(id);
    },
    list: () => records.list(),
    attach: async (server) => void (await extend(server, keysForOperators(keys))),
  };
  return keys;
}

function principalOf({ id, subject, issuer, tenant, scopes }: ApiKey): Principal {
  return present({ issuer, subject, clientId: `api-key:${id}`, tenant, scopes });
}

/** The part of `apiKeys` that operators use. */
interface OperatedKeys {
  list(): Promise<readonly unknown[]>;
  /** @param options unchecked */
  create(options: never): Promise<unknown>;
  revoke(id: string): Promise<unknown>;
}

/** Lets operators of a server see, make and end its keys. The audit log has each change, and never a key. */
function keysForOperators(keys: OperatedKeys): Extension {
  return {
    name: '@toolwright/identity keys',
    start: () => ({
      operator: {
        'keys.list': { run: () => keys.list() },
        'keys.create': {
          action: 'create key',
          target: ({ subject }) => String(subject),
          run: (params) => keys.create(params as never),
        },
        'keys.revoke': {
          action: 'revoke key',
          target: ({ id }) => String(id),
          run: ({ id }) => keys.revoke(String(id)),
        },
      },
    }),
  };
}
