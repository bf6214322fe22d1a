import { readOptions } from './options.js';

const known = ['drain', 'listen'];

test('Everything runs in full unless told otherwise', () => {
  expect(readOptions([], known)).toEqual({ only: known, quick: false });
});

test('Scenarios are chosen by name', () => {
  expect(readOptions(['--only', 'listen', '--quick'], known)).toEqual({ only: ['listen'], quick: true });
});

test('An unknown scenario is refused, and the known ones are named', () => {
  expect(() => readOptions(['--only', 'drian'], known)).toThrow(
    'unknown scenario "drian"; known: drain, listen',
  );
});
