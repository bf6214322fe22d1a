import { markdownTitle } from './markdown-title.js';

describe('the title of a Markdown document', () => {
  it.each([
    ['its first heading', 'Intro\n\n# The `Title` #\n\n# Second', 'The Title'],
    ['its front matter, before any heading', '---\nid: 1\ntitle: "Named"\n---\n# Heading', 'Named'],
    ['not a comment inside a code fence', '```sh\n# install\n```\n# Real', 'Real'],
    ['not a second-level heading', '## Section', 'some file'],
    ['its file name when it is empty', '', 'some file'],
    ['right with Windows line ends', '# Title\r\ntext', 'Title'],
  ])('is %s', (_what, content, title) => {
    expect(markdownTitle(content, 'guide/some-file.md')).toBe(title);
  });

  it('is never longer than a page title may be', () => {
    expect(markdownTitle(`# ${'a'.repeat(500)}`, 'a.md')).toHaveLength(200);
  });
});
