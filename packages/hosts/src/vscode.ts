import { type HostInput, type HostServer, type HostSetup, type HostValue, isRemote } from './host.js';
import { asciiJson, expandedBy, jsonConfig, present, shellLine } from './write-settings.js';

/** The link and `--add-mcp`: https://code.visualstudio.com/api/extension-guides/ai/mcp */
export function setUpVsCode(server: HostServer): HostSetup {
  const { name } = server;
  const inputs = inputsOf(server);
  const entry = entryOf(server);
  const whole = { name, ...entry, ...(inputs.length > 0 && { inputs }) };
  return {
    command: shellLine(['code', '--add-mcp', JSON.stringify(whole)]),
    link: `vscode:mcp/install?${encodeURIComponent(asciiJson(whole))}`,
    config: jsonConfig(['servers', name], entry, inputs),
  };
}

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
