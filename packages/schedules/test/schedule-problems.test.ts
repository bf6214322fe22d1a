import { ConfigurationError, McpService, RateLimit } from '@toolwright/core';
import { Scheduled } from '@toolwright/schedules';
import { handMadeManifest } from '../../core/test/packages/hand-made-manifest.js';
import { boot, problemsOf, temporaryPackages } from '../../core/test/support/booting.js';
import { FakeClock } from '../../core/test/support/fake-clock.js';

const makePackage = temporaryPackages();

const serviceModule = (name: string, body: string) => `
  import { McpService, McpTool } from '@toolwright/core';
  import { Scheduled } from '@toolwright/schedules';
  @McpService() export class ${name} { ${body} }`;

describe('the boot', () => {
  it('reports every schedule that cannot be used, each with its place', async () => {
    @McpService()
    class Wrong {
      @Scheduled('61 3 * * *') minute() {}
      @Scheduled('0 3 * *') fields() {}
      @Scheduled('0 0 31 2 *') never() {}
      @Scheduled('2030-01-01T00:00:00Z') date() {}
      @Scheduled('0 3 * * *', { timeZone: 'Mars/Olympus' }) zone() {}
      @Scheduled('0 3 * * *', { catchUp: 'soon' as never }) option() {}
      @Scheduled('0 3 * * *', { name: 'twin' }) one() {}
      @Scheduled('0 3 * * *', { name: 'twin' }) two() {}
      @Scheduled('0 3 * * *') several(_one: string, _two: string) {}
      @Scheduled('0 3 * * *') @RateLimit({ points: 1, per: '1s' }) limited() {}
    }
    const problems = await problemsOf({ services: [Wrong] });
    expect(problems.map(({ code }) => code)).toEqual([
      'TW_OPTION_INVALID',
      ...Array<string>(6).fill('TW_SCHEDULE_INVALID'),
      'TW_POLICY_MISPLACED',
      'TW_SCHEDULE_INVALID',
    ]);
    const text = problems.map(({ message }) => message).join('\n');
    for (const heard of [
      /Wrong\.minute cannot be used: "61 3 \* \* \*" is no cron expression \(Invalid value for minute: 61\)/,
      /Wrong\.fields.*no cron expression/,
      /Wrong\.never.*is never due/,
      /Wrong\.date.*is a date/,
      /"Mars\/Olympus" is no time zone/,
      /several parameters/,
      /Two schedules have the name "twin"/,
      /"rateLimit" would do nothing on Wrong\.limited/,
    ])
      expect(text).toMatch(heard);
    for (const { location } of problems) expect(location).toMatch(/schedule-problems\.test\.ts:\d+:\d+$/);
  });

  it('refuses a scheduled method that lives as long as a session', async () => {
    @McpService({ scope: 'session' })
    class Jobs {
      @Scheduled('* * * * *') run() {}
    }
    await expect(boot({ services: [Jobs] })).rejects.toThrow(ConfigurationError);
    expect((await problemsOf({ services: [Jobs] }))[0]!.message).toMatch(/a scheduled run has none/);
  });

  describe('of a tool that is scheduled', () => {
    const tool = (parameters: string[]) => {
      const body = `@McpTool() @Scheduled('* * * * *') find(query) { globalThis.scheduledFinds.push(query); }`;
      const made = makePackage(
        { 'dist/a.js': serviceModule('Tools', body) },
        handMadeManifest({ file: 'src/a.ts', name: 'Tools', methods: { find: parameters } }),
      );
      return Object.values(made.load('dist/a.js')) as [never];
    };

    it('refuses it if it needs an argument', async () => {
      const problems = await problemsOf({ services: tool(['query']) });
      expect(problems).toMatchObject([
        { code: 'TW_SCHEDULE_INVALID', message: expect.stringContaining('needs the argument "query"') },
      ]);
    });

    it('takes it otherwise, and runs it without arguments', async () => {
      const finds = ((globalThis as any).scheduledFinds = [] as unknown[]);
      const clock = new FakeClock();
      const made = makePackage(
        {
          'dist/a.js': serviceModule(
            'Tools',
            `@McpTool() @Scheduled('* * * * *') find() { globalThis.scheduledFinds.push(arguments.length); }`,
          ),
        },
        handMadeManifest({ file: 'src/a.ts', name: 'Tools', methods: { find: [] } }),
      );
      const services = Object.values(made.load('dist/a.js')) as [never];
      const server = await boot({ services, ports: { clock } });
      await clock.advance(60_000);
      expect(finds).toEqual([0]);
      expect(server.tools.list().map(({ name }) => name)).toEqual(['find']);
      await server.close(0);
    });
  });
});
