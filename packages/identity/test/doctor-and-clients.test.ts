import { size } from '../../../.ci/test/support/proof.js';
import { signInSteps } from '../src/doctor/problems.js';
import { clients, meet } from './support/clients-that-sign-in.js';
import { faults } from './support/sign-in-problems.js';
import { setClockOfIssuerBack } from './support/seeded-place.js';
import { quietProvider } from './support/quiet-provider.js';

/** All three clients get around these: they try further addresses, or compare less strictly. Others do not. */
const survived = ['relative resource_metadata', 'issuer with another slash at its end'];

/** A client whose person does not come back from the issuer waits. This one waits no longer. */
const PATIENCE_MS = 15_000;

// An official client says so of a provider that keeps tokens as older versions of it did.
quietProvider('[mcp-sdk] SEP-2352');
afterEach(() => void jest.useRealTimers());

/** What a client says of a fault. The guide has the same table. */
const words: Readonly<Record<string, string>> = {
  'no metadata where the challenge says v1': 'HTTP 401: Invalid OAuth error response',
  'no metadata where the challenge says v2': 'Dynamic Client Registration rejected (HTTP 401)',
  'no DCR v1': 'Incompatible auth server: does not support dynamic client registration',
  'no DCR v2': 'Incompatible auth server: does not support dynamic client registration',
  'wrong audience v1': 'Server returned 401 after successful authentication',
  'wrong audience v2': 'Server returned 401 after re-authentication',
  'AADSTS9010010 mcp-remote': 'Request timed out',
};

/** The sample has one client for each fault, in turn. The proof has all three. */
const runs = faults.flatMap(([name, step, responsible, code, seed], index) =>
  clients
    .filter((_, turn) => size > 1 || turn === index % clients.length)
    .map((client) => ({ name, client, step, responsible, code, seed })),
);

test('there are at least 20 faults that stop a client', () => {
  expect(faults.length - survived.length).toBeGreaterThanOrEqual(20);
});

/** The client cannot sign in. At the same place, the doctor says which step it is. */
test.each(runs)('$name, met by $client: the doctor names $step', async (run) => {
  const { name, client, step, responsible, code, seed } = run;
  if (name === 'wrong clock') setClockOfIssuerBack();
  const patience = step === 'authorize' ? PATIENCE_MS : undefined;
  const { attempt, diagnosis } = await meet(client, seed, patience);
  // What was said tells why, if it is not so.
  expect(attempt).toMatchObject({
    isSignedIn: survived.includes(name),
    said: expect.stringContaining(words[`${name} ${client}`] ?? ''),
  });
  // The client came as far as the step, or read before it what made it stop.
  const furthest = Math.max(...attempt.steps.map((each) => signInSteps.indexOf(each as 'call')));
  expect(furthest).toBeGreaterThanOrEqual(signInSteps.indexOf(step as 'call') - 1);
  const { failure } = diagnosis;
  expect({ step: failure?.step, responsible: failure?.responsible, code: failure?.code }).toEqual({
    step,
    responsible,
    code,
  });
});
