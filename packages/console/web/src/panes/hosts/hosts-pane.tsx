import { hosts, type Host } from '@toolwright/http/hosts';
import { useState } from 'react';
import { useOverview, useServer } from '../../data/current.js';
import { hrefOf, useRoute } from '../../shell/route.js';
import { Chips } from '../../ui/chips.js';
import { Empty } from '../../ui/empty.js';
import { HostView } from './host-view.js';
import { serverFor, type Transport } from './server-for.js';
import './hosts.css';

/** How the programs that use MCP servers are told of this one. */
export default function HostsPane() {
  const overview = useOverview();
  const [server] = useServer();
  const [wanted, setWanted] = useState<Transport>();
  const [needsToken, setNeedsToken] = useState(false);
  const { rest } = useRoute();
  const chosen = hosts.find(({ id }) => id === rest[0]) ?? hosts[0]!;
  const ways = transports.filter(
    (each) => overview?.[each === 'http' ? 'endpoint' : 'command'] !== undefined,
  );
  const transport = wanted && ways.includes(wanted) ? wanted : ways[0];
  if (!overview || !server) return null;
  if (!transport)
    return (
      <Empty title="The server cannot be reached yet">
        A host needs a URL or a command. The console knows them as soon as the app listens, or serves over
        stdio.
      </Empty>
    );
  return (
    <div className="split">
      <div className="side">
        <div className="stack choice-head">
          {ways.length > 1 && (
            <Chips label="How the host reaches the server" items={ways} chosen={transport} choose={setWanted}>
              {(each) => titles[each]}
            </Chips>
          )}
          {transport === 'http' && (
            <label className="row">
              <input
                type="checkbox"
                checked={needsToken}
                onChange={({ target }) => setNeedsToken(target.checked)}
              />
              It needs a bearer token
            </label>
          )}
        </div>
        <Choice chosen={chosen} />
      </div>
      <div className="detail">
        <HostView
          key={chosen.id}
          host={chosen}
          server={serverFor(server, { overview, transport, needsToken })}
        />
      </div>
    </div>
  );
}

const transports: readonly Transport[] = ['http', 'stdio'];
const titles: Readonly<Record<Transport, string>> = { http: 'Over HTTP', stdio: 'As a program' };

function Choice({ chosen }: { chosen: Host }) {
  return (
    <nav className="host-list" aria-label="Hosts">
      <ul>
        {hosts.map((host) => (
          <li key={host.id}>
            <a
              className="choice"
              href={hrefOf('hosts', host.id)}
              aria-current={host === chosen ? 'true' : undefined}
            >
              {host.title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
