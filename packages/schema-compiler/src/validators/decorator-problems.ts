import type { Definition, ts } from '../generator/tjs-adapter.js';
import { isMap, refusedByValues } from './declared-values.js';
import { disagreements, ineffectiveDecorators } from './ineffective-decorators.js';
import type { KnownOfProperty, RuleProblem } from './property-rules.js';
import type { PropertyDecorators } from './read-property-decorators.js';

/** What is wrong with the decorators of a property: they do nothing, refuse every value, or differ from its tags. */
export function decoratorProblems(
  property: ts.Symbol,
  decorators: PropertyDecorators,
  {
    definition,
    tags,
    resolve,
    checker,
  }: KnownOfProperty & { definition: Definition; checker: ts.TypeChecker },
): RuleProblem[] {
  const { constraints } = decorators;
  if (constraints.length === 0) return [];
  const wrong = (detail: string) => ({ code: 'TW_SCHEMA_DECORATOR_TYPE' as const, detail });
  const unfit = ineffectiveDecorators(constraints, definition, { resolve, isMap: isMap(property, checker) });
  const late = refusedByValues(property, decorators, checker);
  return [
    ...unfit.map(({ decorator, accepts, types }) =>
      wrong(
        `@${decorator} accepts only values of the type ${accepts}, but the type is ${types.join(' or ')}.`,
      ),
    ),
    ...late.map(({ written }) =>
      wrong(
        `@${written} checks the values of a Map after they are converted, and accepts only their JSON form.`,
      ),
    ),
    ...disagreements(constraints, tags, definition).map(({ tag, decorator }) => ({
      code: 'TW_SCHEMA_TAG_CONFLICT' as const,
      detail: `The tag ${tag} differs from the decorator: ${decorator}.`,
    })),
  ];
}
