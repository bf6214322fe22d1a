import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { CommandError } from '@toolwright/operate/terminal';

/** A package and its place in a new node_modules. */
export interface PlacedPackage {
  /** The real folder of the installed package. */
  from: string;
  /** Where it goes: `node_modules/a`, or `node_modules/a/node_modules/b`. Empty for the project. */
  to: string;
}

interface Description {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * The packages that the project needs in production, as they are installed now, in a tree without links. So a bundle
 * has what was tested, whichever package manager installed it, and needs no network.
 *
 * A package goes to the top, unless another version of it is there: then it goes below the one that needs it.
 *
 * @throws {CommandError} if a package is not installed
 */
export function productionTree(project: string): PlacedPackage[] {
  const places = new Map<string, string>();
  const placed: PlacedPackage[] = [{ from: realpathSync(project), to: '' }];
  // All packages that one package needs are placed before the packages that they need. So a later one never hides an
  // earlier one.
  for (const { from, to } of placed)
    for (const name of neededBy(from)) {
      const found = installed(name.name, from);
      if (found === undefined) {
        if (name.isOptional) continue;
        throw new CommandError(
          `${name.name} is not installed, and ${from} needs it. Install the dependencies first.`,
        );
      }
      const visible = visibleFrom(to, name.name).find((place) => places.has(place));
      if (visible !== undefined && places.get(visible) === found) continue;
      const place =
        visible === undefined ? join('node_modules', name.name) : join(to, 'node_modules', name.name);
      places.set(place, found);
      placed.push({ from: found, to: place });
    }
  return placed;
}

function neededBy(folder: string): { name: string; isOptional: boolean }[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Description;
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [
    ...Object.keys({ ...dependencies }).map((name) => ({
      name,
      isOptional: name in { ...optionalDependencies },
    })),
    ...Object.keys({ ...optionalDependencies }).map((name) => ({ name, isOptional: true })),
    ...peers.map((name) => ({ name, isOptional: true })),
  ];
}

/** Where Node.js finds a package, seen from the real folder of another one. */
function installed(name: string, folder: string): string | undefined {
  const candidate = join(folder, 'node_modules', name);
  if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
  return dirname(folder) === folder ? undefined : installed(name, dirname(folder));
}

/** The places in the new tree where Node.js would look, nearest first. */
function visibleFrom(place: string, name: string): string[] {
  const own = join(place, 'node_modules', name);
  if (place === '') return [own];
  const outer = place.split(`${sep}node_modules${sep}`).slice(0, -1).join(`${sep}node_modules${sep}`);
  return [own, ...visibleFrom(outer.startsWith('node_modules') ? outer : '', name)];
}
