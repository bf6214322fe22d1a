import { type HostServer, type HostSetup, isRemote, type LocalServer } from './host.js';
import { firstVariable, present, yamlConfig } from './write-settings.js';

/** Seconds, as in the examples of Goose's documentation. */
const TIMEOUT_S = 300;
/** A link may start only these programs. */
const LINKED = ['jbang', 'npx', 'uvx', 'goosed', 'docker'];

/** Goose keeps secrets in the keychain of the system, and asks its person for them. */
export function setUpGoose(server: HostServer): HostSetup {
  const { name } = server;
  const variable = firstVariable(isRemote(server) ? server.headers : server.env);
  if (variable !== undefined)
    return {
      steps: [
        'In Goose, open Extensions, and choose Add custom extension.',
        `Enter ${whatToEnter(server)}, and ${variable} with its value. Goose keeps it in the keychain of the system.`,
      ],
    };
  const entry = isRemote(server)
    ? present({ name, type: 'streamable_http', uri: server.url, headers: server.headers })
    : present({ name, type: 'stdio', cmd: server.command, args: server.args, envs: server.env });
  return {
    ...linkOf(server),
    config: yamlConfig(['extensions', name], { ...entry, enabled: true, timeout: TIMEOUT_S }),
  };
}

function whatToEnter(server: HostServer): string {
  return isRemote(server) ? `the URL ${server.url}` : `the command ${server.command}`;
}

/** A link carries neither headers nor variables, and starts only some programs. */
function linkOf(server: HostServer): Pick<HostSetup, 'link'> {
  const { name, description = name } = server;
  const about: [string, string][] = [
    ['timeout', String(TIMEOUT_S)],
    ['id', name],
    ['name', name],
    ['description', description],
  ];
  if (isRemote(server))
    return server.headers
      ? {}
      : { link: gooseLink([['url', server.url], ['type', 'streamable_http'], ...about]) };
  if (server.env || !LINKED.includes(server.command)) return {};
  return { link: gooseLink([...programOf(server), ...about]) };
}

function programOf({ command, args = [] }: LocalServer): [string, string][] {
  return [['cmd', command], ...args.map((word): [string, string] => ['arg', word])];
}

/** Goose wants `%20` for a blank, where `URLSearchParams` writes `+`. */
function gooseLink(parameters: readonly [string, string][]): string {
  return `goose://extension?${parameters.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')}`;
}
