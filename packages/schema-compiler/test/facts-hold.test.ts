import type { JsonSchema } from '@toolwright/json';
import { type Fact, type Reuse, facts, reuses } from './facts/facts.js';
import { methods } from './facts/methods.js';
import { membersIn } from '../../core/test/facts/members-in.js';
import { useEntries } from './use-entries.js';

interface Case {
  readonly fact: Fact;
  readonly reuse: Reuse;
  readonly title: string;
  readonly number: number;
}

const cases: Case[] = facts
  .flatMap((fact) =>
    reuses
      .filter(({ isClass }) => isClass || !fact.isDecorator)
      .map((reuse) => ({ fact, reuse, title: `${fact.name}: ${reuse.name}` })),
  )
  .map((each, number) => ({ ...each, number }));

// One program with all classes takes seconds; a program for each would take an hour.
const entries = useEntries({ 'src/tools.ts': source(), 'src/methods.ts': methods.source }, [
  'class-validator',
  'class-transformer',
  '@nestjs/mapped-types',
]);

test('each fact about a member is in the schema of arguments, through each way to use it again', () => {
  expect(cases.length).toBeGreaterThan(800);
  expect(missing('input')).toEqual([]);
});

test('each fact about a member is in the schema of results, through each way to use it again', () => {
  expect(missing('output')).toEqual([]);
});

test.each(methods.cases)('$title', ({ name, holds }) => {
  expect(holds(entries.get(name)!)).toBe(true);
});

function missing(side: 'input' | 'output'): string[] {
  return cases
    .filter(({ fact }) => side === 'input' || !fact.onlyInput)
    .filter(({ fact, reuse, number }) => {
      const { [side]: schema, diagnostics } = entries.get(`${side}${number}`)!;
      const isNamed = diagnostics.some(
        ({ severity, code }) => severity === 'error' && code === 'TW_SCHEMA_LOST_RULE',
      );
      return !isNamed && !membersIn(schema, reuse.member ?? 'it').some((member) => says(member, fact, side));
    })
    .map(({ title }) => title);
}

function says(schema: JsonSchema, fact: Fact, side: 'input' | 'output'): boolean {
  const [name, value] = fact.keyword;
  const keyword = name === 'writeOnly' && side === 'output' ? 'x-sensitive' : name;
  if (JSON.stringify(schema[keyword]) === JSON.stringify(value)) return true;
  if (name === 'type' && Array.isArray(schema.type) && (schema.type as unknown[]).includes(value))
    return true;
  // The values of a list or of a choice.
  const inner = [
    schema.items,
    schema.additionalProperties,
    ...((schema.anyOf as unknown[] | undefined) ?? []),
  ];
  return inner.some(
    (each) => typeof each === 'object' && each !== null && says(each as JsonSchema, fact, side),
  );
}

function source(): string {
  const tools = cases.map(({ fact, reuse, number }) => {
    const fill = (text: string) =>
      text
        .replaceAll('FACT', () => fact.written)
        .replaceAll('TYPE', fact.type)
        .replace(/\b([ABCGM])N\b/g, `$1${number}`);
    return {
      declared: fill(reuse.declare),
      method: `
  /** Takes. */ @McpTool() input${number}(value: ${fill(reuse.use)}, more: string): void {}
  /** Returns. */ @McpTool() output${number}(): ${fill(reuse.use)} { return null!; }`,
    };
  });
  return `
import { McpService, McpTool, Schema, Sensitive } from '@toolwright/core';
import { IsInt, MaxLength } from 'class-validator';
import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
${tools.map(({ declared }) => declared).join('\n')}
@McpService()
export class Tools {${tools.map(({ method }) => method).join('')}
}`;
}
