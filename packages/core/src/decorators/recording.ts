import { CallSite } from '../base/metadata/call-site.js';
import { addRecord, type DecoratorRecord } from '../base/metadata/store.js';
import { placeOf, type DecoratorArguments } from './place.js';

/**
 * A decorator for a class or a method. It works under `experimentalDecorators` and as a standard decorator.
 */
export interface ClassOrMethodDecorator extends ClassOnlyDecorator, MethodOnlyDecorator {}

export interface ClassOnlyDecorator {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- what TypeScript passes
  (target: Function, context?: ClassDecoratorContext): void;
}

/**
 * The container would build an abstract class without an error, but its abstract methods would be missing.
 */
export interface ConcreteClassDecorator {
  (target: new (...args: never[]) => object, context?: ClassDecoratorContext): void;
}

export interface MethodOnlyDecorator {
  (target: object, key: string | symbol, descriptor: PropertyDescriptor): void;
  // eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- what TypeScript passes
  (value: Function, context: ClassMethodDecoratorContext): void;
}

/** A decorator for a parameter. These exist only under `experimentalDecorators`. */
export interface ParameterOnlyDecorator {
  (target: object, key: string | symbol | undefined, index: number): void;
}

type Recorded = Pick<DecoratorRecord, 'kind' | 'options'> &
  Partial<Pick<DecoratorRecord, 'name' | 'schema' | 'combine'>>;

/**
 * Makes the decorator that a factory returns. The decorator only leaves a record, with the place where it was
 * written.
 *
 * @param recorded what to record
 * @param factory the factory itself, so that the call site is the factory's caller
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
