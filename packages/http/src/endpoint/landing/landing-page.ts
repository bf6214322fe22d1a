import type { ServerInfo } from '@toolwright/core/transport';
import { escapeHtml, type PageContent } from '@toolwright/json';
import { type Host, type HostFile, type HostServer, hosts, nameForHosts } from '@toolwright/hosts';

/** Text that is HTML already. Everything else is escaped where `html` puts it. */
class Html {
  constructor(readonly text: string) {}
}

type Part = string | Html | undefined | readonly (string | Html | undefined)[];

/** Builds HTML. A part that is not an `Html` can stand in text and in quoted attributes; it never becomes markup. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((whole, text, index) => whole + write(parts[index - 1]) + text));
}

function write(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return escapeHtml(part);
  return part.map(write).join('');
}

/** With OAuth, with a bearer token from elsewhere, or in some other way. */
export type SignInWay = 'oauth' | 'bearer' | 'other';

/** What the page shows. */
interface LandingFacts {
  readonly info: ServerInfo;
  /** The URL of the endpoint. */
  readonly url: string;
  /** How a caller that was not let in signs in; `undefined` for a caller that may use the server. */
  readonly signIn: SignInWay | undefined;
  /** The source of the icon, if there is one that the page may show. */
  readonly icon: string | undefined;
}

/** The page for a person who opens the endpoint in a browser. */
export function landingPage({ info, url, signIn, icon }: LandingFacts): PageContent {
  const title = info.title ?? info.name;
  // The page without access shows no version: a version tells an attacker which flaws a server has.
  const version = signIn === undefined ? html`<p class="soft">Version ${info.version}</p>` : undefined;
  const server = serverOf(info, url, signIn);
  const body = html`<header>
      ${icon && info.brand?.logo === undefined ? html`<img src="${icon}" alt="" />` : undefined}
      <h1 dir="auto">${title}</h1>
    </header>
    ${info.description && html`<p dir="auto">${info.description}</p>`}
    <p>
      This is an MCP server. It gives tools to AI applications. Connect such an application to this address:
    </p>
    <pre><code>${url}</code></pre>
    ${version} ${websiteOf(info)} ${signIn && signInSection(signIn)}
    <h2>How to connect</h2>
    ${hosts.map((host) => hostSection(host, server))}`;
  const head = html`<link rel="icon" href="${icon ?? 'data:,'}" />`;
  return { title: escapeHtml(title), body: body.text, head: head.text };
}

function websiteOf({ websiteUrl }: ServerInfo): Html | undefined {
  if (websiteUrl === undefined || !/^https?:\/\//i.test(websiteUrl)) return undefined;
  return html`<p><a href="${websiteUrl}" rel="noreferrer noopener">${websiteUrl}</a></p>`;
}

const howToSignIn: Readonly<Record<SignInWay, string>> = {
  oauth: 'Connect your application first. It opens the page on which you sign in.',
  bearer: 'Ask whoever runs it for a token. Keep the token in the environment variable that is named below.',
  other: 'Ask whoever runs it how to sign in.',
};

function signInSection(signIn: SignInWay): Html {
  return html`<section class="box">
    <h2>Sign in</h2>
    <p>This server only serves people who sign in. ${howToSignIn[signIn]}</p>
  </section>`;
}

function serverOf({ name, description }: ServerInfo, url: string, signIn: SignInWay | undefined): HostServer {
  const server = { name, description, url };
  if (signIn !== 'bearer') return server;
  const variable = `${nameForHosts(name).replaceAll('-', '_').toUpperCase()}_TOKEN`;
  return { ...server, headers: { Authorization: { before: 'Bearer ', variable } } };
}

/** Nothing for a host that cannot use this server, such as a cloud for a server of this machine. */
function hostSection({ title, file, setUp }: Host, server: HostServer): Html | undefined {
  const { problem, link, command, config, steps } = setUp(server);
  if (problem !== undefined) return undefined;
  return html`<section class="box">
    <h3>${title}</h3>
    ${link && html`<p><a href="${link}">Add to ${title}</a></p>`}
    ${
      command &&
      html`<p>Run this in a terminal:</p>
        <pre><code>${command}</code></pre>`
    }
    ${
      steps &&
      html`<ol>
        ${steps.map((step) => html`<li>${step}</li>`)}
      </ol>`
    }
    ${
      config &&
      html`<details>
        <summary>Settings of ${title}</summary>
        ${file && fileOf(file)}
        <pre><code>${config.text}</code></pre>
      </details>`
    }
  </section> `;
}

function fileOf({ darwin, win32, linux }: HostFile): Html {
  if (darwin === linux && win32.replaceAll('\\', '/') === linux)
    return html`<p>File: <code>${linux}</code></p>`;
  return html`<p>
    File on macOS: <code>${darwin}</code>, on Windows: <code>${win32}</code>, on Linux: <code>${linux}</code>
  </p>`;
}
