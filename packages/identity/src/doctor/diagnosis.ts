import { type ObservedStep, showHiddenInLine, type SignInDiagnosis } from '@toolwright/json';
import type { SignInProblemCode, SignInStep, ResponsibleParty } from './problems.js';

/** One step of the time line. */
export type StepReport = ObservedStep<SignInStep>;

/** The sign-in, step by step, and what is wrong. It holds no token, no code and no secret. */
export type Diagnosis = SignInDiagnosis<SignInStep, SignInProblemCode, ResponsibleParty>;

const people: Readonly<Record<ResponsibleParty, string>> = {
  server: 'who runs the MCP server',
  issuer: 'who runs the issuer',
  between: 'who runs what is between (a proxy, a CDN, a firewall)',
  clock: 'who runs the machine with the wrong clock',
  person: 'the person who signs in',
  client: 'who set the client up',
};

const marks = { ok: 'ok', failed: 'FAILED', 'left out': '-' } as const;

/** The diagnosis for people. What servers say in it cannot pass for a line of its own. */
export function diagnosisText({ url, steps, failure, isSignedIn }: Diagnosis): string {
  const lines = steps.flatMap(({ step, outcome, ms, notes, exchanges }) => [
    `${step.padEnd(13)} ${marks[outcome].padEnd(7)} ${String(Math.round(ms)).padStart(6)} ms  ${notes[0] ?? ''}`.trimEnd(),
    ...notes.slice(1).map((note) => `${' '.repeat(33)}${note}`),
    ...exchanges.map(
      ({ method, url: asked, status }) => `${' '.repeat(33)}${method} ${asked} ${status ?? 'no answer'}`,
    ),
  ]);
  const end = failure
    ? [
        `The step "${failure.step}" failed (${failure.code}).`,
        `  What happened: ${failure.problem}`,
        `  Who can repair it: ${people[failure.responsible]}.`,
        `  What to do: ${failure.advice}`,
      ]
    : [isSignedIn ? 'The sign-in works.' : 'No step failed; the steps after it were left out.'];
  return [`Sign-in at ${url}`, '', ...lines, '', ...end, ''].map(showHiddenInLine).join('\n');
}
