import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signInProblems, type SignInProblemCode } from '../src/doctor.js';

const page = readFileSync(join(__dirname, '../../../docs/sign-in-problems.md'), 'utf8');

test('the page has every fault in the section of its step, with the advice of the doctor', () => {
  const sections = new Map(
    page
      .split(/^### /m)
      .slice(1)
      .map((text) => [/`(\w+)`/.exec(text)![1]!, text]),
  );
  for (const [code, { step, advice }] of Object.entries(signInProblems)) {
    const row = sections
      .get(step)!
      .split('\n')
      .find((line) => line.startsWith(`| \`${code}\``));
    expect({ code, advice: row?.split('|')[3]?.trim() }).toEqual({ code, advice });
  }
});

test('the page has no fault that the doctor does not know', () => {
  const codes = [...page.matchAll(/^\| `([a-z-]+)` /gm)].map(([, code]) => code as SignInProblemCode);
  expect(codes).toHaveLength(Object.keys(signInProblems).length);
  expect(codes.filter((code) => !(code in signInProblems))).toEqual([]);
});
