import type { ServerInfo } from '@toolwright/core/transport';
import { type Host, type HostFile, type HostServer, hosts, nameForHosts } from '@toolwright/hosts';

/** The style of the page. The policy of the page names it by its hash, so nothing else is a style there. */
export const landingStyle = `
:root{color-scheme:light dark;--text:#1b1f24;--back:#fff;--soft:#59636e;--box:#f3f5f7;--line:#d1d9e0;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--text:#e6e9ed;--back:#14171b;--soft:#a3adb8;--box:#1e2329;--line:#39424d;--link:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:44rem;padding:2rem 1rem 4rem;font:1rem/1.55 system-ui,sans-serif;color:var(--text);background:var(--back)}
header{display:flex;gap:1rem;align-items:center}
header img{width:3.5rem;height:3.5rem;object-fit:contain}
h1{margin:0;font-size:1.75rem;line-height:1.2}
h2{margin:2.25rem 0 .5rem;font-size:1.25rem}
h3{margin:0 0 .5rem;font-size:1.05rem}
h1,p,li{overflow-wrap:anywhere}
.sign-in h2{margin-top:0}
.soft{color:var(--soft)}
.host,.sign-in{margin:1rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
.host>:last-child,.sign-in>:last-child{margin-bottom:0}
pre{margin:.5rem 0;padding:.75rem;border-radius:.375rem;background:var(--box);white-space:pre-wrap;overflow-wrap:anywhere}
code{font:.875rem/1.5 ui-monospace,monospace}
a,summary{color:var(--link)}
summary{cursor:pointer}
a:focus-visible,summary:focus-visible{outline:3px solid var(--link);outline-offset:2px}
`;

/** The SHA-256 of `landingStyle`. A test compares them. */
export const LANDING_STYLE_HASH = 'sha256-f7ZdHM7fcjmHzoeETGSYNBXRuYhihGSg51GW4JjFHa0=';

/** Text that is HTML already. Everything else is escaped where `html` puts it. */
class Html {
  constructor(readonly text: string) {}
}

type Part = string | Html | undefined | readonly (string | Html | undefined)[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Builds HTML. A part that is not an `Html` can stand in text and in quoted attributes; it never becomes markup. */
function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((whole, text, index) => whole + write(parts[index - 1]) + text));
}

function write(part: Part): string {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
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
export function landingPage({ info, url, signIn, icon }: LandingFacts): string {
  const title = info.title ?? info.name;
  // The page without access shows no version: a version tells an attacker which flaws a server has.
  const version = signIn === undefined ? html`<p class="soft">Version ${info.version}</p>` : undefined;
  const server = serverOf(info, url, signIn);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${icon ?? 'data:,'}" />
        ${style}
      </head>
      <body>
        <main>
          <header>
            ${icon && html`<img src="${icon}" alt="" />`}
            <h1 dir="auto">${title}</h1>
          </header>
          ${info.description && html`<p dir="auto">${info.description}</p>`}
          <p>
            This is an MCP server. It gives tools to AI applications. Connect such an application to this
            address:
          </p>
          <pre><code>${url}</code></pre>
          ${version} ${websiteOf(info)} ${signIn && signInSection(signIn)}
          <h2>How to connect</h2>
          ${hosts.map((host) => hostSection(host, server))}
        </main>
      </body>
    </html> `.text;
}

/** Exactly the text that the policy names by its hash. */
const style = new Html(`<style>${landingStyle}</style>`);

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
  return html`<section class="sign-in">
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
  return html`<section class="host">
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
