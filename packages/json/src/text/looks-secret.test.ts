import { looksSecret } from './looks-secret.js';

test.each([
  ['API_KEY', 'abc'],
  ['GITHUB_TOKEN', 'x'],
  ['dbPassword', 'hunter2'],
  ['CLIENT_SECRET', 'x'],
  ['Authorization', 'Basic eDp5'],
  ['X-Api-Key', '1'.repeat(8)],
  ['ANYTHING', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'],
  ['ANYTHING', 'sk-proj-abc'],
  ['ANYTHING', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
  ['DATABASE', 'postgres://me:secret@db/x'],
  ['ENDPOINT', 'https://example.com/?access_token=abc'],
  ['ANYTHING', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
])('%s=%s looks like a secret', (name, value) => {
  expect(looksSecret(name, value)).toBe(true);
});

test.each([
  ['FOLDER', '/srv/notes'],
  ['MODE', 'production'],
  ['KEYBOARD', 'de'],
  ['MONKEY', 'george'],
  ['AUTH', 'true'],
  ['MAX_TOKEN', '4096'],
  ['DATABASE', 'postgres://db.example.com/notes'],
  ['URL', 'https://example.com/?page=1'],
  ['API_KEY', ''],
])('%s=%s does not', (name, value) => {
  expect(looksSecret(name, value)).toBe(false);
});
