import type { ServerInfo } from '@toolwright/core';
import type { HostServer } from '../hosts/host-server.js';
import type { Host, HostFile } from '../hosts/host.js';
import { hosts } from '../hosts/hosts.js';
import { nameForHosts } from '../hosts/name-for-hosts.js';
import { Html, html } from './html.js';
import { landingStyle } from './landing-style.js';

/** With OAuth, with a bearer token from elsewhere, or in some other way. */
export type SignIn = 'oauth' | 'bearer' | 'other';

/** What the page shows. */
export interface LandingFacts {
  readonly info: ServerInfo;
  /** The URL of the endpoint. */
  readonly url: string;
  /** How a caller that was not let in signs in; `undefined` for a caller that may use the server. */
  readonly signIn: SignIn | undefined;
  /** The source of the icon, if there is one that the page may show. */
  readonly icon: string | undefined;
}

/** The page for a person who opens the endpoint in a browser. */
export function landingPage({ info, url, signIn, icon }: LandingFacts): string {
  const title = info.title ?? info.name;
  // Whoever is not let in learns no version: it tells which faults a server has.
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

const howToSignIn: Readonly<Record<SignIn, string>> = {
  oauth: 'Connect your application first. It opens the page on which you sign in.',
  bearer: 'Ask whoever runs it for a token. Keep the token in the environment variable that is named below.',
  other: 'Ask whoever runs it how to sign in.',
};

function signInSection(signIn: SignIn): Html {
  return html`<section class="sign-in">
    <h2>Sign in</h2>
    <p>This server only serves people who sign in. ${howToSignIn[signIn]}</p>
  </section>`;
}

function serverOf({ name, description }: ServerInfo, url: string, signIn: SignIn | undefined): HostServer {
  const server = { name, description, url };
  if (signIn !== 'bearer') return server;
  const variable = `${nameForHosts(name).replaceAll('-', '_').toUpperCase()}_TOKEN`;
  return { ...server, headers: { Authorization: { before: 'Bearer ', variable } } };
}

/** Nothing for a host that cannot use this server, such as a cloud for a server of this machine. */
function hostSection({ title, file, setUp }: Host, server: HostServer): Html | undefined {
  const { refusal, link, command, config, steps } = setUp(server);
  if (refusal !== undefined) return undefined;
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
