import { CallSite } from '../base/metadata/call-site.js';
import { addRecord, type DecoratorRecord } from '../base/metadata/store.js';
import { placeOf, type DecoratorArguments } from './place.js';

/** A decorator for a class or a method, under `experimentalDecorators` and as a standard decorator. */
export interface ClassOrMethodDecorator extends ClassOnlyDecorator, MethodOnlyDecorator {}

export interface ClassOnlyDecorator {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- what TypeScript passes
  (target: Function, context?: ClassDecoratorContext): void;
}

/** What is abstract would be built without complaint, and lack its methods. */
export interface ConcreteClassDecorator {
  (target: new (...args: never[]) => object, context?: ClassDecoratorContext): void;
}

export interface MethodOnlyDecorator {
  (target: object, key: string | symbol, descriptor: PropertyDescriptor): void;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- what TypeScript passes
  (value: Function, context: ClassMethodDecoratorContext): void;
}

/** A decorator for a parameter; these exist under `experimentalDecorators` only. */
export interface ParameterOnlyDecorator {
  (target: object, key: string | symbol | undefined, index: number): void;
}

type Recorded = Pick<DecoratorRecord, 'kind' | 'options'> &
  Partial<Pick<DecoratorRecord, 'name' | 'schema' | 'combine'>>;

/**
 * Makes the decorator that a factory returns: all it does is to leave a record, with the place where it was written.
 *
 * @param recorded what to record
 * @param factory the factory itself, so that the call site is its caller
 */
export function recording(
  recorded: Recorded,
  factory: (...args: never[]) => unknown,
): (...args: DecoratorArguments) => void {
  const site = new CallSite(factory);
  const { kind, options, name = '', schema, combine } = recorded;
  return (target, key, third) => {
    const { holder, place } = placeOf({ target, key, third }, site);
    addRecord(holder, { kind, name, options, place, site, schema, combine });
  };
}
