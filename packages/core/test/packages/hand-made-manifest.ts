import {
  classId,
  MANIFEST_FORMAT,
  shapeOf,
  toolId,
  type ConstructorParameter,
  type Manifest,
  type ManifestClass,
  type ManifestEntry,
} from '@toolwright/manifest';

/** The parts of a class that its manifest entries need. Methods by name, with the names of their parameters. */
export interface HandMadeClass extends Pick<ManifestClass, 'id' | 'module'> {
  file: string;
  name: string;
  methods: Record<string, string[]>;
  constructorParameters?: ConstructorParameter[];
}

/** A manifest as the compiler writes it, for classes whose parameters are all strings. */
export function handMadeManifest(...classes: HandMadeClass[]): Manifest {
  const manifest: Manifest = {
    format: MANIFEST_FORMAT,
    compiler: 'test',
    package: 'hand-made',
    sourceHash: '',
    schemas: {},
    classes: {},
    entries: [],
  };
  for (const made of classes) addClass(manifest, made);
  return manifest;
}

function addClass(
  manifest: Manifest,
  { file, name, methods, constructorParameters, ...definition }: HandMadeClass,
): void {
  const key = classId(file, name);
  const location = { file, line: 1, column: 1 };
  const described = { name, location, ...definition };
  manifest.classes[key] = (
    constructorParameters ? { ...described, constructor: constructorParameters } : described
  ) as ManifestClass;
  const shapes = Object.entries(methods).map(([method, parameters]) => ({
    method,
    arity: parameters.length,
  }));
  for (const [method, parameters] of Object.entries(methods)) {
    const input = parameters.join();
    manifest.schemas[input] = {
      type: 'object',
      properties: Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }])),
      required: parameters,
    };
    manifest.entries.push({
      key: toolId({ file, className: name, method }),
      class: key,
      method,
      kinds: ['tool'],
      description: `${name}.${method}`,
      parameters: parameters.map((parameter) => ({ name: parameter, kind: 'argument' })),
      input,
      output: null,
      wrap: false,
      stream: false,
      flatten: false,
      revive: {},
      location,
      shape: shapeOf(name, shapes),
    } satisfies ManifestEntry);
  }
}
