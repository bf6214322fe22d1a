import { until } from '../../../.ci/test/support/until.js';
import { PAGE } from '../src/sandbox/pages.js';
import { MOST_OF_PARTY, Room, ROOM_LIMIT } from '../src/sandbox/room.js';
import { Shop, textOf } from './support/shop.js';

const shops: Shop[] = [];
const start = (...args: Parameters<Shop['start']>) => {
  const shop = new Shop();
  shops.push(shop);
  return shop.start(...args);
};
const rooms: Room[] = [];
/** Memory that other programs of a caller have. */
const enter = (subject: string, bytes: number): void => {
  const room = Room.enter(JSON.stringify(['', subject]))!;
  rooms.push(room);
  expect(room.take(bytes)).toBe(true);
};
afterEach(async () => {
  await Promise.all(shops.splice(0).map((shop) => shop.close()));
  for (const room of rooms.splice(0)) room.leave();
  // Memory is free when the threads have ended.
  await until(() => left() === MB_OF_ALL * MB);
});
/** What is left in the process. */
const left = (): number => {
  const room = Room.enter('"counting"')!;
  room.leave();
  return room.counters.all[0]! * PAGE;
};

const MB_OF_ALL = 1_024;
const MB = 1_048_576;
const GROWS = 'await sleep(1); const a = new Uint8Array(40_000_000).fill(1); await sleep(1); return a.length';

describe('the memory of all programs of a process', () => {
  test('counts what a program takes after it has begun, and its error names the limit', async () => {
    const shop = await start();
    enter('bob', MOST_OF_PARTY - 60 * MB);
    enter('cal', 230 * MB);
    const refused = await shop.round(`await tools.note({ what: 'a' }); ${GROWS}`);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toBe(
      `${ROOM_LIMIT}.\nIt had called: note. Look what they did before you run it again.`,
    );
    for (const room of rooms.splice(0)) room.leave();
    expect((await shop.round(GROWS)).structuredContent).toEqual({ result: 40_000_000 });
  });

  test('is not all for one caller: three quarters, and the others go on', async () => {
    const shop = await start();
    enter('ann', MOST_OF_PARTY - 60 * MB);
    expect(textOf(await shop.round(GROWS))).toContain(ROOM_LIMIT);
    expect((await shop.round(GROWS, undefined, shop.wire('bob'))).structuredContent).toEqual({
      result: 40_000_000,
    });
  });

  test('counts the results that the server keeps for a program', async () => {
    const shop = await start({}, [
      { name: 'long', description: 'Much.', handler: () => 'x'.repeat(900_000) },
    ]);
    enter('ann', MOST_OF_PARTY - 48 * MB);
    const code = `for (let i = 0; i < 9; i++) await tools.long(); return 1`;
    expect(textOf(await shop.round(code))).toMatch(/bytes of memory in all.*It had called: long, long/s);
  });

  test('is given back by programs that end, whatever their end', async () => {
    const shop = await start({ codeMode: { time: 300 } });
    await Promise.all([
      shop.round('while (true) {}'),
      shop.round(GROWS),
      shop.round('const a = []; for (;;) a.push(new ArrayBuffer(9_000_000))'),
      shop.round('throw 1'),
      shop.round('return 1'),
    ]);
    await until(() => left() === MB_OF_ALL * MB);
  });
});

test('a program that cannot begin for want of memory is refused before it has done anything', async () => {
  const shop = await start();
  enter('ann', MOST_OF_PARTY - 30 * MB);
  const refused = await shop.round('return 1');
  expect(textOf(refused)).toBe(`${ROOM_LIMIT}; retry in 1 s`);
  expect(refused._meta).toMatchObject({ retryAfterMs: 1_000 });
});

test('callers take turns: the program of one does not wait for all those of another', async () => {
  const shop = await start({ codeMode: { programs: 1, time: '1s' } });
  await shop.round('return 1');
  const ended: string[] = [];
  const busy = (subject: string) =>
    shop
      .round(
        `const until = 400_000; let n = 0; while (n < until) n++; return n`,
        undefined,
        shop.wire(subject),
      )
      .then(() => ended.push(subject));
  const all = Array.from({ length: 6 }, () => busy('ann'));
  all.push(busy('bob'));
  await Promise.all(all);
  expect(ended.indexOf('bob')).toBeLessThan(3);
});

test('a caller alone works in all places, and the next one that is free is for another', async () => {
  const shop = await start({ codeMode: { programs: 2, time: 300 } });
  await shop.round('return 1');
  const ended: string[] = [];
  const round = (subject: string, code: string) =>
    shop.round(code, undefined, shop.wire(subject)).then(() => ended.push(subject));
  const all = Array.from({ length: 4 }, () => round('ann', 'while (true) {}'));
  all.push(round('bob', 'return 1'));
  await Promise.all(all);
  expect(ended.indexOf('bob')).toBeLessThan(3);
});
