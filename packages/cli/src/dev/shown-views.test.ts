import { ShownViews } from './shown-views.js';

const manifest = { services: {} } as never;
const pages = (text: string) => ({ texts: { chart: text }, inputs: ['/app/chart.css', '/app/logo.svg'] });

test('a file that is saved while the edit before is checked is shown with the check, and named', async () => {
  const sent: object[] = [];
  let bundled = pages('navy');
  const views = new ShownViews(
    { bundleViews: async () => ({ ...(manifest as object), pages: bundled, problems: [] }) as never },
    { show: async (texts) => sent.push(texts) > 0 },
  );
  await views.settle(pages('teal') as never);
  expect(await views.show(['/app/chart.css'], manifest)).toEqual(['chart']);

  // The check reads the picture, which was saved after the bundle.
  bundled = pages('navy, two');
  expect(await views.settle(bundled as never)).toEqual(['chart']);
  expect(await views.show(['/app/logo.svg'], manifest)).toEqual([]);
  expect(sent).toEqual([{ chart: 'navy' }, { chart: 'navy, two' }]);
});
