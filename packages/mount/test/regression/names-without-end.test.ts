import { mountServer } from '@toolwright/mount';
import { Pins, TOO_MANY_NAMES } from '../../src/pins/pins.js';
import { serveMalicious, tool } from '../support/malicious-upstream.js';
import { createGateway } from '../support/tools.js';
import { auditTo } from '../../../core/test/support/recording-sink.js';

/** Tools of one night. The next night has others. */
const night = (number: number, more: object = {}) =>
  Array.from({ length: 5 }, (_, index) => tool(`n${number}_${index}`, { ...more }));

// Without a lock, the first form of each name counts. Such a server made its mount remember more each time.
test('a server that lists new names for ever is held back, which is told once, and nothing is forgotten', async () => {
  const evil = await serveMalicious();
  evil.tools = night(0);
  const heard: unknown[] = [];
  const audit = auditTo((event) => void heard.push([event.outcome, event.arguments]));
  const gateway = await createGateway({ audit });
  const mount = await mountServer(gateway, 'evil', { url: evil.url, limits: { tools: 5 } });
  const listed = () => gateway.tools.list().map(({ name, description }) => `${name}: ${description}`);
  const comesAs = async (tools: Record<string, unknown>[]) => {
    evil.tools = tools;
    await mount.restart();
  };

  // It may have as many new names again as a list may have.
  await comesAs(night(1));
  expect(listed()).toHaveLength(5);
  for (let number = 2; number < 12; number++) {
    await comesAs(night(number));
    expect(listed()).toEqual([]);
    expect(mount.status().held).toHaveLength(5);
  }
  expect(heard).toEqual([
    ['held', expect.objectContaining({ changed: ['new'], reason: TOO_MANY_NAMES }) as object],
  ]);

  await comesAs(night(0, { description: 'Does it for me.' }));
  expect(listed()).toContain('n0_0: Does n0_0.');
  expect(mount.status().held).toMatchObject(night(0).map(({ name }) => ({ name, changed: ['description'] })));

  // A person who accepts what is there begins anew.
  await comesAs(night(12));
  expect(await mount.accept()).toBe(true);
  expect(listed()).toHaveLength(5);
  await comesAs(night(13));
  expect(listed()).toHaveLength(5);
  await gateway.close(0);
  await evil.close();
});

test('definitions that come later are bounded by their size, too', async () => {
  const pins = new Pins('evil', { names: 100, bytes: 1_000 }, undefined, () => undefined);
  const hold = async (name: string, length: number) => {
    const tools = [{ name, description: 'x'.repeat(length) }];
    const { tools: shown } = await pins.hold({
      tools,
      prompts: [],
      resources: [],
      resourceTemplates: [],
      apps: [],
      left: [],
      unread: new Set<never>(),
    });
    return shown.length;
  };
  const shown: number[] = [];
  for (const [name, length] of [
    ['first', 5_000],
    ['a', 400],
    ['b', 400],
    ['c', 400],
    ['a', 400],
  ] as const)
    shown.push(await hold(name, length));
  expect(shown).toEqual([1, 1, 1, 0, 1]);
});
