/**
 * Jest hides from oidc-provider what its own fetch needs, and it warns of that. These tests fetch nothing from outside. All
 * other warnings are heard.
 */
export function quietProvider(): void {
  let warning: jest.SpyInstance;
  beforeAll(() => {
    const { warn } = console;
    warning = jest.spyOn(console, 'warn').mockImplementation((...words: unknown[]) => {
      if (!String(words[0]).includes('oidc-provider WARNING: ')) warn(...words);
    });
  });
  afterAll(() => warning.mockRestore());
}
