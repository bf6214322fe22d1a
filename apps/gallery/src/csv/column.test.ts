import { Column } from './column.js';

function filled(...cells: string[]): Column {
  const column = new Column('price');
  cells.forEach((cell, index) => column.add(cell, index + 1));
  return column;
}

describe('Column', () => {
  it('adds up decimals without piling up what each addition rounds away', () => {
    expect(filled(...Array<string>(1_000).fill('0.1')).sum).toBe(100);
    expect(filled('1e16', '1', '-1e16').sum).toBe(1);
  });

  it('does not count empty cells', () => {
    const { count, average } = filled('1', '', '3');

    expect({ count, average }).toEqual({ count: 2, average: 2 });
  });

  it.each(['0x10', 'Infinity', 'NaN', '1,000', '1 2', '--1', '.'])('takes "%s" for text', (cell) => {
    expect(filled('1', cell, 'more').text).toEqual({ value: cell, record: 2 });
  });

  it.each([' 5 ', '+5', '5.', '.5e1', '5E0'])('takes "%s" for a number', (cell) => {
    expect(filled(cell).sum).toBe(5);
  });

  it('has no average when it is empty', () => {
    expect(filled().average).toBeUndefined();
  });
});
