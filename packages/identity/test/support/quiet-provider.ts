/**
 * Jest hides from oidc-provider what its own fetch needs, and it warns of that. These tests fetch nothing from outside. All
 * other warnings are heard.
 *
 * @param also the beginning of another warning that is none here
 */
export function quietProvider(also?: string): void {
  let warning: jest.SpyInstance;
  beforeAll(() => {
    const { warn } = console;
    warning = jest.spyOn(console, 'warn').mockImplementation((...words: unknown[]) => {
      const text = String(words[0]);
      const isExpected = text.includes('oidc-provider WARNING: ') || (also && text.startsWith(also));
      if (!isExpected) warn(...words);
    });
  });
  afterAll(() => warning.mockRestore());
}
