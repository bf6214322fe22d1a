import { randomUUID } from 'node:crypto';
import { closedAfterEach } from '../../../.ci/test/support/closed-after-each.js';
import { modes, type OfficialClient } from './support/clients.js';
import { CuttableFetch } from './support/cuttable-fetch.js';
import { describeFleet } from './support/describe-fleet.js';

describeFleet('Official clients and three replicas without stickiness', {}, (test) => {
  const open = closedAfterEach<OfficialClient>();

  describe.each(modes)('$name', ({ connect }) => {
    const connected = async (options: Partial<Parameters<typeof connect>[1]> = {}) => {
      const client = await connect(test.fleet.url, { user: randomUUID(), ...options });
      open.push(client);
      return client;
    };

    it('is served by every replica, as the same caller', async () => {
      const client = await connected({ user: 'ann' });
      const answers = [];
      for (let asked = 0; asked < 9; asked++) answers.push(await client.call('whoami'));
      expect(new Set(answers.map(({ instance }) => instance))).toEqual(
        new Set(['replica-1', 'replica-2', 'replica-3']),
      );
      expect(new Set(answers.map(({ principal }) => principal))).toEqual(new Set(['ann']));
    });

    it('is asked by one replica, and may answer at another', async () => {
      const client = await connected({ name: 'Ada' });
      for (let asked = 0; asked < 4; asked++) expect(await client.call('ask')).toBe('Hello, Ada!');
    });

    it('hears of a change, whichever replica makes it', async () => {
      const watcher = await connected();
      const writer = await connected();
      let heard = () => {};
      await watcher.watch('fleet://notice', () => heard());
      for (const text of ['one', 'two', 'three', 'four']) {
        const isHeard = new Promise<void>((resolve) => (heard = resolve));
        await writer.call('write_notice', { text });
        await isHeard;
        expect(await watcher.read('fleet://notice')).toBe(text);
      }
    });

    it('gets the result that another replica has kept', async () => {
      const client = await connected();
      const values = new Set<number>();
      for (let asked = 0; asked < 6; asked++)
        values.add((await client.call('measure', { topic: 'x' })).value);
      expect(values.size).toBe(1);
    });
  });

  it.each(modes.filter(({ name }) => name.includes('2025')))(
    '$name gets every event of a stream once, however often it is cut',
    async ({ connect }) => {
      const network = new CuttableFetch();
      const steps: number[] = [];
      let cuts = 0;
      const onLog = ({ step }: { step: number }) => {
        steps.push(step);
        if (step % 10 === 5) cuts += network.cut();
      };
      const client = await connect(test.fleet.url, { user: randomUUID(), fetch: network.fetch, onLog });
      open.push(client);
      expect(await client.call('count_slowly', { steps: 60, ms: 20 })).toMatchObject({ steps: 60 });
      expect(cuts).toBeGreaterThan(0);
      expect(steps).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    },
  );
});
