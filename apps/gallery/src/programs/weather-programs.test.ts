import { type RefereeClient, referees } from '../../../pages/test/referees.js';
import { textOf } from '../../test/answers.js';
import { ServedTopic } from '../../test/served-topic.js';
import { weatherPrograms } from './weather-programs.js';

describe.each(referees)('programs about the weather, run by $name', (referee) => {
  let topic: ServedTopic;
  let client: RefereeClient;

  beforeAll(async () => {
    topic = await ServedTopic.serve(weatherPrograms);
    client = await topic.connect(referee);
  });

  afterAll(() => topic.close());

  it('ask for each month of two cities, and answer with one line', async () => {
    const code = `
      const months = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0'));
      const rainIn = async (city) => {
        const all = await Promise.all(
          months.map((month) => tools.summarize_weather({ city, from: '2014-' + month + '-01', to: '2014-' + month + '-28' })),
        );
        const most = all.reduce((a, b) => (b.precipitation > a.precipitation ? b : a));
        return { city, month: months[all.indexOf(most)], precipitation: most.precipitation };
      };
      return await Promise.all(['Seattle', 'New York'].map(rainIn));`;
    const { structuredContent } = await client.callTool('run_code', { code });

    expect(structuredContent).toEqual({
      result: [
        { city: 'Seattle', month: '03', precipitation: expect.any(Number) },
        { city: 'New York', month: expect.stringMatching(/^\d\d$/), precipitation: expect.any(Number) },
      ],
    });
  });

  it('hear why a tool refuses, in its own words', async () => {
    const code = `
      try { await tools.get_weather({ city: 'Seattle', date: '2031-01-01' }); }
      catch (error) { return error.message; }`;
    const { structuredContent } = await client.callTool('run_code', { code });

    expect(structuredContent).toEqual({
      result: expect.stringContaining('There is no record of 2031-01-01.'),
    });
  });

  it('end when they call too often, and say what they had called', async () => {
    const code = `for (let day = 0; day < 40; day++) await tools.get_weather({ city: 'Seattle', date: '2014-07-01' });`;
    const result = await client.callTool('run_code', { code });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/30 calls[^]*get_weather/);
  });
});
