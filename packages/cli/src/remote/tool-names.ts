import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST_FILE, parseManifest } from '@toolwright/manifest';
import type { Terminal } from '@toolwright/operate/terminal';
import { listTools } from './list-tools.js';
import { connectTo } from './open-remote.js';
import { type RemoteFlags, takeOptions } from './remote-options.js';

/** Somebody has pressed Tab, and waits. */
const PATIENCE_MS = 2_000;

interface CommandLine {
  readonly flags: RemoteFlags;
  /** The words after the options of the command. */
  readonly words: readonly string[];
  /** Whether an option says where the server is. */
  readonly isNamed: boolean;
}

/**
 * The tools that a command line can name: the tools of the server that it names, otherwise the ones of the project. A key
 * that is pressed starts no server.
 */
export async function toolNames(line: CommandLine, { cwd }: Pick<Terminal, 'cwd'>): Promise<string[]> {
  const { flags, isElsewhere } = takeOptions(line.words, line.flags, {});
  if (flags.app !== undefined || flags.stdio !== undefined) return [];
  const path = join(cwd, MANIFEST_FILE);
  if (!isElsewhere && !line.isNamed && existsSync(path)) {
    const { entries } = parseManifest(readFileSync(path, 'utf8'), path);
    return entries.filter(({ kinds }) => kinds.includes('tool')).map(({ name, method }) => name ?? method);
  }
  const limits = { ...flags, timeout: PATIENCE_MS };
  const client = await connectTo(flags.url, { http: { headers: flags.header }, limits });
  try {
    return (await listTools(client, () => undefined)).map(({ name }) => name);
  } finally {
    await client.close();
  }
}
