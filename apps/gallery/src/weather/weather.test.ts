import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { refusalOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { WeatherTools } from './weather-tools.js';

describe.each(referees)('the weather, looked up by $name', (referee) => {
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    topic = await ServedTopic.serve({ services: [WeatherTools] });
    client = await topic.connect(referee);
  });

  afterAll(() => topic.close());

  it('is what the file says of the day', async () => {
    const { structuredContent } = await client.callTool('get_weather', {
      city: 'New York',
      date: '2015-12-31',
    });

    expect(structuredContent).toEqual({
      city: 'New York',
      date: '2015-12-31',
      weather: 'rain',
      precipitation: 1.5,
      maxTemperature: 11.1,
      minTemperature: 6.1,
      wind: 5.5,
    });
  });

  it('is summed up over a period, its ends included', async () => {
    const period = { city: 'Seattle', from: '2012-07-01', to: '2012-07-31' };
    const { structuredContent } = await client.callTool('summarize_weather', period);

    expect(structuredContent).toMatchObject({ days: 31, maxTemperature: 28.3, precipitation: 26.3 });
    const { weather } = structuredContent as { weather: Record<string, number> };
    expect(Object.values(weather).reduce((sum, days) => sum + days)).toBe(31);
  });

  it.each([
    ['get_weather', { city: 'Berlin', date: '2014-07-31' }, /"New York".*"Seattle"/],
    ['get_weather', { city: 'Seattle', date: '31.07.2014' }, /date/],
    ['get_weather', { city: 'Seattle', date: '2014-02-30' }, /date/],
    ['get_weather', { city: 'Seattle', date: '2024-07-31' }, /Send a day from 2012-01-01 to 2015-12-31/],
    ['summarize_weather', { city: 'Seattle', from: '2014-07-31', to: '2014-07-01' }, /earlier day as "from"/],
    ['summarize_weather', { city: 'Seattle', from: '2020-01-01', to: '2020-02-01' }, /from 2012-01-01/],
    ['summarize_weather', { city: 'Seattle', from: '2014-07-31' }, /to/],
  ])('%s says what to send instead of %j', async (tool, args, hint) => {
    expect(refusalOf(await client.callTool(tool, args))).toMatch(hint);
  });
});
