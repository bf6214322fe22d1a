import { type Host, type HostFile, type HostServer, hosts } from '@toolwright/hosts';
import { ExternalLink, Plug } from 'lucide-react';
import { useState } from 'react';
import type { Overview, ServerSummary } from '../../../../src/api/overview-api.js';
import { useOverview, useServer } from '../../data/current.js';
import { hrefOf, useRoute } from '../../shell/route.js';
import { Badge, Chips, CopyButton, Empty, Facts } from '../../ui/pieces.js';
import { Split } from '../../ui/split.js';
import './hosts.css';

/** How people add this server to the programs that use MCP servers. */
export default function HostsPane() {
  const overview = useOverview();
  const [server] = useServer();
  const [wanted, setWanted] = useState<Transport>();
  const [needsToken, setNeedsToken] = useState(false);
  const { rest } = useRoute();
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
  const described = serverFor(server, { overview, transport, needsToken });
  // The list begins with a host that can use the server as it is.
  const works = (host: Host) => host.setUp(described).problem === undefined;
  const chosen = hosts.find(({ id }) => id === rest[0]) ?? hosts.find(works) ?? hosts[0]!;
  return (
    <Split
      name="hosts"
      title="Hosts"
      back={hrefOf('hosts')}
      isChosen={rest[0] !== undefined}
      side={
        <>
          <div className="stack choice-head">
            {ways.length > 1 && (
              <Chips
                label="How the host reaches the server"
                items={ways}
                chosen={transport}
                choose={setWanted}
              >
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
          <Choice chosen={chosen} works={works} />
        </>
      }
      detail={<HostView key={chosen.id} host={chosen} server={described} />}
    />
  );
}

const transports: readonly Transport[] = ['http', 'stdio'];
const titles: Readonly<Record<Transport, string>> = { http: 'Over HTTP', stdio: 'As a program' };

function Choice({ chosen, works }: { chosen: Host; works: (host: Host) => boolean }) {
  const sorted = [...hosts.filter(works), ...hosts.filter((host) => !works(host))];
  return (
    <nav className="host-list" aria-label="Hosts">
      <ul>
        {sorted.map((host) => (
          <li key={host.id}>
            <a
              className="choice"
              href={hrefOf('hosts', host.id)}
              aria-current={host === chosen ? 'true' : undefined}
            >
              <span className="choice-name">{host.title}</span>
              {!works(host) && <Badge>needs more</Badge>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The ways to add the server to one host, the shortest first. */
function HostView({ host, server }: { host: Host; server: HostServer }) {
  const { title, source, file } = host;
  const { problem, command, link, config, steps } = host.setUp(server);
  return (
    <article className="stack host">
      <h2>{title}</h2>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {link !== undefined && (
        <section className="card stack">
          <h3>With one click</h3>
          <p>
            <a className="button primary" href={link}>
              <Plug size={15} aria-hidden /> Add to {title}
            </a>
          </p>
          <p className="faint">The link opens {title}, which asks before it adds the server.</p>
        </section>
      )}
      {command !== undefined && (
        <section className="card stack">
          <div className="row">
            <h3 className="grow">With a command</h3>
            <CopyButton text={() => command} />
          </div>
          <pre>{command}</pre>
        </section>
      )}
      {config && (
        <section className="card stack">
          <div className="row">
            <h3 className="grow">In its file of settings</h3>
            <CopyButton text={() => config.text} />
          </div>
          {file && <Paths file={file} />}
          <pre>{config.text}</pre>
        </section>
      )}
      {steps && steps.length > 0 && (
        <section className="card stack">
          <h3>By hand</h3>
          <ol className="steps-by-hand">
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      )}
      <p>
        <a href={source} target="_blank" rel="noreferrer">
          <ExternalLink size={14} aria-hidden /> What {title} says about this
        </a>
      </p>
    </article>
  );
}

function Paths({ file: { darwin, win32, linux, folderVariable } }: { file: HostFile }) {
  return (
    <Facts
      facts={[
        { name: 'macOS', value: <code>{darwin}</code> },
        { name: 'Windows', value: <code>{win32}</code> },
        { name: 'Linux', value: <code>{linux}</code> },
        { name: 'Another folder', value: folderVariable && <code>${folderVariable}</code> },
      ]}
    />
  );
}

type Transport = 'http' | 'stdio';

interface Choices {
  readonly overview: Overview;
  readonly transport: Transport;
  readonly needsToken: boolean;
}

/** The server as the settings of a host name it. A token is never in a setting: a variable names it. */
function serverFor(server: ServerSummary, { overview, transport, needsToken }: Choices): HostServer {
  const { name, title } = server;
  const known = { name, ...(title !== undefined && { description: title }) };
  const { endpoint = '', command } = overview;
  if (transport === 'stdio' && command) return { ...known, command: command.program, args: command.args };
  if (!needsToken) return { ...known, url: endpoint };
  const variable = `${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}_TOKEN`;
  return { ...known, url: endpoint, headers: { Authorization: { before: 'Bearer ', variable } } };
}
