import { getOrMake, memberAt, pointerToken } from '@toolwright/json';
import type { Reference } from './openapi-document.js';
import { isObject, isReference, type Mistake, stepsOf } from './specification.js';
import { isOfShape, nameOfShape, scalarMeant, shown } from './shape-values.js';
import { asLatest, noteValues } from './written-schema.js';
import { type ObjectShape, type PartShape, shapes } from './shapes.js';

export interface CheckedDocument<T> {
  /** The document without its mistakes: each part has its shape, or is not there. */
  readonly document: T;
  readonly mistakes: readonly Mistake[];
  /** What was read as its author meant it, although it is written otherwise: a line each. */
  readonly notes: readonly string[];
}

/**
 * Compares a document with the shapes of its parts, so that all that read it later can trust it. What can only mean one thing
 * is read so: a number in the place of a text, a member that is null, one value in the place of a list. The given document is
 * not changed.
 */
export function checkShapes<T extends object>(
  document: T,
  shape: PartShape = 'document',
): CheckedDocument<T> {
  const check = new ShapeCheck(document);
  return { document: check.whole(shape) as T, mistakes: check.mistakes, notes: check.notes };
}

/** Left out of a document, because it is a mistake. */
const NOTHING = Symbol('nothing');

class ShapeCheck {
  readonly mistakes: Mistake[] = [];
  readonly notes: string[] = [];
  private readonly known = new Map<object, Map<PartShape, unknown>>();
  private readonly referred = new Map<string, { places: string[]; shape: PartShape }>();
  private isReferred = false;

  constructor(private readonly document: object) {}

  whole(shape: PartShape): unknown {
    let sound = this.read(this.document, shape, '#');
    this.isReferred = true;
    // A map gives its later entries, too, so that what references lead to is followed to its end.
    for (const { places, pointer, shape: wanted } of this.targets()) {
      const steps = stepsOf(pointer);
      const target = /^#(?:\/|$)/.test(pointer) ? memberAt(this.document, steps) : undefined;
      if (target === undefined) {
        this.mistake(pointer, `is not there, and ${places[0]} refers to it`);
        continue;
      }
      const other = wanted === 'schema' ? this.otherThanSchema(target) : undefined;
      if (other !== undefined) {
        // Each place is wrong for itself: the part that it leads to may be right.
        for (const place of places)
          this.mistake(place, `refers to ${pointer}, which is ${other} and not a schema`);
        continue;
      }
      // A schema without a value is as empty there as anywhere.
      const read =
        target === null ? this.null(wanted, placeOf(steps)) : this.read(target, wanted, placeOf(steps));
      if (read !== target) sound = withValue(sound, steps, read === NOTHING ? {} : read);
    }
    return sound;
  }

  /** What a part is that a schema refers to, where it is not a schema: any value would fit it. */
  private otherThanSchema(target: unknown): string | undefined {
    if (this.isEndless(target)) return 'a circle of references';
    const found = isObject(target) ? [...(this.known.get(target)?.keys() ?? [])] : [];
    const other = found.find((shape) => shape in shapes)?.replace(/2$/, '');
    if (other === undefined || found.includes('schema')) return undefined;
    return `${/^[aeiou]/.test(other) ? 'an' : 'a'} ${other}`;
  }

  /** Whether references lead back to where they began, with nothing on the way. */
  private isEndless(target: unknown): boolean {
    const seen = new Set<unknown>();
    for (let at = target; isReference(at); at = memberAt(this.document, stepsOf(at.$ref))) {
      // A reference of a schema may have more members, which say something.
      if (Object.keys(at).length > 1) return false;
      if (seen.has(at)) return true;
      seen.add(at);
    }
    return false;
  }

  private *targets(): Generator<{ places: readonly string[]; pointer: string; shape: PartShape }> {
    for (const [key, { places, shape }] of this.referred)
      yield { places, shape, pointer: key.slice(shape.length + 1) };
  }

  private mistake(place: string, message: string): typeof NOTHING {
    this.mistakes.push({ place, message, isReferred: this.isReferred });
    return NOTHING;
  }

  private read(value: unknown, shape: PartShape, place: string): unknown {
    if (shape === 'any') return value;
    if (!isObject(value)) return this.readFresh(value, shape, place);
    const known = getOrMake(this.known, value, () => new Map());
    if (!known.has(shape)) {
      // What contains itself is met again before it is read.
      known.set(shape, value);
      known.set(shape, this.readFresh(value, shape, place));
    }
    return known.get(shape);
  }

