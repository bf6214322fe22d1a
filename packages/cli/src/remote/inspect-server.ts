import { type Terminal, styleFor, visibleJson } from '@toolwright/operate/terminal';
import { formatPrompts, formatResources } from '../output/format-parts.js';
import { formatTools } from '../output/format-tools.js';
import { defaultLimits } from './limits.js';
import { listTools } from './list-tools.js';
import { useRemote } from './open-remote.js';
import { listPrompts, listResources } from './read-remote.js';
import type { RemoteTarget } from './remote-options.js';

interface InspectedServer extends RemoteTarget {
  readonly server?: string;
  readonly config?: string;
  readonly header: Record<string, string>;
  readonly json: true | undefined;
}

/** Prints who a server is, and everything that it offers. */
export function inspectServer({ json, ...target }: InspectedServer, terminal: Terminal): Promise<void> {
  return useRemote({ ...target, ...defaultLimits }, terminal, async (client) => {
    const { server } = client;
    const warn = terminal.err.bind(terminal);
    const tools = server.capabilities['tools'] === undefined ? [] : await listTools(client, warn);
    const [{ resources, templates }, prompts] = [await listResources(client), await listPrompts(client)];
    if (json) return terminal.out(visibleJson({ server, tools, resources, templates, prompts }));
    const { bold } = styleFor(terminal);
    const { info, revision, instructions } = server;
    terminal.out(`${bold(`${info.name} ${info.version}`)}, revision ${revision}`);
    if (instructions !== undefined) terminal.out(instructions);
    const parts = [
      ['Tools', tools.length > 0 ? formatTools(tools, terminal) : ['No tools.']],
      ['Resources', formatResources({ resources, templates }, terminal)],
      ['Prompts', formatPrompts(prompts, terminal)],
    ] as const;
    for (const [title, lines] of parts) for (const line of ['', bold(title), ...lines]) terminal.out(line);
  });
}
