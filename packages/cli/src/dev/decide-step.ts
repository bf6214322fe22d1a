import { resolve, sep } from 'node:path';
import type { Manifest, ManifestClass } from '@toolwright/manifest';
import type { Checked } from './compile/dev-compiler.js';
import type { ServicePlace } from './messages.js';

/** How the running app gets the new code. */
export type DevStep =
  | { do: 'nothing' }
  | { do: 'swap'; modules: string[]; services: ServicePlace[]; names: string[] }
  | { do: 'restart'; reason: string };

interface Change {
  /** The folder that paths in manifests are relative to. */
  directory: string;
  before: Manifest;
  after: Manifest;
  /** Missing if no module changed. */
  checked?: Pick<Checked, 'reload' | 'entry'>;
}

/**
 * Services are replaced if nothing else uses what changed. All other changes need a restart, because a wrong
 * guess would leave an app that is half old and half new.
 */
export function decideStep({ directory, before, after, checked }: Change): DevStep {
  const { reload = [], entry } = checked ?? {};
  if (reload.some(({ source }) => source === entry?.source))
    return {
      do: 'restart',
      reason: `${reload.length === 1 ? 'it is the entry' : 'the entry uses what changed'}`,
    };
  const known = describeClasses(before);
  const wanted = describeClasses(after);
  if ([...known.keys()].sort().join() !== [...wanted.keys()].sort().join())
    return { do: 'restart', reason: 'services were added or removed' };
  const sources = new Set(reload.map(({ source }) => resolve(source)));
  const keys = [...wanted.keys()].filter(
    (key) =>
      known.get(key) !== wanted.get(key) ||
      sources.has(resolve(directory, after.classes[key]!.location.file)),
  );
  const services = keys.map((key) => placeOf(after.classes[key]!, directory));
  const hidden = services.indexOf(undefined);
  if (hidden >= 0) return { do: 'restart', reason: `${after.classes[keys[hidden]!]!.name} is not exported` };
  if (keys.length === 0 && reload.length === 0) return { do: 'nothing' };
  return {
    do: 'swap',
    modules: reload.map(({ module }) => module.split('/').join(sep)),
    services: services as ServicePlace[],
    names: keys.map((key) => after.classes[key]!.name),
  };
}

/** Everything that a manifest says about each service, to compare it with another version. */
function describeClasses({
  classes,
  entries,
  schemas,
  revivals,
  extensions,
}: Manifest): ReadonlyMap<string, string> {
  const described = new Map<string, string>();
  for (const { class: key, ...entry } of entries) {
    // The place of a method is not compared.
    const said = {
      ...entry,
      location: undefined,
      input: schemas[entry.input],
      output: schemas[entry.output ?? ''],
    };
    const definition = { ...classes[key], location: undefined, views: viewsOf(extensions, key) };
    described.set(key, `${described.get(key) ?? JSON.stringify(definition)}${JSON.stringify(said)}`);
  }
  const shared = JSON.stringify(revivals ?? {});
  return new Map([...described].map(([key, text]) => [key, text + shared]));
}

/** The pages of a class: it serves them, and is replaced with them. */
function viewsOf(extensions: Manifest['extensions'], key: string): unknown {
  return (extensions?.['@toolwright/views'] as Record<string, unknown> | undefined)?.[key];
}

/** The module that a class is loaded from; undefined if the class is not exported. */
export function placeOf({ module }: ManifestClass, directory: string): ServicePlace | undefined {
  return module && { module: resolve(directory, module.path), export: module.export };
}
