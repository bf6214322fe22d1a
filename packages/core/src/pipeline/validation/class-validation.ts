import type { ValidationError } from 'class-validator';
import { isSensitiveProperty } from '../../metadata/sensitive-properties.js';
import type { Constructor } from '../target.js';
import { StepBudget } from '../../patterns/step-budget.js';
import type { FlaggedPattern } from '../../schema/find-pattern-faults.js';
import { patternsOf, withinBudget } from './bounded-regexp.js';
import { memoiseMetadata } from './memoise-metadata.js';
import { tellTooLong, type Problem } from './problem.js';

/** An instance that class-validator still has to check, and where it stands. */
export interface Unchecked {
  readonly instance: object;
  readonly pointer: string;
}

/* eslint-disable @typescript-eslint/no-require-imports -- optional peers, ~100 ms together: loaded at first need */
let transformer: typeof import('class-transformer') | undefined;
let validator: typeof import('class-validator') | undefined;

/** An instance of a DTO by class-transformer's rules. */
export function toInstance(Dto: Constructor, value: object): object {
  transformer ??= require('class-transformer') as typeof import('class-transformer');
  return transformer.plainToInstance(Dto as new () => object, value);
}

function loadValidator(): typeof import('class-validator') {
  const loaded = require('class-validator') as typeof import('class-validator');
  memoiseMetadata(loaded.getMetadataStorage());
  return loaded;
}
/* eslint-enable @typescript-eslint/no-require-imports */

/** The regular expressions that class-validator matches the properties of a class against. */
export function patternsOfClass(Dto: Constructor): FlaggedPattern[] {
  validator ??= loadValidator();
  return validator
    .getMetadataStorage()
    .getTargetValidationMetadatas(Dto, '', true, false)
    .flatMap(patternsOf);
}

/** What class-validator has to say of instances that the schema alone cannot judge. */
export async function validateInstances(unchecked: readonly Unchecked[]): Promise<Problem[]> {
  validator ??= loadValidator();
  const { validate } = validator;
  const steps = new StepBudget();
  const problems: Problem[] = [];
  for (const { instance, pointer } of unchecked) {
    // A class without constraints is no attack; the closed schema has already refused unknown properties.
    const errors = await withinBudget(steps, () => validate(instance, { forbidUnknownValues: false }));
    problems.push(...errors.flatMap((error) => problemsOf(error, pointer)));
  }
  return steps.isExhausted ? problems.map(tellTooLong) : problems;
}

function problemsOf(
  { property, constraints = {}, children = [], value, target }: ValidationError,
  parent: string,
): Problem[] {
  const sensitive = target !== undefined && isSensitiveProperty(target, property);
  const pointer = `${parent}/${property.replace(/~/g, '~0').replace(/\//g, '~1')}`;
  const own = Object.entries(constraints).map(([keyword, message]) => ({
    pointer,
    keyword,
    expected: message,
    ...(isPlain(value) && { received: { value: value as unknown } }),
    ...(sensitive && { sensitive }),
  }));
  const inside = children.flatMap((child) => problemsOf(child, pointer));
  return [...own, ...(sensitive ? inside.map((problem) => ({ ...problem, sensitive })) : inside)];
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
