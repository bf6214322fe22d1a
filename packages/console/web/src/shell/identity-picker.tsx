import { UserRound } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { Identity } from '../../../src/api/surface-api.js';
import { useIdentity, useOverview, useSurface } from '../data/current.js';
import { Button, Problem } from '../ui/pieces.js';

/** Chooses as whom the console calls: nobody, or a subject with scopes. */
export function IdentityPicker() {
  const [identity, set] = useIdentity();
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    setOpen(true);
    dialog.current?.showModal();
  };
  const close = () => dialog.current?.close();
  return (
    <>
      <Button className="identity-button" onClick={open} title="As whom the console calls">
        <UserRound size={16} aria-hidden />
        <span>{identity ? identity.subject : 'anonymous'}</span>
      </Button>
      <dialog ref={dialog} className="dialog" aria-label="As whom" onClose={() => setOpen(false)}>
        {isOpen && (
          <IdentityForm
            initial={identity}
            apply={(next) => {
              set(next);
              close();
            }}
            close={close}
          />
        )}
      </dialog>
    </>
  );
}

interface FormProps {
  initial: Identity | undefined;
  apply: (identity: Identity | undefined) => void;
  close: () => void;
}

function IdentityForm({ initial, apply, close }: FormProps) {
  const { data: surface } = useSurface();
  const testUsers = useOverview()?.testUsers ?? [];
  const [subject, setSubject] = useState(initial?.subject ?? '');
  const [scopes, setScopes] = useState((initial?.scopes ?? []).join(' '));
  const [claims, setClaims] = useState(initial?.claims ? JSON.stringify(initial.claims) : '');
  const [problem, setProblem] = useState<string>();
  const ids = { subject: useId(), scopes: useId(), claims: useId(), known: useId() };
  const chosen = scopes.split(/\s+/).filter(Boolean);
  const toggle = (scope: string) =>
    setScopes(
      (chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope]).join(' '),
    );
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (subject.trim() === '') return apply(undefined);
    try {
      const read = claims.trim() === '' ? undefined : (JSON.parse(claims) as Record<string, unknown>);
      apply({ subject: subject.trim(), scopes: chosen, ...(read && { claims: read }) });
    } catch {
      setProblem('The claims are no JSON object. Expected: {"tenant":"a"}');
    }
  };
  return (
    <form onSubmit={submit} className="stack">
      <h2>As whom</h2>
      <p className="faint">
        Lists and calls of the console then are those of this caller. Leave the subject empty for an anonymous
        caller.
      </p>
      {testUsers.length > 0 && (
        <div className="chips" role="group" aria-label="Test users of the local issuer">
          {testUsers.map((user) => (
            <Button key={user.subject} className="chip" onClick={() => apply(user)}>
              {user.subject}: {user.scopes.join(' ') || 'no scope'}
            </Button>
          ))}
        </div>
      )}
      <label htmlFor={ids.subject}>Subject</label>
      <input id={ids.subject} value={subject} onChange={({ target }) => setSubject(target.value)} autoFocus />
      <label htmlFor={ids.scopes}>Scopes, separated by spaces</label>
      <input id={ids.scopes} value={scopes} onChange={({ target }) => setScopes(target.value)} />
      {(surface?.scopes.length ?? 0) > 0 && (
        <div className="chips" role="group" aria-label="Scopes that the server asks for">
          {surface!.scopes.map((scope) => (
            <Button
              key={scope}
              className="chip"
              aria-pressed={chosen.includes(scope)}
              onClick={() => toggle(scope)}
            >
              {scope}
            </Button>
          ))}
        </div>
      )}
      <label htmlFor={ids.claims}>Claims, as a JSON object</label>
      <input id={ids.claims} value={claims} onChange={({ target }) => setClaims(target.value)} />
      <Problem>{problem}</Problem>
      <div className="row end">
        <Button onClick={close}>Cancel</Button>
        <Button type="submit" look="primary">
          Use
        </Button>
      </div>
    </form>
  );
}
