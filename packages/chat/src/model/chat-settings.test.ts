import { ChatError } from '../chat-error.js';
import { keyHeader, readChatSettings } from './chat-settings.js';

const read = (more: object) =>
  readChatSettings({ TOOLWRIGHT_CHAT_URL: 'http://localhost:11434/v1', TOOLWRIGHT_CHAT_MODEL: 'm', ...more });

test.each([
  ['http://localhost:11434', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/', 'http://localhost:11434/v1/chat/completions'],
  ['http://localhost:11434/v1', 'http://localhost:11434/v1/chat/completions'],
  ['https://api.example.com/v1/', 'https://api.example.com/v1/chat/completions'],
  ['https://api.example.com/v1beta/openai/', 'https://api.example.com/v1beta/openai/chat/completions'],
  ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1/chat/completions'],
  [
    'https://a.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2025-01-01',
    'https://a.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2025-01-01',
  ],
])('the address %s leads to %s', (url, expected) => {
  expect(read({ TOOLWRIGHT_CHAT_URL: url }).url).toBe(expected);
});

test.each([
  [{ TOOLWRIGHT_CHAT_URL: '' }, /^Set TOOLWRIGHT_CHAT_URL in the environment/],
  [{ TOOLWRIGHT_CHAT_MODEL: ' ' }, /^Set TOOLWRIGHT_CHAT_MODEL in/],
  [{ TOOLWRIGHT_CHAT_URL: undefined, TOOLWRIGHT_CHAT_MODEL: undefined }, /_URL and TOOLWRIGHT_CHAT_MODEL/],
  [{ TOOLWRIGHT_CHAT_URL: 'localhost:11434' }, /begins with http/],
  [{ TOOLWRIGHT_CHAT_URL: 'file:///etc/passwd' }, /begins with http/],
  [{ TOOLWRIGHT_CHAT_URL: 'https://me:word@api.example.com' }, /Set the key as TOOLWRIGHT_CHAT_KEY/],
  [{ TOOLWRIGHT_CHAT_KEY: 'two words' }, /TOOLWRIGHT_CHAT_KEY has a space/],
  [{ TOOLWRIGHT_CHAT_KEY: 'sk-\nx' }, /TOOLWRIGHT_CHAT_KEY has a space/],
])('%j is off, with what to set', (more, message) => {
  expect(() => read(more)).toThrow(ChatError);
  expect(() => read(more)).toThrow(message);
});

test('no message has the key or a password', () => {
  for (const more of [
    { TOOLWRIGHT_CHAT_KEY: 'canary secret' },
    { TOOLWRIGHT_CHAT_URL: 'https://a:canary@b.example' },
  ])
    expect(() => read(more)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('canary') as string }) as Error,
    );
});

test('the key goes into the header that its address knows', () => {
  expect(keyHeader(read({ TOOLWRIGHT_CHAT_KEY: ' sk-1\n' }))).toEqual({ authorization: 'Bearer sk-1' });
  const azure = { TOOLWRIGHT_CHAT_KEY: 'k', TOOLWRIGHT_CHAT_URL: 'https://a.openai.azure.com/openai/v1' };
  expect(keyHeader(read(azure))).toEqual({ 'api-key': 'k' });
  const stranger = { TOOLWRIGHT_CHAT_KEY: 'k', TOOLWRIGHT_CHAT_URL: 'https://azure.com.example/v1' };
  expect(keyHeader(read(stranger))).toEqual({ authorization: 'Bearer k' });
  expect(keyHeader(read({}))).toEqual({});
});
