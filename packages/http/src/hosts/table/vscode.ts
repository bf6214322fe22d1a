import { asciiJson, jsonConfig } from '../config-text.js';
import { isRemote, type HostServer, type HostValue } from '../host-server.js';
import type { Host, HostInput } from '../host.js';
import { expandedBy, present } from '../secret-values.js';
import { shellLine } from '../shell-words.js';

/** The link and `--add-mcp`: https://code.visualstudio.com/api/extension-guides/ai/mcp */
export const vsCode: Host = {
  id: 'vscode',
  title: 'VS Code',
  source: 'https://code.visualstudio.com/docs/agents/reference/mcp-configuration',
  file: {
    darwin: '~/Library/Application Support/Code/User/mcp.json',
    win32: '%APPDATA%\\Code\\User\\mcp.json',
    linux: '~/.config/Code/User/mcp.json',
  },
  setUp(server) {
    const { name } = server;
    const inputs = inputsOf(server);
    const entry = entryOf(server);
    const whole = { name, ...entry, ...(inputs.length > 0 && { inputs }) };
    return {
      command: shellLine(['code', '--add-mcp', JSON.stringify(whole)]),
      link: `vscode:mcp/install?${encodeURIComponent(asciiJson(whole))}`,
      config: jsonConfig(['servers', name], entry, inputs),
    };
  },
};

function entryOf(server: HostServer): Record<string, unknown> {
  const refer = (variable: string) => `\${input:${inputId(server, variable)}}`;
  if (isRemote(server))
    return present({ type: 'http', url: server.url, headers: expandedBy(server.headers, refer) });
  const { command, args, env } = server;
  return present({ type: 'stdio', command, args, env: expandedBy(env, refer) });
}

/** VS Code asks for each secret once, and keeps it in the safe storage of the system. */
function inputsOf(server: HostServer): HostInput[] {
  const values: HostValue[] = Object.values((isRemote(server) ? server.headers : server.env) ?? {});
  const variables = new Set(values.flatMap((value) => (typeof value === 'string' ? [] : [value.variable])));
  return [...variables].map((variable) => ({
    type: 'promptString',
    id: inputId(server, variable),
    description: `${variable} for ${server.name}`,
    password: true,
  }));
}

function inputId({ name }: HostServer, variable: string): string {
  return `${name}-${variable}`;
}
