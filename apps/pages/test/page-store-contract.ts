import type { Database } from '../src/database/database.js';
import { type ImportedPage, PagePlaceError, PageStore } from '../src/pages/page-store.js';

async function* streamOf(...pages: ImportedPage[]): AsyncGenerator<ImportedPage> {
  yield* pages;
}

/** What the page store does on every database it runs on. Each test starts with an empty workspace. */
export function describePageStore(database: () => Database): void {
  let store: PageStore;

  beforeEach(async () => {
    store = new PageStore(database());
    await database().query('truncate pages, page_imports');
  });

  describe('search', () => {
    it('finds a word in another grammatical form', async () => {
      const page = await store.create({
        title: 'Writing tools',
        content: 'Decorators turn a method into a tool.',
      });

      const hits = await store.search('decorator', 10);

      expect(hits).toEqual([
        {
          id: page.id,
          title: 'Writing tools',
          url: `page://${page.id}`,
          snippet: expect.stringContaining('**Decorators**'),
        },
      ]);
    });

    it('finds a word by its first letters', async () => {
      await store.create({ title: 'Writing tools', content: 'Decorators turn a method into a tool.' });

      expect((await store.search('decora', 10)).map(({ title }) => title)).toEqual(['Writing tools']);
    });

    it('puts a page with the word in its title before one that mentions it', async () => {
      await store.create({ title: 'Kitchen', content: 'A recipe for bread, and where the oven stands.' });
      await store.create({ title: 'Bread', content: 'Flour, water, salt.' });

      expect((await store.search('bread', 10)).map(({ title }) => title)).toEqual(['Bread', 'Kitchen']);
    });

    it('puts pages with every word before pages with some of them', async () => {
      await store.create({ title: 'Rye', content: 'Rye rye rye rye rye.' });
      await store.create({
        title: 'Loaf',
        content: 'It takes rye and a night of patience in a cold kitchen.',
      });

      expect((await store.search('rye patience', 10)).map(({ title }) => title)).toEqual(['Loaf', 'Rye']);
    });

    it('ignores words that say nothing when it falls back to some of the words', async () => {
      await store.create({ title: 'Loaf', content: 'It takes a night.' });
      await store.create({ title: 'Rye', content: 'Grain.' });

      expect((await store.search('how is it with the rye', 10)).map(({ title }) => title)).toEqual(['Rye']);
    });

    it('understands phrases and exclusions', async () => {
      await store.create({ title: 'One', content: 'red wine and white bread' });
      await store.create({ title: 'Two', content: 'white wine and red bread' });

      expect((await store.search('"red wine"', 10)).map(({ title }) => title)).toEqual(['One']);
      expect((await store.search('wine -"red wine"', 10)).map(({ title }) => title)).toEqual(['Two']);
    });

    it('takes no exclusion from a dash that starts the query or a command-line option', async () => {
      await store.create({ title: 'Options', content: 'Start it with --stdio for a local client.' });
      await store.create({ title: 'Bread', content: 'Flour.' });

      expect((await store.search('-local', 10)).map(({ title }) => title)).toEqual(['Options']);
      expect((await store.search('start --stdio', 10)).map(({ title }) => title)).toEqual(['Options']);
    });

    it('cuts its snippets from the text, not from its Markdown', async () => {
      const content =
        '# Bread\n\n**Rye** takes `two days`.\n\n| a | b |\n| --- | --- |\n\n```ts\nbake();\n```';
      await store.create({ title: 'Bread', content });

      expect((await store.search('rye', 10))[0]?.snippet).toBe('Bread **Rye** takes two days . a b bake');
    });

    it('gives no more than the limit', async () => {
      for (const title of ['a', 'b', 'c']) await store.create({ title, content: 'cheese' });

      expect(await store.search('cheese', 2)).toHaveLength(2);
    });

    it.each([
      '  ',
      'the',
      '"',
      "'; drop table pages; --",
      '\\',
      ':* & |',
      '<->',
      'nul\0nul',
      '\ud800',
      '🦊🦊',
      '-x',
    ])('finds nothing, and nothing breaks, for %j', async (query) => {
      await store.create({ title: 'Bread', content: 'Flour.' });

      expect(await store.search(query, 10)).toEqual([]);
    });

    it('indexes a page whose every word is different', async () => {
      const words = Array.from({ length: 30_000 }, (_, index) => `w${index.toString(36)}`);
      await store.create({ title: 'Long', content: words.join(' ') });

      expect((await store.search('w5k', 10))[0]?.snippet).toContain('**w5k**');
    });
  });

  describe('pages', () => {
    it('keeps what it was given', async () => {
      const created = await store.create({ title: 'Grüße', content: '# Hi\n\n日本語 🦊' });

      const page = await store.find(created.id);

      expect(page).toEqual(created);
      expect(page).toMatchObject({
        title: 'Grüße',
        content: '# Hi\n\n日本語 🦊',
        parentId: null,
        children: [],
      });
      expect(page?.createdAt).toBeInstanceOf(Date);
    });

    it('changes only what is given', async () => {
      const { id } = await store.create({ title: 'Old', content: 'text' });

      const page = await store.update(id, { title: 'New' });

      expect(page).toMatchObject({ title: 'New', content: 'text' });
      expect((await store.search('new', 10)).map((hit) => hit.id)).toEqual([id]);
    });

    it('lists the pages below a page, and moves them to the top when it is deleted', async () => {
      const parent = await store.create({ title: 'Parent', content: '' });
      const child = await store.create({ title: 'Child', content: '', parentId: parent.id });

      expect((await store.find(parent.id))?.children).toEqual([{ id: child.id, title: 'Child' }]);
      expect(await store.delete(parent.id)).toBe(true);
      expect((await store.find(child.id))?.parentId).toBeNull();
    });

    it('moves a page, also back to the top', async () => {
      const parent = await store.create({ title: 'Parent', content: '' });
      const child = await store.create({ title: 'Child', content: '' });

      expect(await store.update(child.id, { parentId: parent.id })).toMatchObject({ parentId: parent.id });
      expect(await store.update(child.id, { parentId: null })).toMatchObject({ parentId: null });
    });

    it('completes an id from the start of the id or the title', async () => {
      const { id } = await store.create({ title: 'Bread', content: '' });
      await store.create({ title: '100% rye', content: '' });

      expect(await store.idsStartingWith('bre')).toEqual([id]);
      expect(await store.idsStartingWith(id.slice(0, 12))).toEqual([id]);
      expect(await store.idsStartingWith('%')).toEqual([]);
    });

    it('refuses a parent that does not exist', async () => {
      await expect(store.create({ title: 'Child', content: '', parentId: 'nobody' })).rejects.toThrow(
        PagePlaceError,
      );
    });

    it('refuses to put a page below itself', async () => {
      const top = await store.create({ title: 'Top', content: '' });
      const middle = await store.create({ title: 'Middle', content: '', parentId: top.id });
      const bottom = await store.create({ title: 'Bottom', content: '', parentId: middle.id });

      await expect(store.update(top.id, { parentId: bottom.id })).rejects.toThrow(PagePlaceError);
      await expect(store.update(top.id, { parentId: top.id })).rejects.toThrow(PagePlaceError);
    });

    it.each(['nobody', '', '\0', "' or 1=1", '🦊'])('knows no page %j', async (id) => {
      await store.create({ title: 'Bread', content: '' });

      expect(await store.find(id)).toBeUndefined();
      expect(await store.update(id, { title: 'x' })).toBeUndefined();
      expect(await store.delete(id)).toBe(false);
    });
  });

  describe('import', () => {
    const bread = { source: 'bread.md', title: 'Bread', content: 'Flour.' };

    it('brings pages in once', async () => {
      expect(await store.hasImported()).toBe(false);
      expect(await store.importOnce(streamOf(bread))).toBe(1);
      expect(await store.hasImported()).toBe(true);
      expect(await store.importOnce(streamOf({ ...bread, source: 'other.md' }))).toBe(0);
      expect(await store.search('bread', 10)).toHaveLength(1);
    });

    it('leaves nothing behind when it fails half way, and can start again', async () => {
      async function* broken() {
        yield bread;
        throw new Error('the disk is gone');
      }

      await expect(store.importOnce(broken())).rejects.toThrow('the disk is gone');
      expect(await store.search('bread', 10)).toEqual([]);
      expect(await store.importOnce(streamOf(bread))).toBe(1);
    });

    it('imports once although two start at the same time', async () => {
      const counts = await Promise.all([
        store.importOnce(streamOf(bread)),
        store.importOnce(streamOf(bread)),
      ]);

      expect(counts.sort()).toEqual([0, 1]);
    });
  });
}
