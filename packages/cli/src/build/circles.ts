import { getOrMake, sortByReferences } from '@toolwright/json';
import type { ConstructorParameter, Manifest, ManifestClass } from '@toolwright/manifest';
import type { BuildDiagnostic } from './boot-diagnostics.js';

/**
 * Classes of several modules that need each other. ES modules end with a ReferenceError if their classes need each other when
 * they load; the container cannot build services whose constructors do.
 */
export function findCircles({ classes, entries }: Manifest): BuildDiagnostic[] {
  const services = new Set(entries.map((entry) => entry.class));
  const fileOf = (key: string) => classes[key]!.location.file;
  const isKnown = (key: string | undefined): key is string => key !== undefined && key in classes;
  const toLoad = (key: string) => [...(classes[key]!.loads ?? []), classes[key]!.base].filter(isKnown);
  const toBuild = (key: string) =>
    parametersOf(classes[key])
      .map((each) => each.class)
      .filter(isKnown);
  const needs = (keys: Iterable<string>, needed: (key: string) => string[]) =>
    [...keys].flatMap((from) => needed(from).map((to) => ({ from, to })));
  const first = (keys: string[]) => keys.sort().find((key) => services.has(key)) ?? keys[0]!;
  // A module loads what all its classes need.
  const loading = circlesOf(needs(Object.keys(classes), toLoad), fileOf, first);
  const seen = new Set(loading.flat().map(({ from }) => from));
  const building = circlesOf(needs(reachable(services, toBuild), toBuild), (key) => key, first);
  return [
    ...loading.map((circle) =>
      report(
        circle,
        classes,
        `ES modules in a circle end with "ReferenceError: Cannot access '${classes[circle[0]!.from]!.name}' before initialization", ` +
          'or with the name of another of these classes, because one class is not there yet when the other is declared. ' +
          remedyOf(circle, classes),
      ),
    ),
    ...building
      .filter((circle) => filesOf(circle, classes).size > 1 && !circle.some(({ from }) => seen.has(from)))
      .map((circle) => report(circle, classes, `No class can be built before the other. ${MOVE}`)),
  ];
}

/** A class that needs one of another module. */
interface Need {
  readonly from: string;
  readonly to: string;
}

function reachable(from: Iterable<string>, needs: (key: string) => string[]): Set<string> {
  const found = new Set(from);
  for (const key of found) for (const next of needs(key)) found.add(next);
  return found;
}

/**
 * The shortest way of each circle.
 *
 * @param whole what has the needs of a class: the class alone, or its module
 * @param first chooses the class with which a circle begins
 */
function circlesOf(
  all: readonly Need[],
  whole: (key: string) => string,
  first: (keys: string[]) => string,
): Need[][] {
  const needsOf = new Map<string, Need[]>();
  for (const need of all.filter(({ from, to }) => whole(from) !== whole(to))) {
    getOrMake(needsOf, whole(need.from), () => []).push(need);
  }
  const next = (each: string) => [...new Set((needsOf.get(each) ?? []).map(({ to }) => whole(to)))];
  return sortByReferences(new Set(needsOf.keys()), next).flatMap(({ members }) => {
    if (members.length < 2) return [];
    const inside = new Set(members);
    const needs = members.flatMap((each) => needsOf.get(each)!.filter(({ to }) => inside.has(whole(to))));
    let at = first(needs.map(({ from }) => from));
    const way = circleOf(whole(at), inside, next);
    return [
      way.slice(1).map((to, index) => {
        const steps = needs.filter((each) => whole(each.from) === way[index] && whole(each.to) === to);
        const step = steps.find(({ from }) => from === at) ?? steps[0]!;
        at = step.to;
        return step;
      }),
    ];
  });
}

function report(circle: readonly Need[], classes: Manifest['classes'], end: string): BuildDiagnostic {
  const steps = circle.map(({ from, to }, index) => {
    const before = circle[index - 1];
    const start = before?.to === from ? '' : `${before ? '; ' : ''}${classes[from]!.name}`;
    return `${start} needs ${classes[to]!.name}`;
  });
  const places = new Set(circle.flatMap(({ from, to }) => [to, from]).map((key) => placeOf(classes[key]!)));
  const message = `${steps.join('')}: a circle over ${filesOf(circle, classes).size} modules (${[...places].join(', ')}). ${end}`;
  const { location } = classes[circle[0]!.from]!;
  return { code: 'TW_DEPENDENCY_CIRCULAR', severity: 'warning', message, ...location };
}

const MOVE = 'Move the common part into a third class.';

/** Types are in the code only because of the metadata of decorated members. */
function remedyOf(circle: readonly Need[], classes: Manifest['classes']): string {
  const isBuilt = circle.every(({ from, to }) =>
    parametersOf(classes[from]).some((each) => each.class === to),
  );
  return isBuilt
    ? MOVE
    : 'Import the type of a decorated member with `import type`, or declare the member with an alias (`type Later = Other`): then its metadata name no class. Move what runs when a class is declared, such as a static initialiser, into a method.';
}

const filesOf = (circle: readonly Need[], classes: Manifest['classes']) =>
  new Set(circle.map(({ from }) => classes[from]!.location.file));

const placeOf = ({ name, location: { file, line } }: ManifestClass) => `${name}: ${file}:${line}`;

/** What the constructor of a class takes. Every object has a member of the name `constructor`. */
export function parametersOf(definition: ManifestClass | undefined): readonly ConstructorParameter[] {
  return definition && Object.hasOwn(definition, 'constructor') ? (definition.constructor ?? []) : [];
}

/** A way from a class back to itself. */
function circleOf(first: string, inside: ReadonlySet<string>, needs: (key: string) => string[]): string[] {
  const before = new Map<string, string>();
  const queue = [first];
  for (const key of queue)
    for (const next of needs(key).filter((each) => inside.has(each))) {
      if (next === first) {
        const way = [first];
        for (let at = key; ; at = before.get(at)!) {
          way.unshift(at);
          if (at === first) return way;
        }
      }
      if (!before.has(next)) queue.push((before.set(next, key), next));
    }
  return [first];
}
