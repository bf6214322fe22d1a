import { ConfigurationError, McpService, RateLimit, Scheduled } from '@toolwright/core';
import { boot, problemsOf } from './support/booting.js';

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
    for (const told of [
      /Wrong\.minute cannot be used: "61 3 \* \* \*" is no cron expression \(Invalid value for minute: 61\)/,
      /Wrong\.fields.*no cron expression/,
      /Wrong\.never.*is never due/,
      /Wrong\.date.*is a date/,
      /"Mars\/Olympus" is no time zone/,
      /several parameters/,
      /Two schedules have the name "twin"/,
      /"rateLimit" would do nothing on Wrong\.limited/,
    ])
      expect(text).toMatch(told);
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
});
