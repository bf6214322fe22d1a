import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ParamsOf } from '../../../../src/api/console-api.js';
import type { ApiKey, UserGrant } from '../../../../../json/src/base/shown-records.js';
import { ask, useAsk } from '../../data/ask.js';
import { useOverview, useServer } from '../../data/current.js';
import { notify, notifyError } from '../../ui/notices.js';
import { Badge, Empty, Button } from '../../ui/pieces.js';
import { StateTable } from '../state/state-table.js';
import { NewKey } from './new-key.js';
import './keys.css';

/** The API keys of the server, and what its users have granted to it. Nothing here can be used to call anything. */
export default function KeysPane() {
  const [server] = useServer();
  const { data, error } = useAsk('keysAndGrants', server && { server: server.id });
  const { access = [] } = useOverview() ?? {};
  if (error) return <Empty title="The keys cannot be shown">{error.message}</Empty>;
  if (!data || !server) return <p className="loading">Loading…</p>;
  const { keys, grants, counts } = data;
  if (!keys && !grants)
    return (
      <Empty title="This server keeps no keys and no grants">
        Make keys with <code>apiKeys</code> of <code>@toolwright/identity</code>, and write{' '}
        <code>await keys.attach(server)</code>. Grants of users come with the option <code>exchange</code>.
      </Empty>
    );
  const mayCreate = access.includes('change') && access.includes('call');
  return (
    <div className="pane-of-lists keys" tabIndex={0} role="region" aria-label="Keys and grants">
      {keys && mayCreate && <NewKey server={server.id} />}
      {keys && (
        <StateTable
          title="API keys"
          count={counts.keys}
          columns={['Key', 'For', 'Calls as', 'Scopes', 'Made', 'Ends', 'Used last']}
          rows={keys.map((key) => keyRow(key, server.id))}
        />
      )}
      {grants && (
        <StateTable
          title="Grants of users"
          count={counts.grants}
          columns={['User', 'Access to', 'Scopes', 'Granted', 'Refreshed']}
          rows={grants.map((grant) => grantRow(grant, server.id))}
        />
      )}
    </div>
  );
}

function keyRow(key: ApiKey, server: string) {
  const { id, name, subject, tenant, issuer, scopes, created, expires, lastUsed } = key;
  return {
    key: id,
    cells: [
      <code key="id">{id}</code>,
      name ?? '',
      <Person key="subject" of={{ subject, tenant, issuer }} />,
      scopes.join(' ') || 'none',
      timeOf(created),
      expires === undefined ? 'never' : timeOf(expires),
      lastUsed === undefined ? 'never' : timeOf(lastUsed),
    ],
    action: <RevokeButton method="revokeKey" params={{ server, id }} of={`key ${id}`} />,
  };
}

function grantRow(grant: UserGrant, server: string) {
  const { id, subject, tenant, issuer, resource, scopes, created, renewed, revoked } = grant;
  return {
    key: id,
    cells: [
      <Person key="subject" of={{ subject, tenant, issuer }} />,
      resource,
      scopes.join(' ') || 'none',
      timeOf(created),
      revoked ? (
        <Badge key="state" tone="warn">
          ended here, not at its issuer
        </Badge>
      ) : (
        timeOf(renewed)
      ),
    ],
    action: <RevokeButton method="revokeGrant" params={{ server, id }} of={`${resource} of ${subject}`} />,
  };
}

type Of = Pick<ApiKey, 'subject' | 'tenant' | 'issuer'>;

const Person = ({ of: { subject, tenant, issuer } }: { of: Of }) => (
  <span title={issuer}>{tenant === undefined ? subject : `${subject} (${tenant})`}</span>
);

function timeOf(time: number): ReactNode {
  const iso = new Date(time).toISOString();
  return <time dateTime={iso}>{iso.slice(0, 16).replace('T', ' ')}</time>;
}

/** Ends a key or a grant at the second press: nobody can take it back. It is there only where the console may change something. */
function RevokeButton<M extends 'revokeKey' | 'revokeGrant'>({
  method,
  params,
  of,
}: {
  method: M;
  params: ParamsOf<M>;
  of: string;
}) {
  const queries = useQueryClient();
  const [step, setStep] = useState<'idle' | 'asked' | 'busy'>('idle');
  if (!useOverview()?.access.includes('change')) return null;
  const revoke = async () => {
    setStep('busy');
    try {
      const done = (await ask(method, params)) as { outcome?: string; reason?: string };
      if (done.outcome === 'failed')
        notifyError(
          new Error(`Tools cannot use it any more, but its issuer has not ended it: ${done.reason ?? ''}`),
        );
      else notify(`Revoked: ${of}`);
    } catch (error) {
      notifyError(error);
    } finally {
      setStep('idle');
      await queries.invalidateQueries({ queryKey: ['keysAndGrants'] });
    }
  };
  const label = step === 'idle' ? 'Revoke' : 'Revoke it now';
  return (
    <Button
      look="small danger"
      aria-label={`${label}: ${of}`}
      disabled={step === 'busy'}
      onClick={() => (step === 'idle' ? setStep('asked') : void revoke())}
      onBlur={() => step === 'asked' && setStep('idle')}
    >
      {label}
    </Button>
  );
}
