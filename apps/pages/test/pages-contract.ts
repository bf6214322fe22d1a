import { type Address, type RefereeClient, referees } from './referees.js';

interface Hit {
  id: string;
  title: string;
  url: string;
  snippet: string;
}

/** What every official client sees of the pages app, whatever the transport. */
export function describePages(address: () => Address): void {
  describe.each(referees)('seen by $name', ({ connect }) => {
    let client: RefereeClient;

    beforeAll(async () => {
      client = await connect(address(), { answer: () => 'accept' });
      await whenFilled(client);
    });

    afterAll(() => client.close());

    const search = async (query: string): Promise<Hit[]> => {
      const { structuredContent } = await client.callTool('search_pages', { query });
      return (structuredContent as { results: Hit[] }).results;
    };
    const create = async (title: string): Promise<string> => {
      const { structuredContent } = await client.callTool('create_page', {
        title,
        content: `About ${title}.`,
      });
      return (structuredContent as { id: string }).id;
    };

    it('offers five tools', async () => {
      const { tools } = await client.listTools();

      expect(tools.map(({ name }) => name).sort()).toEqual([
        'create_page',
        'delete_page',
        'get_page',
        'search_pages',
        'update_page',
      ]);
    });

    it('describes search_pages by its doc comment and its signature', async () => {
      const { tools } = await client.listTools();
      const tool = tools.find(({ name }) => name === 'search_pages');

      expect(tool?.description).toContain('Search pages by title or content.');
      expect(tool?.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
      expect(tool?.inputSchema).toMatchObject({
        type: 'object',
        required: ['query'],
        additionalProperties: false,
        properties: {
          query: { type: 'string', minLength: 2, description: expect.stringContaining('words to look for') },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: 100,
            default: 10,
            description: 'how many results at most',
          },
        },
      });
    });

    it('publishes the constraints of the DTO as the input of create_page', async () => {
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === 'create_page')?.inputSchema;

      expect(schema).toMatchObject({
        required: ['title'],
        properties: {
          title: { type: 'string', minLength: 1, maxLength: 200, description: 'What the page is called.' },
          content: { type: 'string', maxLength: 500_000, default: '' },
          parentId: { type: 'string' },
        },
      });
    });

    it('finds guides for the word "decorator" and reads one', async () => {
      const [best, ...others] = await search('decorator');
      expect(others.length).toBeGreaterThan(0);
      expect(best?.snippet).toMatch(/\*\*decorator/i);

      const { structuredContent } = await client.callTool('get_page', { pageId: best?.id });

      expect(structuredContent).toMatchObject({
        id: best?.id,
        title: best?.title,
        url: best?.url,
        content: expect.stringMatching(/decorator/i),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      });
    });

    it('gives no more results than the limit', async () => {
      const { structuredContent } = await client.callTool('search_pages', { query: 'tool', limit: 2 });

      expect((structuredContent as { results: Hit[] }).results).toHaveLength(2);
    });

    it.each([
      ['query', { query: 5 }],
      ['query', {}],
      ['query', { query: 'x' }],
      ['limit', { query: 'tool', limit: 0 }],
      ['limit', { query: 'tool', limit: 101 }],
      ['limit', { query: 'tool', limit: 2.5 }],
      ['colour', { query: 'tool', colour: 'red' }],
    ])('names %s when called with %j', async (name, args) => {
      const result = await client.callTool('search_pages', args);

      expect(result.isError).toBe(true);
      expect(result.structuredContent).toBeUndefined();
      expect(result.content[0]?.text).toContain(name);
    });

    it('suggests the right name for a wrong one', async () => {
      await expect(client.callTool('serch_pages', { query: 'tool' })).rejects.toThrow(
        /Did you mean ['"]search_pages['"]/,
      );
    });

    it('creates, changes and finds a page', async () => {
      const id = await create('Sourdough');
      const { structuredContent } = await client.callTool('update_page', {
        pageId: id,
        title: 'Sourdough bread',
      });

      expect(structuredContent).toMatchObject({
        title: 'Sourdough bread',
        content: 'About Sourdough.',
        parentId: null,
      });
      expect((await search('sourdough')).map((hit) => hit.id)).toContain(id);
    });

    it('names what is wrong with a page to be created', async () => {
      const blank = await client.callTool('create_page', { title: ' ' });
      const missing = await client.callTool('create_page', { content: 'text' });
      const nowhere = await client.callTool('create_page', { title: 'Child', parentId: 'nobody' });

      for (const result of [blank, missing]) {
        expect(result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('title') }],
        });
      }
      expect(nowhere).toMatchObject({ isError: true, content: [{ text: 'No page has the id nobody.' }] });
    });

    it('deletes a page when its user agrees', async () => {
      const id = await create('Short lived');

      expect((await client.callTool('delete_page', { pageId: id })).isError).toBeFalsy();
      expect(await client.callTool('get_page', { pageId: id })).toMatchObject({
        isError: true,
        content: [{ text: `No page has the id "${id}". Find ids with search_pages.` }],
      });
    });

    it('keeps a page when its user does not agree, or cannot be asked', async () => {
      const id = await create('Long lived');
      const declining = await connect(address(), { answer: () => 'decline' });
      const silent = await connect(address());

      for (const other of [declining, silent]) {
        const refused = await other.callTool('delete_page', { pageId: id }).catch((error: Error) => error);
        expect(refused).toMatchObject(
          refused instanceof Error ? { message: /elicitation/ } : { isError: true },
        );
        await other.close();
      }

      expect((await client.callTool('get_page', { pageId: id })).isError).toBeFalsy();
    });

    it('reads a page as a resource', async () => {
      const id = await create('Crème brûlée');
      const { resourceTemplates } = await client.listResourceTemplates();

      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['page://{id}']);
      expect(await client.readResource(`page://${id}`)).toMatchObject({
        contents: [{ uri: `page://${id}`, mimeType: 'text/markdown', text: 'About Crème brûlée.' }],
      });
      await expect(client.readResource('page://nobody')).rejects.toThrow(/page:\/\/nobody|not found/i);
    });

    it('offers a prompt', async () => {
      const { messages } = await client.getPrompt('summarize_page', { pageId: 'p1' });

      expect(messages).toEqual([
        { role: 'user', content: { type: 'text', text: expect.stringContaining('page://p1') } },
      ]);
    });
  });
}

/**
 * Over stdio the first call creates the database and imports the guides. On a busy machine this takes longer than the
 * deadline of a call. The work goes on after the deadline, and a later call waits for it again.
 */
async function whenFilled(client: RefereeClient): Promise<void> {
  for (;;) {
    const { isError, content } = await client.callTool('search_pages', { query: 'decorator' });
    if (!isError) return;
    expect(content).toEqual([
      expect.objectContaining({ text: expect.stringContaining('search_pages did not finish within') }),
    ]);
  }
}
