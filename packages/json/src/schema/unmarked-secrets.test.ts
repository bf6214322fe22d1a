import { unmarkedSecrets } from './unmarked-secrets.js';

const named = (names: string[], more: object = {}) => ({
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string', ...more }])),
});

test.each([
  [
    'password',
    'newPassword',
    'passwd',
    'pwd',
    'db_pwd',
    'passphrase',
    'secret',
    'clientSecret',
    'webhook-secret',
  ],
  [
    'token',
    'accessToken',
    'refresh_token',
    'apiKey',
    'api_key',
    'apikey',
    'APIKey',
    'privateKey',
    'secretAccessKey',
    'jwt',
    'login_otp',
    'cardCvv',
  ],
])('names of secrets without a mark: %s, …', (...names) => {
  expect(unmarkedSecrets(named(names))).toEqual(names);
  expect(unmarkedSecrets(named(names, { writeOnly: true }))).toEqual([]);
  expect(unmarkedSecrets(named(names, { 'x-sensitive': true }))).toEqual([]);
  expect(unmarkedSecrets({ $defs: { Login: { items: named(names) } } })).toEqual(names);
});

test('other names, and values that are not texts, are not secrets', () => {
  const names = [
    'maxTokens',
    'tokenCount',
    'pageToken',
    'nextPageToken',
    'next_token',
    'continuationToken',
    'key',
  ];
  expect(unmarkedSecrets(named([...names, 'passwordPolicy', 'secretary', 'keyword', 'tokenize']))).toEqual(
    [],
  );
  expect(unmarkedSecrets(named(['token', 'secret'], { type: 'integer' }))).toEqual([]);
  expect(unmarkedSecrets(named(['secret'], { enum: ['yes', 'no'] }))).toEqual([]);
});
