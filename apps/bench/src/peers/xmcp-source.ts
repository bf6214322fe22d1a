import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENDPOINT, MEASURE_DESCRIPTION, toolName } from '../contestants/work.js';
import { freePort } from '../contestants/listen.js';
import { peersFolder } from './peers.js';

const tool = (index: number) => `import { z } from 'zod';

export const schema = {
  text: z.string().min(1).describe('what to measure'),
  size: z.number().int().min(0).max(1000000).describe('characters of padding'),
};

export const metadata = { name: '${toolName(index)}', description: '${MEASURE_DESCRIPTION}' };

export default async function measure({ text, size }: { text: string; size: number }) {
  return { content: [{ type: 'text', text: text.length + ':' + 'x'.repeat(size) }] };
}
`;

/** A tool per file, as xmcp finds them. Its build keeps the port, so each server of a build has the same one. */
function sources(tools: number, port: number): Record<string, string> {
  const settings = {
    http: { host: '127.0.0.1', port, endpoint: ENDPOINT },
    paths: { tools: 'src/tools', prompts: false, resources: false },
  };
  const compilerOptions = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    esModuleInterop: true,
  };
  return {
    'package.json': JSON.stringify({ name: 'bench-xmcp', version: '1.0.0', private: true }),
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src', 'xmcp.config.ts'] }),
    [PORT_FILE]: String(port),
    'xmcp.config.ts': `export default ${JSON.stringify(settings)};\n`,
    ...Object.fromEntries(
      Array.from({ length: tools }, (_, index) => [`src/tools/measure-${index}.ts`, tool(index)]),
    ),
  };
}

/** Where the build says which port its server has. */
export const PORT_FILE = 'port.json';

/** Writes an app of xmcp, and builds it as its guide says: `dist/http.js` is the whole server. */
export async function buildXmcp(folder: string, tools: number): Promise<void> {
  for (const [name, text] of Object.entries(sources(tools, await freePort()))) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  symlinkSync(join(peersFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  execFileSync(process.execPath, [join(peersFolder, 'node_modules/xmcp/dist/cli.js'), 'build'], {
    cwd: folder,
    // It reports its use to its makers otherwise.
    env: { ...process.env, XMCP_TELEMETRY_DISABLED: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
