import { describeError } from './command-error.js';

const refused = (code: string) =>
  Object.assign(new Error(`${code}: it says so, open '/srv/a.json'`), {
    code,
    syscall: 'open',
    path: '/srv/a.json',
  });

test.each([
  ['EACCES', 'Your user may not do that there: give it the right, or use another folder.'],
  ['EROFS', 'That disk is read-only: use another folder.'],
  ['ENOSPC', 'The disk is full: make room.'],
])('a file that cannot be used is named, with what to do about %s', (code, remedy) => {
  expect(describeError(refused(code))).toBe(
    `/srv/a.json cannot be used: ${code}: it says so (open). ${remedy}`,
  );
});
