import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { ask } from '../../data/ask.js';
import { useSurface } from '../../data/current.js';
import { CopyButton, Button, Problem } from '../../ui/pieces.js';

const lifetimes = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', '1 year'],
  ['', 'no end'],
] as const;

interface MadeKey {
  readonly id: string;
  readonly key: string;
}

/** Makes a key, and shows it this once. The page keeps it nowhere but in what is shown. */
export function NewKey({ server }: { server: string }) {
  const queries = useQueryClient();
  const { data: surface } = useSurface();
  const [made, setMade] = useState<MadeKey>();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const textOf = (name: string) => (fields.get(name) as string).trim();
    const [tenant, name, days] = [textOf('tenant'), textOf('name'), textOf('days')];
    setBusy(true);
    setProblem(undefined);
    try {
      setMade(
        await ask('createKey', {
          server,
          subject: textOf('subject'),
          scopes: textOf('scopes')
            .split(/[\s,]+/)
            .filter(Boolean),
          ...(tenant !== '' && { tenant }),
          ...(name !== '' && { name }),
          ...(days !== '' && { days: Number(days) }),
        }),
      );
      form.reset();
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['keysAndGrants'] });
    }
  };
  if (made) return <Made made={made} close={() => setMade(undefined)} />;
  return (
    <form className="card stack keys-new" onSubmit={(event) => void create(event)}>
      <h2>Make a key</h2>
      <div className="keys-fields">
        <label>
          Calls as <input name="subject" required autoComplete="off" />
        </label>
        <label>
          Of the tenant <input name="tenant" autoComplete="off" aria-describedby={`${id}-hint`} />
        </label>
        <label>
          Scopes <input name="scopes" autoComplete="off" list={id} aria-describedby={`${id}-hint`} />
        </label>
        <label>
          For <input name="name" autoComplete="off" />
        </label>
        <label>
          Ends after{' '}
          <select name="days" defaultValue="90">
            {lifetimes.map(([days, words]) => (
              <option key={days} value={days}>
                {words}
              </option>
            ))}
          </select>
        </label>
      </div>
      <datalist id={id}>
        {surface?.scopes.map((scope) => (
          <option key={scope} value={scope} />
        ))}
      </datalist>
      <p className="faint" id={`${id}-hint`}>
        Write several scopes with blanks between them. Whoever has the key calls as the subject, with these
        scopes. On a server that keeps tenants apart, name the tenant, too.
      </p>
      <Problem>{problem}</Problem>
      <div>
        <Button type="submit" look="primary" disabled={isBusy}>
          Make the key
        </Button>
      </div>
    </form>
  );
}

function Made({ made: { id, key }, close }: { made: MadeKey; close(): void }) {
  return (
    <section className="card stack" role="status" aria-label="The new key">
      <h2>Keep the key now: it is not shown again</h2>
      <code className="keys-made">{key}</code>
      <p className="faint">Its id is {id}. The server keeps a digest of it only.</p>
      <div className="row">
        <CopyButton text={() => key} label="Copy the key" />
        <Button look="small" onClick={close}>
          I have kept it
        </Button>
      </div>
    </section>
  );
}
