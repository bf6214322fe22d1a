import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf, textOf } from '../../test/answers.js';
import { AppHost } from '../../test/app-host.js';
import { describeInChromium } from '../../../../.ci/test/support/chromium.js';
import { ServedTopic } from '../../test/served-topic.js';
import { ChartTools, type WeatherChart } from './chart-tools.js';

describe.each(referees)('the weather, charted by $name', (referee) => {
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    topic = await ServedTopic.serve({ services: [ChartTools] });
    client = await topic.connect(referee, { showsApps: true });
  });

  afterAll(() => topic.close());

  it('is twelve months of figures, which the text says as well', async () => {
    const result = await client.callTool('chart_weather', { city: 'Seattle', year: 2014 });
    const chart = result.structuredContent as WeatherChart;

    expect(chart.months).toHaveLength(12);
    expect(chart.months[6]).toEqual({ month: '2014-07', low: 14.4, high: 26.9, precipitation: 19.6 });
    expect(JSON.parse(textOf(result))).toEqual(chart);
  });

  it.each([
    [{ city: 'Berlin', year: 2014 }, /"New York".*"Seattle"/],
    [{ city: 'Seattle', year: 2016 }, /year.*2015/],
    [{ city: 'Seattle', year: 2014.5 }, /year.*integer/],
    [{ city: 'Seattle' }, /year/],
  ])('%j is answered with what to send instead', async (args, hint) => {
    expect(refusalOf(await client.callTool('chart_weather', args))).toMatch(hint);
  });

  describeInChromium('in a host with MCP Apps', (browser) => {
    let host: AppHost;

    const open = async (capabilities?: { serverTools?: object }) =>
      (host = await AppHost.open(browser(), { client, tool: 'chart_weather', capabilities }));
    const heading = (name: string) => host.frame.getByRole('heading', { name }).waitFor();

    afterEach(async () => {
      expect(await host.close()).toEqual({});
      expect(host.faults).toEqual([]);
    });

    it('is a bar for each month, as high and as low as it was', async () => {
      await open();
      const { structuredContent } = await host.call('chart_weather', { city: 'New York', year: 2015 });
      await heading('New York, 2015');

      const drawn = await readBars(host);
      const { months } = structuredContent as WeatherChart;
      expect(drawn).toHaveLength(12);
      drawn.forEach(({ low, high }, index) => {
        expect(low).toBeCloseTo(months[index]!.low, 5);
        expect(high).toBeCloseTo(months[index]!.high, 5);
      });
      expect(await host.frame.locator('tbody th').allTextContents()).toEqual(
        months.map(({ month }) => month),
      );
    });

    it('has room for all that is written in it', async () => {
      await open();
      await host.call('chart_weather', { city: 'New York', year: 2015 });
      await heading('New York, 2015');

      const cut = await host.frame.evaluate(`[...document.querySelectorAll('#chart text')]
        .filter((label) => {
          const { x, width } = label.getBBox();
          return x < 0 || x + width > 640;
        })
        .map(({ textContent }) => textContent)`);
      expect(cut).toEqual([]);
      expect(await host.frame.getByText('-10 °C').count()).toBe(1);
    });

    it('is drawn anew when a person chooses, by a call of the page', async () => {
      await open();
      await host.call('chart_weather', { city: 'New York', year: 2015 });
      await heading('New York, 2015');
      await host.frame.getByLabel('City').selectOption('Seattle');
      await heading('Seattle, 2015');
      await host.frame.getByLabel('Year').selectOption('2012');
      await heading('Seattle, 2012');

      expect(await readBars(host)).toHaveLength(12);
    });

    it('offers no choice where pages may not call tools', async () => {
      await open({});
      await host.call('chart_weather', { city: 'Seattle', year: 2013 });
      await heading('Seattle, 2013');

      expect(await host.frame.getByLabel('City').isVisible()).toBe(false);
    });

    it('says why there is none', async () => {
      await open();
      await host.call('chart_weather', { city: 'Seattle', year: 1066 });

      await host.frame.getByText(/year.*2012/).waitFor();
    });

    it('wears what the host wears', async () => {
      await open();

      expect(await host.frame.evaluate('getComputedStyle(document.body).color')).toBe('rgb(1, 2, 3)');
      expect(await host.frame.evaluate('getComputedStyle(document.body).colorScheme')).toBe('dark');
    });
  });

  describeInChromium('in a host that holds to what the page declares', (browser) => {
    it('reaches nothing outside', async () => {
      const host = await AppHost.open(browser(), { client, tool: 'chart_weather' });
      const forbidden = await host.frame.evaluate(`new Promise((resolve) => {
        addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective));
        fetch('https://example.com/').catch(() => undefined);
      })`);
      await host.close();

      expect(forbidden).toBe('connect-src');
      expect(host.faults.join()).not.toContain('asked for');
    });
  });
});

/** An element of the page, as far as it is read here. */
interface Attributes {
  getAttribute(name: string): string | null;
}

/** What the bars say, read off by the axis beside them. */
async function readBars({ frame }: AppHost): Promise<{ low: number; high: number }[]> {
  const ticks = await frame
    .locator('.tick')
    .evaluateAll((lines) =>
      (lines as unknown as Attributes[]).map((line) =>
        ['data-value', 'y1'].map((name) => Number(line.getAttribute(name))),
      ),
    );
  const [from, to] = [ticks[0]!, ticks.at(-1)!];
  const valueAt = (y: number) => from[0]! + ((y - from[1]!) / (to[1]! - from[1]!)) * (to[0]! - from[0]!);
  const bars = await frame
    .locator('.month')
    .evaluateAll((rects) =>
      (rects as unknown as Attributes[]).map((rect) =>
        ['y', 'height'].map((name) => Number(rect.getAttribute(name))),
      ),
    );
  return bars.map(([y, height]) => ({ low: valueAt(y! + height!), high: valueAt(y!) }));
}
