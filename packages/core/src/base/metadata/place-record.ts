/** A decorator on the class itself. */
export interface ClassPlace {
  readonly on: 'class';
}

export interface MethodPlace {
  readonly on: 'method';
  readonly method: string;
  readonly static: boolean;
}

export interface ParameterPlace {
  readonly on: 'parameter';
  /** Undefined for a parameter of the constructor. */
  readonly method: string | undefined;
  readonly static: boolean;
  readonly index: number;
}

/** The part of a class that a decorator belongs to. It is the same for legacy and standard decorators. */
export type Place = ClassPlace | MethodPlace | ParameterPlace;

/** Whether two places of one class are the same. */
export function isSamePlace(one: Place, other: Place): boolean {
  if (one.on === 'class' || other.on === 'class') return one.on === other.on;
  return one.method === other.method && one.static === other.static && indexOf(one) === indexOf(other);
}

function indexOf(place: MethodPlace | ParameterPlace): number | undefined {
  return place.on === 'parameter' ? place.index : undefined;
}
