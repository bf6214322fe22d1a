import type { Diagnosis } from '../../src/doctor.js';
import { freeCallback, startMcpRemote } from './mcp-remote.js';
import { connectAs } from './oauth-client.js';
import { Person } from './person.js';
import { startRelay } from './relay.js';
import { diagnoseAt, openPlace, type SeededPlace } from './seeded-place.js';
import type { Seed } from './sign-in-problems.js';

export const clients = ['v1', 'v2', 'mcp-remote'] as const;

export interface Attempt {
  /** What the client said in the end, or the text of the tool. */
  readonly said: string;
  readonly isSignedIn: boolean;
  /** The steps to which its requests belong, in their order, each once in a row. */
  readonly steps: readonly string[];
}

/** What the doctor says at the place where a client has just tried. */
export interface Met {
  readonly attempt: Attempt;
  readonly diagnosis: Diagnosis;
}

/** A real client signs in where something is wrong, and calls a tool. Then the doctor comes to the same place. */
export async function meet(client: (typeof clients)[number], seed: Seed, patienceMs?: number): Promise<Met> {
  const isProgram = client === 'mcp-remote';
  const { port, redirectUri } = isProgram ? await freeCallback() : { port: 0, redirectUri: CALLBACK };
  const place = await openPlace(seed, redirectUri);
  const steps: string[] = [];
  const send: typeof fetch = (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.href.startsWith(redirectUri)) return fetch(input, init);
    const step = stepOf(url, init);
    if (steps.at(-1) !== step) steps.push(step);
    return place.fetch(input, init);
  };
  try {
    const { clientId, tool = 'whoami' } = (await seed.doctor?.(place)) ?? {};
    const wish: Try = { person: new Person('ann', send), send, client: clientId, tool, patienceMs };
    const trying = isProgram ? byProgram(place, port, wish) : bySdk(client, place, wish);
    const said = await trying.catch((error: Error) => error.message);
    const attempt = { said, steps, isSignedIn: said === `${tool} by ann` };
    return { attempt, diagnosis: await diagnoseAt(place, seed) };
  } finally {
    await place.close();
  }
}

const CALLBACK = 'http://127.0.0.1:9/callback';

interface Try {
  readonly person: Person;
  readonly send: typeof fetch;
  readonly client: string | undefined;
  readonly tool: string;
  readonly patienceMs: number | undefined;
}

async function bySdk(version: 'v1' | 'v2', { app }: SeededPlace, { person, send, client, tool }: Try) {
  const connected = await connectAs(version, app.endpoint, person, { fetch: send, client });
  try {
    return (await connected.call(tool)).text;
  } finally {
    await connected.close();
  }
}

async function byProgram(
  { app }: SeededPlace,
  port: number,
  { person, send, client, tool, patienceMs }: Try,
) {
  const relay = await startRelay(send);
  try {
    const remote = await startMcpRemote(app.endpoint, {
      user: person,
      port,
      client,
      relay: relay.environment,
      ...(patienceMs !== undefined && { patienceMs }),
    });
    try {
      return await remote.call(tool);
    } finally {
      await remote.close();
    }
  } finally {
    await relay.close();
  }
}

/** To which step of a sign-in a request belongs. */
function stepOf({ pathname }: URL, { headers }: RequestInit): string {
  if (pathname === '/mcp') return new Headers(headers).has('authorization') ? 'call' : 'endpoint';
  if (pathname.includes('/oauth-protected-resource')) return 'metadata';
  if (/oauth-authorization-server|openid-configuration/.test(pathname)) return 'discovery';
  if (/\/reg(?:ister)?$/.test(pathname)) return 'registration';
  if (pathname.endsWith('/token')) return 'token';
  return 'authorize';
}
