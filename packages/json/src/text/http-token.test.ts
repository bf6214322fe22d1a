import { isHttpToken } from './http-token.js';

const allowed = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test('a token is made of the characters that RFC 9110 names, and of no other one', () => {
  for (let code = 0; code < 256; code++) {
    const character = String.fromCharCode(code);
    expect([character, isHttpToken(`X${character}`)]).toEqual([character, allowed.includes(character)]);
  }
  expect(isHttpToken('')).toBe(false);
});
