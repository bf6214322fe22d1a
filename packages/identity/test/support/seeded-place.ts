import { startDevIssuer, type DevIssuer } from '../../src/dev.js';
import { type Diagnosis, diagnoseSignIn } from '../../src/doctor.js';
import { startGuardedApp } from './guarded-app.js';
import { Person } from './person.js';
import type { Place, Seed } from './sign-in-problems.js';

/** A server and an issuer with one fault between them. */
export interface SeededPlace extends Place {
  /** Sends requests as a program at this place does: what is between may change the answers. */
  readonly fetch: typeof fetch;
  close(): Promise<void>;
}

export async function openPlace(seed: Seed, redirect: string): Promise<SeededPlace> {
  const closing: (() => Promise<void>)[] = [];
  const issuerFor = async (resource: string): Promise<DevIssuer> => {
    const issuer = await startDevIssuer({ resource });
    closing.push(() => issuer.close());
    return issuer;
  };
  const app = await startGuardedApp(seed.lockedTools && { lockedTools: seed.lockedTools });
  closing.push(() => app.close());
  const issuer = await issuerFor(seed.resource ?? app.endpoint);
  const place: Place = { app, issuer, redirect, anotherIssuer: issuerFor };
  app.trust(issuer.issuer, await seed.server?.(place));
  return {
    ...place,
    fetch(input, init = {}) {
      const url = new URL(input instanceof Request ? input.url : input);
      const pass = () => fetch(input, init);
      return seed.between ? seed.between(place, url, init, pass) : pass();
    },
    async close() {
      for (const close of closing.reverse()) await close();
    },
  };
}

/** The doctor signs in at the same place, with the same fault. */
export async function diagnoseAt(place: SeededPlace, seed: Seed): Promise<Diagnosis> {
  const person = new Person('ann');
  const { endpoint } = place.app;
  return diagnoseSignIn(seed.address?.(endpoint) ?? endpoint, {
    fetch: place.fetch,
    redirectUri: place.redirect,
    openPage: (url) => person.signIn(url),
    ...(await seed.doctor?.(place)),
  });
}

/** Only the date is not the real one: what waits goes on. */
const REAL = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as never;

/** The issuer asks `Date` for the time. Servers have a clock of their own, which stays right. */
export function setClockOfIssuerBack(): void {
  jest.useFakeTimers({ now: Date.now() - 7_200_000, doNotFake: REAL });
}
