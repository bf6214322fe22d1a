import 'reflect-metadata';
import type { Revival } from '../values/revival.js';
import { toJson } from '../values/to-json.js';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsEmail, MinLength } from 'class-validator';
import type { DtoClass, TypeTable } from './class-types.js';
import { PendingChecks } from './class-validator.js';
import { compileRevival } from './revive.js';
import { UnrevivableError } from './build-instance.js';

class Point {
  x = 0;
  y = 0;
  norm(): number {
    return Math.hypot(this.x, this.y);
  }
}

class Account {
  @IsEmail() email!: string;
  @MinLength(2) name!: string;
}

const classes: Record<string, DtoClass> = {
  Point: { constructor: Point, validation: 'skip' },
  Account: { constructor: Account, validation: 'full' },
};
const revivals: Record<string, Revival> = {
  Tree: {
    kind: 'object',
    properties: { at: { kind: 'date' }, children: { kind: 'array', items: { kind: 'ref', name: 'Tree' } } },
  },
};
const types: TypeTable = { revival: (name) => revivals[name], dto: (key) => classes[key] };

function revive(revival: Revival, value: unknown, pending = new PendingChecks(), always = false): unknown {
  return compileRevival(revival, { types, always })(value, pending, '');
}

const day = '2026-07-28T12:00:00.000Z';

describe('a value that JSON does not have', () => {
  const cases: [string, Revival, unknown, unknown][] = [
    ['a date', { kind: 'date' }, day, new Date(day)],
    ['a small bigint', { kind: 'bigint' }, 12, 12n],
    ['a large bigint', { kind: 'bigint' }, '123456789012345678901', 123456789012345678901n],
    ['a URL', { kind: 'url' }, 'https://example.com/a?b', new URL('https://example.com/a?b')],
    ['bytes', { kind: 'bytes' }, 'aGk=', new Uint8Array([104, 105])],
    ['a buffer', { kind: 'bytes', buffer: true }, 'aGk=', Buffer.from('hi')],
    ['a set of dates', { kind: 'set', items: { kind: 'date' } }, [day], new Set([new Date(day)])],
    [
      'a tuple',
      { kind: 'tuple', items: [null, { kind: 'date' }], rest: { kind: 'bigint' } },
      ['a', day, 1],
      ['a', new Date(day), 1n],
    ],
    ['a map', { kind: 'map', values: { kind: 'bigint' } }, { a: 1 }, new Map([['a', 1n]])],
    [
      'a map of pairs',
      { kind: 'map', pairs: true, keys: { kind: 'date' }, values: { kind: 'set' } },
      [[day, ['x']]],
      new Map([[new Date(day), new Set(['x'])]]),
    ],
    [
      'a recursive type',
      { kind: 'ref', name: 'Tree' },
      { at: day, children: [{ at: day, children: [] }] },
      { at: new Date(day), children: [{ at: new Date(day), children: [] }] },
    ],
    [
      'an index signature',
      { kind: 'object', properties: { n: { kind: 'bigint' } }, additional: { kind: 'date' } },
      { n: 1, any: day },
      { n: 1n, any: new Date(day) },
    ],
    [
      'the alternative of a union that fits',
      {
        kind: 'union',
        options: [
          { when: { type: 'string', format: 'date-time' }, revive: { kind: 'date' } },
          { when: { type: 'string' } },
        ],
      },
      day,
      new Date(day),
    ],
  ];

  it.each(cases)('is revived, and converted back: %s', (_, revival, json, value) => {
    const revived = revive(revival, json);
    expect(revived).toEqual(value);
    expect(toJson(revived, { revival })).toEqual(json);
  });

  it('is not changed if it is already revived, or missing', () => {
    for (const [, revival, , value] of cases) {
      if (revival.kind !== 'union') expect(revive(revival, value)).toEqual(value);
      expect(revive(revival, undefined)).toBeUndefined();
      expect(revive(revival, null)).toBeNull();
    }
  });

  it('does not share memory with other buffers', () => {
    expect((revive({ kind: 'bytes' }, 'aGk=') as Uint8Array).buffer.byteLength).toBe(2);
  });

  it('is a plain string if no alternative of a union matches', () => {
    expect(revive({ kind: 'union', options: [{ when: { type: 'number' } }] }, 'x')).toBe('x');
  });

  it.each<[Revival['kind'], string]>([
    ['date', '2026-12-31T23:59:60Z'],
    ['date', '2026-02-30T99:00:00Z'],
    ['bigint', '1.5'],
    ['bigint', '9'.repeat(5_000)],
    ['url', '/relative'],
    ['bytes', 'hello'],
    ['bytes', 'aGk=aGk='],
  ])('is refused if it is no %s: %.40s', (kind, value) => {
    const reviving = () => revive({ kind: 'object', properties: { at: { kind } as Revival } }, { at: value });
    expect(reviving).toThrow(UnrevivableError);
    expect(reviving).toThrow('/at: expected');
  });
});