  private readFresh(value: unknown, shape: PartShape, place: string): unknown {
    const alternatives = shape.split('|');
    if (alternatives.length > 1) {
      const fitting = alternatives.find((each) => isOfShape(value, each)) ?? alternatives[0]!;
      return this.readFresh(value, fitting, place);
    }
    if (shape.endsWith('[]')) return this.list(value, shape.slice(0, -2), place);
    if (shape.endsWith('{}')) return this.map(value, shape.slice(0, -2), place);
    const object = shapes[shape];
    return object ? this.object(value, shape, object, place) : this.scalar(value, shape, place);
  }

  private scalar(value: unknown, shape: PartShape, place: string): unknown {
    if (isOfShape(value, shape)) return value;
    const meant = scalarMeant(value, shape);
    if (meant === undefined)
      return this.mistake(place, `must be ${nameOfShape[shape]}, and is ${shown(value)}`);
    this.notes.push(`${place} is ${shown(value)}, and is read as ${shown(meant)}.`);
    return meant;
  }

  private list(value: unknown, shape: PartShape, place: string): unknown {
    if (!Array.isArray(value)) {
      if (value === undefined || shape === 'any' || shape.endsWith('[]') || !isOfShape(value, shape))
        return this.mistake(place, `must be a list, and is ${shown(value)}`);
      this.notes.push(`${place} is read as a list of one.`);
      return this.list([value], shape, place);
    }
    const isType = place.endsWith('/type');
    const read = value.map((each: unknown, index) => {
      if (each !== null || !isType) return this.read(each, shape, `${place}/${index}`);
      // YAML reads `[string, null]` so, and it means the type with this name.
      this.notes.push(`${place}/${index} is null, and is read as "null".`);
      return 'null';
    });
    const sound = shape === 'text' ? [...new Set(read)] : read;
    if (/^parameter2?$/.test(shape)) this.requireOnce(sound, place);
    return sound.length === value.length && sound.every((each, index) => each === value[index])
      ? value
      : sound.filter((each) => each !== NOTHING);
  }

  /** Of two parameters with one name, nobody knows which is meant. */
  private requireOnce(parameters: readonly unknown[], place: string): void {
    const seen = new Map<string, unknown>();
    parameters.forEach((each, index) => {
      const { name, in: where } = (isObject(each) ? each : {}) as Record<string, unknown>;
      if (name === undefined) return;
      const [key, text] = [`${String(where)} ${String(name)}`, JSON.stringify(each)];
      if ((seen.get(key) ?? text) !== text)
        this.mistake(
          `${place}/${index}`,
          `describes the parameter ${JSON.stringify(name)} again, and differently`,
        );
      seen.set(key, text);
    });
  }

  private map(value: unknown, shape: PartShape, place: string): unknown {
    if (!isOfShape(value, 'map')) return this.mistake(place, `must be an object, and is ${shown(value)}`);
    const target = this.mapBehind(value as object);
    if (target) return this.read(target, `${shape}{}`, placeOf(stepsOf((value as Reference).$ref)));
    if (/^item2?$/.test(shape)) this.requirePaths(value as object, place);
    return this.members(value as object, place, (name) =>
      name.startsWith('x-') && isExtended(shape) ? 'any' : shape,
    );
  }

  /** Tools that join files write `properties: { $ref: … }`, which no version knows and everybody means alike. */
  private mapBehind(map: object): object | undefined {
    if (!isReference(map) || Object.keys(map).length > 1) return undefined;
    const target = map.$ref.startsWith('#/') ? memberAt(this.document, stepsOf(map.$ref)) : undefined;
    return target !== map && isOfShape(target, 'map') ? (target as object) : undefined;
  }

  /** `true` and `false` are schemas from version 3.1 on. Before it, somebody may have meant something else. */
  private anything(value: boolean, place: string): unknown {
    const { openapi } = this.document as { openapi?: unknown };
    if (!/^3\.[1-9]/.test(String(openapi)) && !place.endsWith('/additionalProperties'))
      this.notes.push(`${place} is ${value}, and is read as ${value ? 'every value' : 'no value'}.`);
    // In a list, such as `anyOf`, all are objects for those who read it later.
    return /\/(?:allOf|anyOf|oneOf|prefixItems)\/\d+$/.test(place) ? (value ? {} : { not: {} }) : value;
  }

  private requirePaths(paths: object, place: string): void {
    for (const name of Object.keys(paths))
      if (!name.startsWith('/') && !name.startsWith('x-'))
        this.mistake(`${place}/${pointerToken(name)}`, 'is a path that does not begin with /');
  }

