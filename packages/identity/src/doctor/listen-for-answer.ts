import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { OpenPage } from './authorize.js';
import { SignInProblem } from './problems.js';

/** How long a person may take to sign in. */
const PATIENCE_MS = 300_000;

const DONE = 'The doctor has the answer of the issuer. You may close this page.';

export interface AnswerListener {
  readonly redirectUri: string;
  readonly openPage: OpenPage;
  close(): void;
}

/**
 * Listens on loopback for the answer of the issuer, as clients on a computer do (RFC 8252).
 *
 * @param show shows a person the address to open
 */
export async function listenForAnswer(show: (url: string) => void): Promise<AnswerListener> {
  let arrived: (path: string) => void = () => undefined;
  let giveUp: () => void = () => undefined;
  const server = createServer((req, res) => {
    const isAnswer = req.url!.startsWith('/callback?');
    res.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' });
    res.end(isAnswer ? DONE : '');
    if (isAnswer) arrived(req.url!);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    redirectUri: `${origin}/callback`,
    openPage: (url) =>
      new Promise((resolve, reject) => {
        const late = () =>
          reject(new SignInProblem('person-refused', 'Nobody signed in within five minutes.'));
        const timer = setTimeout(late, PATIENCE_MS);
        giveUp = () => {
          clearTimeout(timer);
          reject(new SignInProblem('person-refused', 'The sign-in was given up.'));
        };
        arrived = (path) => {
          clearTimeout(timer);
          resolve(new URL(path, origin));
        };
        show(url.href);
      }),
    close() {
      giveUp();
      server.close();
      server.closeAllConnections();
    },
  };
}
