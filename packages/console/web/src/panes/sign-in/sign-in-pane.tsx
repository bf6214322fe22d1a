import { ExternalLink, Stethoscope } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { ObservedStep, SignInDiagnosis } from '../../../../../json/src/base/shown-records.js';
import type { ObservedSignIn } from '../../../../src/api/sign-in-api.js';
import { useAct, useAsk } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { Badge, Empty, type Tone, Button, Problem } from '../../ui/pieces.js';
import { formatClock, formatMs } from '../../ui/words.js';
import './sign-in.css';

/** Signs in at a server step by step, as a client does, and shows which step fails, who can repair it and what to do. */
export default function SignInPane() {
  const endpoint = useOverview()?.endpoint ?? '';
  const { data: signIn } = useAsk('signIn', {});
  const start = useAct('startSignIn');
  const [typed, setTyped] = useState<string>();
  const id = useId();
  const url = typed ?? signIn?.url ?? endpoint;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ url });
  };
  return (
    <div className="sign-in">
      <form className="sign-in-form" onSubmit={submit}>
        <label htmlFor={id}>The endpoint of the server</label>
        <div className="row">
          <input
            id={id}
            className="grow"
            type="url"
            required
            value={url}
            onChange={({ target }) => setTyped(target.value)}
          />
          <Button type="submit" look="primary" disabled={start.isPending}>
            <Stethoscope size={15} aria-hidden /> Sign in
          </Button>
        </div>
      </form>
      <Problem>{start.error?.message}</Problem>
      {signIn ? (
        <Progress signIn={signIn} />
      ) : (
        <Empty title="Find out why a sign-in fails">
          The doctor takes the steps of a client: it reads the metadata, registers, signs in and calls. Then
          it says which step fails, who can repair it and what to do.
        </Empty>
      )}
    </div>
  );
}

function Progress({ signIn: { url, page, diagnosis, problem } }: { signIn: ObservedSignIn }) {
  if (problem !== undefined) return <p className="problem">{problem}</p>;
  if (diagnosis) return <DiagnosisView diagnosis={diagnosis} />;
  if (page === undefined)
    return (
      <p className="loading" role="status">
        Taking the first steps at {url}…
      </p>
    );
  return (
    <section className="card stack" role="status">
      <h2>Sign in as you would from your client</h2>
      <p>
        <a className="button primary" href={page} target="_blank" rel="noreferrer">
          <ExternalLink size={15} aria-hidden /> Open the page of the issuer
        </a>
      </p>
      <p className="faint">The doctor waits five minutes for its answer, and then goes on by itself.</p>
    </section>
  );
}

const people: Readonly<Record<string, string>> = {
  server: 'who runs the MCP server',
  issuer: 'who runs the issuer',
  between: 'who runs what is between: a proxy, a CDN, a firewall',
  clock: 'who runs the machine with the wrong clock',
  person: 'the person who signs in',
  client: 'who set the client up',
};

function DiagnosisView({ diagnosis: { steps, failure, isSignedIn } }: { diagnosis: SignInDiagnosis }) {
  return (
    <>
      <section className="card stack" role="status">
        {failure ? (
          <>
            <h2>
              The step “{failure.step}” failed <Badge tone="bad">{failure.code}</Badge>
            </h2>
            <dl className="facts">
              <div className="wide">
                <dt>What happened</dt>
                <dd>{failure.problem}</dd>
              </div>
              <div className="wide">
                <dt>Who can repair it</dt>
                <dd>{people[failure.responsible] ?? failure.responsible}</dd>
              </div>
              <div className="wide">
                <dt>What to do</dt>
                <dd>{failure.advice}</dd>
              </div>
            </dl>
          </>
        ) : (
          <h2>{isSignedIn ? 'The sign-in works' : 'No step failed'}</h2>
        )}
      </section>
      <ol className="sign-in-steps" aria-label="Steps of the sign-in">
        {steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
    </>
  );
}

const tones: Readonly<Record<ObservedStep['outcome'], Tone>> = {
  ok: 'good',
  failed: 'bad',
  'left out': 'plain',
};

function Step({ step: { step, outcome, at, ms, notes, exchanges } }: { step: ObservedStep }) {
  return (
    <li className="card stack">
      <div className="row">
        <h3 className="grow">{step}</h3>
        <span className="faint">
          {formatClock(at)} · {formatMs(ms)}
        </span>
        <Badge tone={tones[outcome]}>{outcome}</Badge>
      </div>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {exchanges.length > 0 && (
        <ul className="sign-in-requests" aria-label={`Requests of ${step}`}>
          {exchanges.map(({ method, url, status }, index) => (
            <li key={index}>
              <code>
                {method} {url}
              </code>{' '}
              <span className="faint">{status ?? 'no answer'}</span>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
