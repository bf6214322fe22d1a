import type { ConfigurationProblem } from '@toolwright/ground/base/errors/configuration-error';
import { problemAt } from '@toolwright/ground/base/metadata/call-site';
import { findRecord, lineage } from '@toolwright/ground/base/metadata/class-records';
import { ownRecords, serviceSite } from '@toolwright/ground/base/metadata/store';
import { MANIFEST_FILE } from '@toolwright/manifest';
import type { McpServiceOptions } from '../../decorators/mcp-service.js';
import { findLoadedClass } from './find-class.js';
import { BUILD, type ClassEntry, type LoadedManifest } from '../manifest/loaded-manifest.js';
import type { ClassFinder } from './class-finder.js';
import { isNameless, isSameSource, outlineOfClass, possibleNames } from './running-class.js';
import { sitesOf, type Service } from './service.js';

/**
 * Finds the manifest entry of a service class. It tries, in this order: the id in `@McpService`; the module
 * and export that the manifest names (this works after minification and re-exporting); the name of the class
 * with its decorated methods, if only one class has both; and among several of these, the file of the
 * decorator. A bundle may have shortened all names; then the members of the class decide.
 */
export function matchClass(
  service: Service,
  manifests: readonly LoadedManifest[],
  finder: ClassFinder,
): { match: ClassEntry } | { problem: ConfigurationProblem } {
  const all = manifests.flatMap((manifest) => [...manifest.classes.values()]);
  const id = findRecord<McpServiceOptions>(service.records.records, 'service')?.options.id;
  if (id !== undefined) {
    const match = all.find(({ definition, key }) => definition.id === id || key === id);
    return match ? { match } : { problem: unknownId(service, id, all) };
  }
  const exported = all.find(({ manifest, key }) => findLoadedClass(manifest, key) === service.target);
  if (exported) return { match: exported };
  const named = findNamed(service, all);
  const alike =
    named.length > 0
      ? named.filter((each) => hasMethodsOf(each, service))
      : findOutlined(service, all, finder);
  const isHere = ({ manifest, key }: ClassEntry) => isSameSource(sitesOf(service.records), manifest, key);
  const [match, ...others] = alike.length > 1 ? alike.filter(isHere) : alike;
  if (match && others.length === 0) return { match };
  // A class with this name but other methods means an older manifest. The check of its shape reports the
  // difference.
  if (alike.length === 0 && named.length === 1) return { match: named[0]! };
  return {
    problem:
      alike.length > 0
        ? unmatched(service, alike)
        : (withoutOperation(service, manifests) ?? absent(service, all)),
  };
}

/** Finds the entries by the name of the class. A bundler may have changed it a little. */
function findNamed({ target }: Service, all: readonly ClassEntry[]): ClassEntry[] {
  const withName = (name: string) => all.filter(({ definition }) => lastName(definition.name) === name);
  return (
    possibleNames(target)
      .map(withName)
      .find((named) => named.length > 0) ?? []
  );
}

/** Finds the entry of a minified class by its members and its decorated methods. An entry belongs to one class only. */
function findOutlined(service: Service, all: readonly ClassEntry[], finder: ClassFinder): ClassEntry[] {
  if (!isNameless(service.target)) return [];
  const outline = outlineOfClass(service.target);
  return all.filter(
    (each) =>
      each.definition.outline === outline &&
      hasMethodsOf(each, service) &&
      (finder.noted.get(each) ?? service.target) === service.target,
  );
}

function lastName(qualified: string): string {
  return qualified.slice(qualified.lastIndexOf('.') + 1);
}

function hasMethodsOf({ entries, entry }: ClassEntry, { operations }: Service): boolean {
  return entries.length === operations.length && operations.every((each) => entry(each));
}

/**
 * What to add to a problem of a class without decorators of its own, if the one that it extends, or another one with its
 * name, has `@McpService`. A class decorator may have returned it.
 */
export function replacement({ target, name }: Service): { says: string; fix: string } {
  if (ownRecords(target).length > 0) return { says: '', fix: '' };
  const base = lineage(target).findLast((each) => findRecord(ownRecords(each), 'service'));
  const decorated = base?.name ?? target.name;
  const site = base ? findRecord(ownRecords(base), 'service')?.site : serviceSite(target.name);
  if (!site) return { says: '', fix: '' };
  const place = site.location;
  return {
    says: ` @McpService decorates ${decorated}${place === undefined ? '' : ` (${place})`}, and ${name} is another class. A class decorator above @McpService may have returned it.`,
    fix: 'If a class decorator returns another class, write it below @McpService, or let it change the class that it gets. ',
  };
}

/** @param looked where a manifest was looked for */
export function noManifest(service: Service, looked: string): ConfigurationProblem {
  const { says, fix } = replacement(service);
  return problemAt(service.site, 'TW_MANIFEST_MISSING', {
    message: `There is no manifest for the service ${service.name}. ${looked}${says}`,
    fix: `${fix}${BUILD} A program that runs elsewhere than its package, or is a single file, passes the manifest as the option "manifest" of createMcpServer: its path, or the file itself (\`import manifest from './${MANIFEST_FILE}'\`).`,
  });
}

/** A class without an operation of its own, as far as the running class and the manifests show it. */
function withoutOperation(
  { target, name, operations, site }: Service,
  manifests: readonly LoadedManifest[],
): ConfigurationProblem | undefined {
  const hasInvoke = typeof (target.prototype as { invoke?: unknown }).invoke === 'function';
  if (!hasInvoke && operations.some(({ method }) => method === 'invoke'))
    return problemAt(site, 'TW_DECORATOR_PLACE', {
      message: `A decorator such as @McpTool is on the class ${name}, and makes its method "invoke" the operation. The class has no such method.`,
      fix: 'Call the method `invoke`, or write the decorator before the method.',
    });
  const isAbstract = manifests.some(({ manifest }) =>
    Object.values(manifest.classes).some((each) => each.abstract && lastName(each.name) === target.name),
  );
  if (!isAbstract) return undefined;
  return problemAt(site, 'TW_SERVICE_EMPTY', {
    message: `${name} is abstract, so no server can build it.`,
    fix: 'List the classes that extend it.',
  });
}

function absent(service: Service, known: readonly ClassEntry[]): ConfigurationProblem {
  const list = known.map(({ key, manifest }) => `${key} (${manifest.source})`).join(', ');
  const { says, fix } = replacement(service);
  return problemAt(service.site, 'TW_MANIFEST_UNMATCHED', {
    message: `No manifest has the class ${service.name}. Their classes: ${list || 'none'}.${says}`,
    fix: `${fix}If the class is newer than the manifest: ${BUILD} If it is bundled or minified, let the bundler keep names, or give it @McpService({ id: '…' }).`,
  });
}

function unmatched(service: Service, candidates: readonly ClassEntry[]): ConfigurationProblem {
  const list = candidates.map(({ key, manifest }) => `${key} (${manifest.source})`).join(', ');
  return problemAt(service.site, 'TW_MANIFEST_UNMATCHED', {
    message: `The manifests do not show clearly which class ${service.name} is. Candidates: ${list}.`,
    fix: "Give it @McpService({ id: '…' }), and build again.",
  });
}

function unknownId(service: Service, id: string, candidates: readonly ClassEntry[]): ConfigurationProblem {
  const ids = candidates.flatMap(({ definition }) => definition.id ?? []).join(', ');
  return problemAt(service.site, 'TW_MANIFEST_UNMATCHED', {
    message: `No manifest has a class with the id "${id}" of ${service.name}. Known ids: ${ids || 'none'}.`,
    fix: BUILD,
  });
}
