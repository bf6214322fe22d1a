import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ImportProgress, listMarkdown, readMarkdown } from './markdown-folder.js';

class RecordedProgress implements ImportProgress {
  readonly lines: string[] = [];

  imported(done: number, total: number, source: string): void {
    this.lines.push(`${done}/${total} ${source}`);
  }

  skipped(source: string, reason: string): void {
    this.lines.push(`skipped ${source}: ${reason}`);
  }
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

describe('a folder of Markdown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-markdown-'));
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };

  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is listed deeply and in order, without hidden folders, dependencies and other files', async () => {
    for (const path of ['b.md', 'a/c.MD', 'a/d.markdown', 'e.txt', '.git/f.md', 'node_modules/g/h.md'])
      write(path, '# x');
    symlinkSync(folder, join(folder, 'loop'));

    expect(await listMarkdown(folder)).toEqual([join('a', 'c.MD'), join('a', 'd.markdown'), 'b.md']);
  });

  it('is read file by file, with its progress told', async () => {
    write('a.md', '# A\ntext');
    write('b.md', '# B');
    const progress = new RecordedProgress();

    const pages = await all(readMarkdown(folder, await listMarkdown(folder), progress));

    expect(pages).toEqual([
      { source: 'a.md', title: 'A', content: '# A\ntext' },
      { source: 'b.md', title: 'B', content: '# B' },
    ]);
    expect(progress.lines).toEqual(['1/2 a.md', '2/2 b.md']);
  });

  it('skips what is no text and what is too large, and says so', async () => {
    write('binary.md', Buffer.from([0xff, 0xfe, 0x00]));
    write('large.md', 'x'.repeat(1024 * 1024 + 1));
    write('page.md', '# Page');
    const progress = new RecordedProgress();

    const pages = await all(readMarkdown(folder, await listMarkdown(folder), progress));

    expect(pages.map(({ title }) => title)).toEqual(['Page']);
    expect(progress.lines).toEqual([
      'skipped binary.md: not UTF-8 text',
      'skipped large.md: larger than 1 MiB',
      '3/3 page.md',
    ]);
  });
});
