import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ParamsOf } from '../../../../src/api/console-api.js';
import type { StateApi } from '../../../../src/api/state-api.js';
import { ask } from '../../data/ask.js';
import { useOverview } from '../../data/current.js';
import { notify, notifyError } from '../../ui/notices.js';

type Change = Exclude<keyof StateApi, 'state'>;

interface Props<M extends Change> {
  readonly method: M;
  readonly params: ParamsOf<M>;
  readonly label: string;
  /** What it is done to, for those who do not see the row. */
  readonly of: string;
}

/** A button that changes the server. It is there only where the console may change something. */
export function ChangeButton<M extends Change>({ method, params, label, of }: Props<M>) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  if (!useOverview()?.access.includes('change')) return null;
  const change = async () => {
    setBusy(true);
    try {
      await ask(method, params);
      notify(`${label}: ${of}`);
    } catch (error) {
      notifyError(error);
    } finally {
      setBusy(false);
      await queries.invalidateQueries({ queryKey: ['state'] });
    }
  };
  return (
    <button
      type="button"
      className="button small danger"
      aria-label={`${label} ${of}`}
      disabled={isBusy}
      onClick={() => void change()}
    >
      {label}
    </button>
  );
}
