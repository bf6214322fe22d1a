import { callerOf, CallSite } from './call-site.js';

function decorator(): CallSite {
  return new CallSite(decorator);
}

test('the site is the place where the factory was called, as file, line and column', () => {
  const site = decorator();
  expect(site.file).toBe(__filename);
  expect(site.location).toMatch(/call-site\.test\.ts:8:16$/);
});

test('the caller of a function is found by the name of the function, also from inside of others', () => {
  const inside = () => callerOf('mountPages');
  function mountPages() {
    return [1].map(() => inside())[0];
  }
  const before = Error.stackTraceLimit;
  expect(mountPages()).toMatch(/call-site\.test\.ts:\d+:10$/);
  expect(callerOf('nobody')).toBeUndefined();
  expect(Error.stackTraceLimit).toBe(before);
});

test('capturing a site does not change the depth of stack traces', () => {
  const before = Error.stackTraceLimit;
  decorator();
  expect(Error.stackTraceLimit).toBe(before);
});

test.each([
  ['    at Object.<anonymous> (/srv/app/tools.js:10:5)', '/srv/app/tools.js:10:5'],
  ['    at file:///srv/my%20app/tools.mjs:10:5', '/srv/my app/tools.mjs:10:5'],
  ['    at eval (eval at run (/srv/app/x.js:1:1), <anonymous>:3:4)', undefined],
  ['Error', undefined],
])('the place of the frame %j is %j', (frame, location) => {
  const site = Object.create(CallSite.prototype, { stack: { value: `Error\n${frame}` } }) as CallSite;
  expect(site.location).toBe(location);
});
