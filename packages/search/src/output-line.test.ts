import { outputLine } from './output-line.js';

test('a line that is too long ends with a whole character', () => {
  for (const before of ['', 'x'])
    expect(outputLine({ enum: [before + '🇩🇪'.repeat(100)] })).toMatch(/^"x?(?:🇩🇪)+…$/u);
});
