import type { ValidationError } from 'class-validator';
import type { Constructor } from '../target.js';
import { memoiseMetadata } from './memoise-metadata.js';
import type { Problem } from './problem.js';

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

/** What class-validator has to say of instances that the schema alone cannot judge. */
export async function validateInstances(unchecked: readonly Unchecked[]): Promise<Problem[]> {
  validator ??= loadValidator();
  const problems: Problem[] = [];
  for (const { instance, pointer } of unchecked) {
    // A class without constraints is no attack; the closed schema has already refused unknown properties.
    const errors = await validator.validate(instance, { forbidUnknownValues: false });
    problems.push(...errors.flatMap((error) => problemsOf(error, pointer)));
  }
  return problems;
}

function problemsOf(
  { property, constraints = {}, children = [], value }: ValidationError,
  parent: string,
): Problem[] {
  const pointer = `${parent}/${property.replace(/~/g, '~0').replace(/\//g, '~1')}`;
  const own = Object.entries(constraints).map(([keyword, message]) => ({
    pointer,
    keyword,
    expected: message,
    ...(isPlain(value) && { received: { value: value as unknown } }),
  }));
  return [...own, ...children.flatMap((child) => problemsOf(child, pointer))];
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
