import { McpService, McpTool, Schema } from '@toolwright/core';
import type { StandardSchema } from '@toolwright/core/options';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { handMadeManifest } from './packages/hand-made-manifest.js';
import { boot, problemsOf } from './support/booting.js';
import { StatelessWire } from './wire/stateless-wire.js';

const manifest = () => handMadeManifest({ file: 'test.ts', name: 'Tools', methods: { work: ['given'] } });

/** A service with one tool, whose parameter `given` has this schema. */
function toolWith(schema: StandardSchema<unknown, any>) {
  @McpService()
  class Tools {
    @McpTool()
    work(@Schema(schema) given: any): string {
      return JSON.stringify(given);
    }
  }
  return Tools;
}

/** The same for all arguments. */
function toolOf(schema: StandardSchema<unknown, any>) {
  @McpService()
  class Tools {
    @McpTool({ inputSchema: schema })
    work(given: any): string {
      return JSON.stringify(given);
    }
  }
  return Tools;
}

const problemOf = async (service: new () => object) => {
  const [problem, ...others] = await problemsOf({ services: [service], manifest: manifest() });
  expect(others).toEqual([]);
  return problem!;
};

describe('a schema without a JSON Schema keeps the server from starting', () => {
  test.each([
    ['Valibot without its converter', v.string(), 'toStandardJsonSchema'],
    ['a date in Zod', z.date(), 'Describe the JSON that clients send'],
    [
      'a check in Valibot',
      toStandardJsonSchema(
        v.pipe(
          v.string(),
          v.check(() => true),
        ),
      ),
      'check',
    ],
    [
      'a library that does not know the standard',
      { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } } as const,
      'Use a library with Standard JSON Schema',
    ],
    [
      'a converter that returns nonsense',
      {
        '~standard': {
          version: 1,
          vendor: 'own',
          validate: (value: unknown) => ({ value }),
          jsonSchema: { input: () => 'x' as never, output: () => ({}) },
        },
      } as const,
      'returned no object',
    ],
  ])('%s', async (_, schema, words) => {
    const { code, message, fix, location } = await problemOf(toolWith(schema as StandardSchema));
    expect(code).toBe('TW_SCHEMA_STANDARD');
    expect(message).toMatch(/^The schema of given of Tools\.work /);
    expect(`${message} ${fix}`).toContain(words);
    expect(location).toContain('unpublishable-schemas.test.ts:');
  });

  test('also as the schema of a result', async () => {
    @McpService()
    class Tools {
      @McpTool({ outputSchema: z.object({ at: z.date() }) })
      work(given: string): { at: Date } {
        return { at: new Date(given) };
      }
    }
    expect(await problemOf(Tools)).toMatchObject({
      code: 'TW_SCHEMA_STANDARD',
      message: expect.stringContaining('The output schema of Tools.work cannot be written as JSON Schema'),
    });
  });
});

test('a schema for all arguments that describes no object keeps the server from starting', async () => {
  expect(await problemOf(toolOf(z.string()))).toMatchObject({ code: 'TW_SCHEMA_INVALID' });
});

describe('patterns', () => {
  const slow = /^(\w+-?)+$/;
  test.each([
    ['Zod', z.string().regex(slow)],
    ['Valibot', toStandardJsonSchema(v.pipe(v.string(), v.regex(slow)))],
    ['ArkType', type(slow)],
  ])('of %s that can take too long keep the server from starting', async (_, schema) => {
    expect(await problemOf(toolWith(schema))).toMatchObject({ code: 'TW_PATTERN_UNSAFE' });
    const whole = z.object({ given: z.string().regex(slow) });
    expect(await problemOf(toolOf(whole))).toMatchObject({ code: 'TW_PATTERN_UNSAFE' });
  });

  test('that the libraries bring for their formats are accepted', async () => {
    const { string } = z;
    const formats = [
      z.email(), z.uuid(), z.url(), z.emoji(), z.base64(), z.base64url(), z.nanoid(), z.cuid(), z.cuid2(), z.ulid(),
      z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.iso.date(), z.iso.time(), z.iso.datetime({ offset: true }),
      z.iso.duration(), z.e164(), z.hostname(), z.jwt(), string().startsWith('a.b').endsWith('c').includes('d'),
      ...(['email', 'uuid', 'url', 'ip', 'semver', 'hex', 'base64', 'creditCard', 'numeric', 'date.iso'] as const).map(
        (name) => type(`string.${name}`),
      ),
      ...[v.email(), v.uuid(), v.url(), v.ipv4(), v.isoDate(), v.isoTimestamp(), v.ulid(), v.slug(), v.hexColor()].map(
        (action) => toStandardJsonSchema(v.pipe(v.string(), action)),
      ),
    ]; // prettier-ignore
    for (const schema of formats) {
      const server = await boot({ services: [toolWith(schema)], manifest: manifest() });
      await server.close(0);
    }
  });
});

describe('names that every object inherits', () => {
  const hostile = '{"given": {"__proto__": {"polluted": true}, "constructor": 1, "name": "x"}}';
  test.each([
    ['Zod', z.looseObject({ name: z.string() })],
    ['Zod, any names', z.record(z.string(), z.any())],
    ['Valibot', toStandardJsonSchema(v.looseObject({ name: v.string() }))],
    ['ArkType', type({ name: 'string' })],
  ])('are only data: %s', async (_, schema) => {
    let given: any;
    @McpService()
    class Tools {
      @McpTool()
      work(@Schema(schema as StandardSchema<unknown, any>) value: any): void {
        given = value;
      }
    }
    const server = await boot({ services: [Tools], manifest: manifest() });
    await new StatelessWire(server).call('work', JSON.parse(hostile) as Record<string, unknown>);
    expect(given.name).toBe('x');
    expect(given.polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await server.close(0);
  });
});

test('a manifest that knows of a schema that is gone is out of date', async () => {
  @McpService()
  class Tools {
    @McpTool()
    work(given: string): string {
      return given;
    }
  }
  const older = manifest();
  older.entries[0]!.standard = ['given'];
  const [problem] = await problemsOf({ services: [Tools], manifest: older });
  expect(problem).toMatchObject({ code: 'TW_MANIFEST_STALE', fix: expect.stringContaining('build') });
});
