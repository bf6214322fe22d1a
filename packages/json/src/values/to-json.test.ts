import { Exclude, Expose, Transform } from 'class-transformer';
import { NotJsonError, toJson } from './to-json.js';

class User {
  name = 'Ann';
  @Exclude() password = 'hunter2';
  @Transform(({ value }) => (value as Date).getFullYear()) @Expose() born = new Date('1990-05-05');
  @Expose() get initial(): string {
    return this.name[0]!;
  }
}

class Plain {
  name = 'Ann';
  #secret = 'hidden';
  get length(): number {
    return this.#secret.length;
  }
}

describe('toJson', () => {
  it('does not copy plain JSON', () => {
    const value = { a: [1, 'x', null, { b: true }], c: {} };
    expect(toJson(value)).toBe(value);
  });

  it.each<[string, unknown, unknown]>([
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['a map', new Map([['a', new Set([1])]]), { a: [1] }],
    ['a map with keys of other types', new Map([[1, 'x']]), [[1, 'x']]],
    ['a bigint within safe integers', 5n, 5],
    ['a larger bigint', 2n ** 70n, '1180591620717411303424'],
    ['bytes', new Uint8Array([104, 105]), 'aGk='],
    ['a view of bytes', new Uint8Array([0, 104, 105]).subarray(1), 'aGk='],
    ['a buffer', Buffer.from('hi'), 'aGk='],
    ['a URL', new URL('https://a.b/c'), 'https://a.b/c'],
    ['toJSON', { toJSON: () => ({ at: new Date(0) }) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['undefined in objects and arrays', { a: undefined, b: [undefined, () => 1] }, { b: [null, null] }],
    ['an object without prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['a class', new Plain(), { name: 'Ann' }],
    ['nothing', undefined, undefined],
  ])('writes %s', (_, value, json) => {
    expect(toJson(value)).toEqual(json);
  });

  it('hides what class-transformer hides', () => {
    expect(toJson({ users: [new User()] })).toEqual({ users: [{ name: 'Ann', born: 1990, initial: 'A' }] });
  });

  it('keeps a key __proto__ as data', () => {
    const json = toJson(new Map([['__proto__', 1n]])) as object;
    expect(JSON.stringify(json)).toBe('{"__proto__":1}');
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
  });

  it('refuses values that JSON.stringify would send as null, or fail on', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = { cycle };
    expect(() => toJson({ a: [{ b: Number.NaN }] })).toThrow(new NotJsonError(['a', 0, 'b'], 'is NaN'));
    expect(() => toJson({ at: new Date('never') })).toThrow('/at is an invalid date');
    expect(() => toJson(cycle)).toThrow('contains itself');
  });
});