describe('DTOs', () => {
  it('become instances, with their initialisers and methods', () => {
    const [point] = revive({ kind: 'array', items: { kind: 'object', class: 'Point' } }, [{ x: 3 }]) as [
      Point,
    ];
    expect(point).toBeInstanceOf(Point);
    expect(point).toEqual({ x: 3, y: 0 });
    expect(point.norm()).toBe(3);
  });

  it('go to class-validator only if the schema does not express everything', () => {
    const pair: Revival = {
      kind: 'object',
      properties: {
        point: { kind: 'object', class: 'Point' },
        account: { kind: 'object', class: 'Account' },
      },
    };
    const pending = new PendingChecks();
    const value = revive(pair, { point: { x: 1 }, account: { email: 'x' } }, pending) as {
      account: Account;
    };
    expect(value.account).toBeInstanceOf(Account);
    expect(pending.unchecked).toEqual([{ instance: value.account, pointer: '/account' }]);
    revive(pair, { point: { x: 1 } }, pending, true);
    expect(pending.unchecked.map(({ pointer }) => pointer)).toEqual(['/account', '/point']);
  });

  it('of unknown classes stay plain objects', () => {
    expect(
      revive({ kind: 'object', class: 'Gone', properties: { at: { kind: 'date' } } }, { at: day }),
    ).toEqual({ at: new Date(day) });
  });
});

describe('class-transformer leaves nothing out in silence', () => {
  class Labelled {
    @Transform(({ value }: { value: string }) => value.trim()) name!: string;
    labels!: Record<string, unknown>;
    @Expose({ name: 'more_labels' }) moreLabels!: Record<string, unknown>;
    @Transform(({ value }) => value as unknown) seen!: unknown;
  }
  const labelled: Record<string, DtoClass> = { Labelled: { constructor: Labelled, validation: 'full' } };

  function build(value: object): unknown {
    const named: TypeTable = { revival: () => undefined, dto: (key) => labelled[key] };
    const revival: Revival = { kind: 'object', class: 'Labelled', names: { more_labels: 'moreLabels' } };
    return compileRevival(revival, { types: named, always: false })(value, new PendingChecks(), '/note');
  }

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['an object', { name: 'x' }],
    ['an object with the same key', { constructor: { constructor: 1 } }],
    ['null', null],
  ])('a free map keeps its key "constructor" with %s', (_, constructor) => {
    const labels = { constructor, deep: [{ constructor }], other: 1 };
    const built = build({ name: ' a ', labels, more_labels: labels }) as Labelled;
    expect(built).toBeInstanceOf(Labelled);
    expect(built.name).toBe('a');
    expect(built.labels).toEqual(labels);
    expect(built.moreLabels).toEqual(labels);
  });

  it('a key that a transformation would not see is refused', () => {
    expect(() => build({ name: 'a', seen: { constructor: 1 } })).toThrow('/note/seen/constructor');
    expect(() => build({ name: 'a', constructor: 1 })).toThrow('/note/constructor');
  });

  class Circle {
    kind!: 'circle';
    radius!: number;
  }
  class Square {
    @Exclude() kind?: 'square';
    side!: number;
  }
  const discriminator = {
    property: 'kind',
    subTypes: [
      { value: Circle, name: 'circle' },
      { value: Square, name: 'square' },
    ],
  };
  class Drawing {
    @Type(() => Object, { discriminator }) shapes!: object[];
    @Type(() => Object, { discriminator }) frame!: object;
  }
  labelled['Drawing'] = { constructor: Drawing, validation: 'full' };

  it('a class keeps the property that has chosen it', () => {
    const circle = { kind: 'circle', radius: 1 };
    const drawing = { shapes: [circle, { kind: 'square', side: 2 }], frame: circle };
    const named: TypeTable = { revival: () => undefined, dto: (key) => labelled[key] };
    const revive = compileRevival({ kind: 'object', class: 'Drawing' }, { types: named, always: false });
    const built = revive(drawing, new PendingChecks(), '') as Drawing;
    expect(built.frame).toBeInstanceOf(Circle);
    expect(built.frame).toEqual(circle);
    expect(built.shapes).toEqual([circle, { side: 2 }]);
    expect(drawing.frame).toEqual({ kind: 'circle', radius: 1 });
  });
});
