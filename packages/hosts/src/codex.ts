import {
  type HostServer,
  type HostSetup,
  type HostValue,
  isRemote,
  type LocalServer,
  type RemoteServer,
} from './host.js';
import { envOptions, present, shellLine, tomlConfig } from './write-settings.js';

/** Codex reads secrets from its own environment: the file names the variables. */
export function setUpCodex(server: HostServer): HostSetup {
  return isRemote(server) ? setUpRemote(server) : setUpLocal(server);
}

function setUpRemote({ name, url, headers = {} }: RemoteServer): HostSetup {
  const { texts, variables } = split(headers);
  const [[bearerName, bearer] = []] = variables.filter(isBearer);
  const others = variables.filter(([key]) => key !== bearerName);
  const partial = others.find(([, { before }]) => before);
  if (partial)
    return { problem: `Codex CLI takes the whole header ${partial[0]} from a variable, or none of it.` };
  const entry = present({
    url,
    bearer_token_env_var: bearer?.variable,
    http_headers: tableOf(texts),
    env_http_headers: tableOf(others.map(([key, { variable }]) => [key, variable])),
  });
  const token = bearer ? ['--bearer-token-env-var', bearer.variable] : [];
  // The command has no option for other headers.
  const isWhole = texts.length === 0 && others.length === 0;
  return {
    ...(isWhole && { command: shellLine(['codex', 'mcp', 'add', name, '--url', url, ...token]) }),
    config: tomlConfig(['mcp_servers', name], entry),
  };
}

function setUpLocal({ name, command, args = [], env = {} }: LocalServer): HostSetup {
  const { texts, variables } = split(env);
  const renamed = variables.find(([key, { before, variable }]) => before || key !== variable);
  if (renamed)
    return { problem: `Codex CLI hands on a variable only under its own name: ${renamed[1].variable}.` };
  const names = variables.map(([key]) => key);
  const entry = present({ command, args, env_vars: names, env: tableOf(texts) });
  const options = envOptions(Object.fromEntries(texts));
  return {
    ...(names.length === 0 && {
      command: shellLine(['codex', 'mcp', 'add', name, ...options, '--', command, ...args]),
    }),
    config: tomlConfig(['mcp_servers', name], entry),
  };
}

type Secret = [string, Exclude<HostValue, string>];

function split(values: Readonly<Record<string, HostValue>>) {
  const entries = Object.entries(values);
  return {
    texts: entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    variables: entries.filter((entry): entry is Secret => typeof entry[1] !== 'string'),
  };
}

function isBearer([name, { before }]: Secret): boolean {
  return name.toLowerCase() === 'authorization' && before === 'Bearer ';
}

function tableOf(entries: readonly [string, string][]): Record<string, string> | undefined {
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
