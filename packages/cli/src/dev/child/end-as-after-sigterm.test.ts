import { EventEmitter } from 'node:events';
import { endAsAfterSigterm } from './end-as-after-sigterm.js';

/** An app, as far as signals see it. */
function makeApp() {
  const codes: unknown[] = [];
  const exit = (code?: unknown) => void codes.push(code);
  return { codes, app: Object.assign(new EventEmitter(), { exit }) as unknown as NodeJS.Process };
}

test('an app that listens for the signal hears it', () => {
  const { app, codes } = makeApp();
  const heard: unknown[] = [];
  app.once('SIGTERM', (signal) => heard.push(signal));
  endAsAfterSigterm(app);
  expect([heard, codes]).toEqual([['SIGTERM'], []]);
});

test('an app that does not listen for it ends', () => {
  const { app, codes } = makeApp();
  endAsAfterSigterm(app);
  expect(codes).toEqual([143]);
});
