import type { Host, HostFile, HostServer } from '@toolwright/http/hosts';
import { ExternalLink, Plug } from 'lucide-react';
import { CopyButton } from '../../ui/copy-button.js';
import { Facts } from '../../ui/facts.js';

/** How one host is told of the server: each way that it has, the shortest first. */
export function HostView({ host, server }: { host: Host; server: HostServer }) {
  const { title, source, file } = host;
  const { refusal, command, link, config, steps } = host.setUp(server);
  return (
    <article className="stack host">
      <h2>{title}</h2>
      {refusal !== undefined && <p className="problem">{refusal}</p>}
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
