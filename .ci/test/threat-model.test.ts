import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimsOf, hasTest, sectionOf } from './support/claims.js';

const docs = join(__dirname, '../../docs');
const page = readFileSync(join(docs, 'threat-model.md'), 'utf8');
const promises = claimsOf(sectionOf(page, 'What holds each promise'));

test('the threat model has promises, each with a test', () => {
  expect(promises.length).toBeGreaterThan(20);
  expect(promises.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

const held = promises.flatMap(({ words, tests }) => tests.map((each) => ({ words, ...each })));

test.each(held)('a test holds "$words": $title', ({ title, file }) => {
  const path = join(docs, file);
  expect(existsSync(path)).toBe(true);
  expect(hasTest(readFileSync(path, 'utf8'), title)).toBe(true);
});
