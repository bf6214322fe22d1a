import { guideSections } from '../navigation.js';
import { writtenPages } from '../build/guides.js';

const inTheMenu = Object.values(guideSections)
  .flat()
  .map((entry) => `${typeof entry === 'string' ? entry : entry[0]}.md`);

test('every guide stands in the menu, and only once', () => {
  const guides = writtenPages()
    .map(({ path }) => path)
    .filter((path) => !/^(adr\/\d|packages\/|apps\/|errors\.md$)/.test(path));
  const generated = ['benchmarks.md', 'changelog.md'];
  expect([...inTheMenu].sort()).toEqual([...guides, ...generated].sort());
});
