/** A place of a path that an argument fills. */
export interface PathPlace {
  /** As it is written, without its braces: `id`, `name=projects/*`, `+path` or `proxy+`. */
  readonly written: string;
  readonly name: string;
  /** The value is several steps of the path, such as `projects/p1`. */
  readonly hasSteps: boolean;
  /** Whether a value has the form that the place wants. */
  accepts(value: string): boolean;
}

const PLACE = /\{([^{}]+)\}/g;

/** The places of a path, also those of Google's transcoding, of RFC 6570 and of gateways, which take several steps. */
export const placesOf = (path: string): PathPlace[] =>
  [...path.matchAll(PLACE)].map(([, written]) => placeOf(written!));

/** @param fill gives the text for each place */
export const fillPlaces = (path: string, fill: (place: PathPlace) => string): string =>
  path.replace(PLACE, (_whole, written: string) => fill(placeOf(written)));

/** A path in which each place is `{}`: what is inside of one says nothing about the operation. */
export const withoutNames = (path: string) => path.replace(PLACE, '{}');

function placeOf(written: string): PathPlace {
  const [, plus = '', name = written, end = '', pattern] =
    /^(\+?)([^=+*]+)([+*]?)(?:=(.+))?$/.exec(written) ?? [];
  // Several parts of any length would be tried in each division of a value.
  const isClear = pattern !== undefined && pattern.split('**').length <= 2;
  const form =
    isClear &&
    new RegExp(
      `^${pattern
        .split(/(\*\*?)/)
        .map(stepText)
        .join('')}$`,
    );
  return {
    written,
    name,
    hasSteps: plus !== '' || end !== '' || pattern !== undefined,
    accepts: (value) => !form || form.test(value),
  };
}

const stepText = (part: string) =>
  part === '**' ? '.+' : part === '*' ? '[^/]+' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
