import type { JsonSchema } from '@toolwright/json';
import { ts } from '../generator/tjs-adapter.js';
import { compileSources } from '../compile-project.js';
import { Reporter } from '../diagnostics/reporter.js';
import { findServices, type OperationSite, type ServiceSite } from '../discover/find-services.js';
import { PackageSymbols } from '../discover/package-symbols.js';
import { inspectEntries, type InspectedEntry } from '../emit/inspect-entries.js';
import { mergeFiles } from '../merge-files.js';
import { openProject, type Project } from '../program/open-project.js';
import { classifyParameters, pickSignature } from '../signature/classify-parameters.js';
import { type KeywordOrigin, OriginFinder, type Subject } from './origin-finder.js';

export interface ExplainedOperation {
  entry: InspectedEntry;
  /** Keywords of the arguments, with paths in `entry.input`. */
  input: KeywordOrigin[];
  /** Keywords of the result, with paths in `entry.output`. */
  output: KeywordOrigin[];
}

/**
 * Finds out where every keyword in the schemas of an operation comes from.
 *
 * @param name as clients see it, or the name of a schedule
 * @returns without `explained` if no decorated method has the name; `names` are the existing names
 * @throws {ProjectError} the tsconfig cannot be read
 */
export function explainOperation(
  projectFile: string,
  name: string,
): { explained?: ExplainedOperation; names: string[] } {
  const project = openProject(projectFile);
  const compiled = mergeFiles(project.root, compileSources(project));
  const entries = inspectEntries(compiled);
  const names = entries.map((entry) => entry.name);
  const index = names.indexOf(name);
  const entry = entries[index] ?? entries.find(({ schedule }) => schedule?.name === name);
  if (!entry) return { names };
  // Operations come first. What follows them only runs by a schedule, and has no schemas.
  const place = findSite(project, entries.indexOf(entry));
  const origins = place ? findOrigins(project, place, entry) : { input: [], output: [] };
  return { explained: { entry, ...origins }, names };
}

interface Site {
  service: ServiceSite;
  site: OperationSite;
}

/** Operations are compiled in the order in which they are found, so the index leads to the method. */
function findSite({ sources, checker }: Project, index: number): Site | undefined {
  const symbols = new PackageSymbols(checker);
  const sites = sources
    .flatMap((file) => findServices(file, checker, symbols))
    .flatMap((service) => service.operations.map((site) => ({ service, site })));
  return sites[index];
}

function findOrigins(
  { root, checker }: Project,
  { service, site }: Site,
  { input, output, flatten }: InspectedEntry,
): Pick<ExplainedOperation, 'input' | 'output'> {
  const symbols = new PackageSymbols(checker);
  const reporter = new Reporter(root);
  const finder = new OriginFinder(checker, symbols, reporter);
  const { signature } = pickSignature(service, site, checker, reporter);
  const { overridden, decorators } = site;
  const parameters = classifyParameters({ signature, overridden, decorators }, checker, symbols).filter(
    ({ inject }) => !inject,
  );
  const [whole] = flatten ? parameters : [];
  const members: [string, Subject][] = whole
    ? membersOf(whole, checker)
    : parameters.map(({ name, symbol, type }) => [name, { symbol, type }]);
  const result = checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType();
  return {
    input: members.flatMap(([name, subject]) => ofProperty(finder, input, name, subject)),
    output: output ? finder.find(output, { type: result }, '') : [],
  };
}

/**
 * The properties of a parameter that is the whole input. Each has its default from the destructuring pattern.
 */
function membersOf(
  { type, declaration }: ReturnType<typeof classifyParameters>[number],
  checker: ts.TypeChecker,
): [string, Subject][] {
  const pattern = ts.isObjectBindingPattern(declaration.name) ? declaration.name.elements : [];
  const initialisers = new Map(
    pattern.map(({ propertyName, name, initializer }) => [(propertyName ?? name).getText(), initializer]),
  );
  return checker.getPropertiesOfType(checker.getNonNullableType(type)).map((symbol) => {
    const place = symbol.valueDeclaration ?? declaration;
    const initialiser = initialisers.get(symbol.getName());
    return [
      symbol.getName(),
      { symbol, type: checker.getTypeOfSymbolAtLocation(symbol, place), ...(initialiser && { initialiser }) },
    ];
  });
}

function ofProperty(
  finder: OriginFinder,
  schema: JsonSchema,
  name: string,
  subject: Subject,
): KeywordOrigin[] {
  const property = schema.properties?.[name];
  return property ? finder.find(property, subject, `/properties/${name}`) : [];
}
