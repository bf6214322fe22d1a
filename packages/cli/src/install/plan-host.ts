import { isDeepStrictEqual } from 'node:util';
import { nameForHosts, type Host, type HostConfig, type HostServer, type HostSetup } from '@toolwright/hosts';
import { type FileChange } from '../changes/file-change.js';
import { type Machine, checkPath, hostPath } from './find-hosts.js';
import { jsonEntry, withJsonEntry, withoutJsonEntry } from './edit-json.js';
import { tomlEntry, withoutTomlEntry, withTomlEntry } from './edit-toml.js';
import { currentText } from '@toolwright/operate/terminal';

/** What is to be done for one host. */
export interface HostPlan {
  readonly host: Host;
  /** Undefined if the file is as it should be, or if there is no file to change. */
  readonly change?: HostChange;
  /** What a person does in the host. */
  readonly byHand?: readonly string[];
  /** Why this host cannot use the server. */
  readonly problem?: string;
}

export interface HostChange extends FileChange {
  /** The permissions of the file. */
  mode: number;
  /** The file has another server of this name. */
  replaces: boolean;
}

type Editor = Record<
  'json' | 'toml',
  {
    find(text: string, path: readonly string[]): unknown;
    add(text: string, config: HostConfig): string;
    remove(text: string, path: readonly string[]): string;
  }
>;

const editors: Editor = {
  json: { find: jsonEntry, add: withJsonEntry, remove: withoutJsonEntry },
  toml: { find: tomlEntry, add: withTomlEntry, remove: withoutTomlEntry },
};

/**
 * The change of a host's file that adds a server.
 *
 * @throws {CommandError} if its file cannot be changed
 */
export function planInstall(host: Host, server: HostServer, machine: Machine): HostPlan {
  const setup = host.setUp(server);
  const { problem, config } = setup;
  if (problem !== undefined) return { host, problem };
  if (!host.file || !config || config.format === 'yaml') return { host, byHand: stepsOf(setup) };
  const place = hostPath(host.file, machine);
  const mode = checkPath(place);
  const before = currentText(place.path);
  const { find, add } = editors[config.format];
  const [marker, text] = splitMarker(before ?? '');
  const known = text.trim() === '' ? undefined : find(text, config.path);
  const after = marker + add(text, config);
  // The inputs of VS Code may be missing although the entry is there.
  if (isDeepStrictEqual(known, config.entry) && after === before) return { host };
  const replaces = known !== undefined && !isDeepStrictEqual(known, config.entry);
  return { host, change: { path: place.path, before, after, mode, replaces } };
}

/** How a host forgets a server. */
export function planUninstall(host: Host, name: string, machine: Machine): HostPlan {
  // Only the place of the entry counts, which is the same for every server of this name.
  const { config } = host.setUp({ name, command: 'none' });
  if (!host.file || !config || config.format === 'yaml')
    return { host, byHand: [`Remove ${nameForHosts(name)} in the settings of ${host.title}.`] };
  const place = hostPath(host.file, machine);
  const before = currentText(place.path);
  const [marker, text] = splitMarker(before ?? '');
  const { find, remove } = editors[config.format];
  if (before === undefined || text.trim() === '' || find(text, config.path) === undefined) return { host };
  const mode = checkPath(place);
  const after = marker + remove(text, config.path);
  return { host, change: { path: place.path, before, after, mode, replaces: false } };
}

/** Some editors of Windows put a byte order mark before the text. */
function splitMarker(text: string): [marker: string, text: string] {
  return text.startsWith('\ufeff') ? ['\ufeff', text.slice(1)] : ['', text];
}

function stepsOf({ link, steps, config }: HostSetup): string[] {
  return [
    ...(steps ?? []),
    ...(link ? [`Open this link: ${link}`] : []),
    ...(config ? [`${link ? 'Or add' : 'Add'} this to its settings:\n\n${config.text}`] : []),
  ];
}
