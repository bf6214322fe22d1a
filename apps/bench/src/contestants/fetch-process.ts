import { setImmediate as turn } from 'node:timers/promises';
import { runContestant } from './contestant-process.js';
import type { Drive, Driven } from './drive.js';
import type { Settings } from './settings.js';
import { ENDPOINT } from './work.js';

export type Handler = (request: Request) => Promise<Response>;

/** Runs a contestant that has no port: a web-standard handler that is called where it is. */
export function runHandler(make: (settings: Settings) => Promise<Handler> | Handler): Promise<void> {
  let handler: Handler;
  const start = async (settings: Settings) => {
    handler = await make(settings);
    return 0;
  };
  return runContestant(start, (job) => drive(handler, job));
}

async function drive(handler: Handler, { requests, seconds }: Drive): Promise<Driven> {
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  let answers = 0;
  let failures = 0;
  let last: Driven['last'];
  const ask = async ({ headers, body }: Drive['requests'][number]) => {
    const init = { method: 'POST', headers, body };
    const response = await handler(new Request(`http://127.0.0.1${ENDPOINT}`, init));
    last = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
    answers++;
    if (response.status !== 200) failures++;
  };
  do {
    await Promise.all(requests.map(ask));
    // Timers and files get their turn, as they do between requests of a socket.
    await turn();
  } while (elapsed() < seconds);
  return { answers, seconds: elapsed(), failures, last: last! };
}