  /** A requirement that names no scheme would leave a tool without its scopes. */
  private requireSchemes(security: unknown, place: string): void {
    const { components, securityDefinitions } = this.document as Record<string, { securitySchemes?: object }>;
    const schemes = components?.securitySchemes ?? securityDefinitions;
    const where = 'swagger' in this.document ? '#/securityDefinitions' : '#/components/securitySchemes';
    for (const [index, requirement] of (Array.isArray(security) ? (security as object[]) : []).entries())
      for (const name of Object.keys(requirement))
        if (!isObject(schemes) || !Object.hasOwn(schemes, name))
          this.mistake(
            `${place}/security/${index}`,
            `needs ${where}/${pointerToken(name)}, which is not there`,
          );
  }

  private object(value: unknown, shape: PartShape, object: ObjectShape, place: string): unknown {
    if (shape === 'schema' && typeof value === 'boolean') return this.anything(value, place);
    if (!isOfShape(value, 'map')) return this.mistake(place, `must be an object, and is ${shown(value)}`);
    const given = value as Record<string, unknown>;
    const { $ref } = given;
    if ($ref !== undefined && (typeof $ref !== 'string' || $ref === ''))
      return this.mistake(`${place}/$ref`, `must be a reference, and is ${shown($ref)}`);
    if (isReference(given)) {
      getOrMake(this.referred, `${shape} ${given.$ref}`, () => ({ places: [], shape })).places.push(place);
      // What is written beside the reference of a path is about this path, too.
      if (shape !== 'schema' && !/^item2?$/.test(shape)) return value;
    }
    const isOld = 'swagger' in this.document;
    const read = this.members(
      shape === 'schema' ? asLatest(given, place, this.notes) : given,
      place,
      (name) =>
        // Version 2.0 has the name of the property alone.
        isOld && name === 'discriminator'
          ? 'text'
          : Object.hasOwn(object.members, name)
            ? object.members[name]!
            : 'any',
    );
    if (shape === 'schema') noteValues(read, place, this.notes);
    const missing = isReference(given)
      ? undefined
      : object.needs?.find((name) => !read[name] && given[name] !== NOTHING);
    if (missing !== undefined) return this.needed(given, missing, place);
    for (const [name, values] of Object.entries(object.values ?? {}))
      if (read[name] !== undefined && ![read[name]].flat().every((each) => values.includes(each as string)))
        return this.mistake(
          `${place}/${name}`,
          `must be one of ${values.join(', ')}, and is ${shown(read[name])}`,
        );
    if (/^(?:operation|document)2?$/.test(shape)) this.requireSchemes(read['security'], place);
    const problem = isReference(given) ? undefined : object.check?.(read);
    return problem === undefined ? read : this.mistake(place, problem);
  }

  /** A member that was a mistake itself has its line already. */
  private needed(given: Record<string, unknown>, name: string, place: string): unknown {
    const at = `${place}/${name}`;
    if (!this.mistakes.some((each) => each.place === at || each.place.startsWith(`${at}/`)))
      this.mistake(place, given[name] === '' ? `has an empty "${name}"` : `has no "${name}"`);
    return NOTHING;
  }

  /** Reads members. A new object is made only where one of them changes. */
  private members(
    given: object,
    place: string,
    shapeOf: (name: string) => PartShape,
  ): Record<string, unknown> {
    let changed: Record<string, unknown> | undefined;
    for (const [name, value] of Object.entries(given)) {
      // A document that a program made may have such members. JSON would not have them.
      if (value === undefined) continue;
      const shape = shapeOf(name);
      const at = `${place}/${pointerToken(name)}`;
      const read = value === null && shape !== 'any' ? this.null(shape, at) : this.read(value, shape, at);
      if (read === value) continue;
      changed ??= { ...given };
      if (read === NOTHING) delete changed[name];
      else changed[name] = read;
    }
    return changed ?? (given as Record<string, unknown>);
  }

  /** YAML reads `parameters:` without a value as null. It is as empty as it looks. */
  private null(shape: PartShape, place: string): unknown {
    this.notes.push(`${place} is null, and is read as empty.`);
    return shape in shapes ? this.read({}, shape, place) : NOTHING;
  }
}

/** Maps of the specification itself may have extensions; in others, `x-` begins a name like any other. */
const isExtended = (shape: PartShape) => /^(?:item|response|scheme|server)2?$/.test(shape);
const placeOf = (steps: readonly string[]) => ['#', ...steps.map(pointerToken)].join('/');

/** The document with another value at a place. Only the way to it is copied. */
function withValue(document: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const inner = isObject(document) ? (document as Record<string, unknown>)[step] : undefined;
  const changed = withValue(inner, rest, value);
  if (!Array.isArray(document)) return { ...(document as object), [step]: changed };
  return document.map((each: unknown, index) => (String(index) === step ? changed : each));
}
