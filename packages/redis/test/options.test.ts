import { ConfigurationError } from '@toolwright/core';
import { redisStores, type RedisStoresOptions } from '@toolwright/redis';

const url = 'redis://127.0.0.1:1';

it.each<[string, RedisStoresOptions, string]>([
  ['no place', {}, 'redisStores needs one of the options "url", "cluster" and "client".'],
  ['an address that is not set', { url: undefined }, '"url", "cluster" and "client". "url" is undefined.'],
  ['two places', { url, cluster: [url] }, 'redisStores takes only one of "url", "cluster" and "client".'],
  ['an empty address', { url: '' }, 'rediss://host, not an empty string.'],
  [
    'an address of something else',
    { url: 'http://127.0.0.1' },
    'The option "url" must be an address such as',
  ],
  ['an address without a host', { url: 'redis:pages' }, 'The option "url" must be an address such as'],
  ['a database that is no number', { url: `${url}/pages` }, 'The option "url" must be an address such as'],
  [
    'a password that is not encoded',
    { url: 'redis://a:%zz@127.0.0.1' },
    'The option "url" must be an address',
  ],
  ['no nodes', { cluster: [] }, 'The option "cluster" must be a non-empty list of addresses'],
  ['a client that is none', { client: {} as never }, 'The option "client" must be a client of node-redis'],
  ['TLS for a plain address', { url, tls: {} }, 'needs addresses that begin with "rediss://"'],
  ['a lease that is too short', { url, lease: 99 }, 'The option "lease" must be a duration from 100 ms on'],
  ['no time', { url, timeout: 0 }, 'The option "timeout" must be a duration'],
  ['an unknown option', { url, prefx: 'a' } as never, 'There is no option "prefx".'],
])('refuses %s', (_what, options, message) => {
  expect(() => redisStores(options)).toThrow(ConfigurationError);
  expect(() => redisStores(options)).toThrow(message);
});

it('repeats no address in its messages', () => {
  for (const options of [
    { url: 'http://ann:sesame@127.0.0.1' },
    { cluster: ['redis://127.0.0.1', 'http://ann:sesame@127.0.0.1'] },
    { url: 'redis://ann:sesame@127.0.0.1', tls: {} },
  ]) {
    let message = '';
    try {
      redisStores(options);
    } catch (error) {
      message = String(error);
    }
    expect(message).toContain('TW_OPTION_INVALID');
    expect(message).not.toContain('sesame');
  }
});

it('says that the stores are away before they are open, and can be closed', async () => {
  const stores = redisStores({ url });
  expect(stores.health()).toEqual([{ store: 'redis', up: false, since: 0 }]);
  await expect(stores.claims.claim('a', 1)).rejects.toThrow('Redis is away.');
  await stores.close();
});
