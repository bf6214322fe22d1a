import { sourceFile } from './watched-files.js';

test.each([
  'a.ts',
  'b.mts',
  'views/chart.tsx',
  'views/chart.jsx',
  'views/chart.css',
  'views/logo.svg',
  'x.woff2',
])('an edit of %s may change what is compiled', (path) => expect(sourceFile.test(path)).toBe(true));

test.each(['README.md', 'data.json', 'dist/main.js', 'notes.tsx.swp'])('an edit of %s does not', (path) =>
  expect(sourceFile.test(path)).toBe(false),
);
