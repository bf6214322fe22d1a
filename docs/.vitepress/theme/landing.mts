import { Content, withBase } from 'vitepress';
import { defineComponent, h, ref } from 'vue';

const command = 'npm create toolwright@latest my-server';

/** The command that makes a new app, and a button that copies it. */
const Start = defineComponent(() => {
  const isCopied = ref(false);
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    isCopied.value = true;
  };
  return () =>
    h('p', { class: 'landing-start' }, [
      h('code', command),
      h('button', { type: 'button', onClick: () => void copy() }, isCopied.value ? 'Copied' : 'Copy'),
    ]);
});

/** A picture in the colours of the page. The second one says nothing more, so it has no text. */
const picture = (name: string, alt: string) =>
  ['light', 'dark'].map((scheme) =>
    h('img', {
      src: withBase(`/images/${name}${scheme === 'dark' ? '-dark' : ''}.webp`),
      alt,
      // Of the two only the one that is seen is loaded.
      loading: 'lazy',
    }),
  );

/** A film that plays when somebody wants it: what moves by itself disturbs people. Until then its last picture is there. */
const FilmOfAnEdit = defineComponent(() => {
  const plays = ref(false);
  return () =>
    h('figure', [
      ...picture(
        plays.value ? 'edit' : 'edit-still',
        'An editor, toolwright dev and a client: a new bound of a parameter is in the list of the client, and refuses its next call',
      ),
      h('figcaption', [
        'An edit reaches a client that stays connected. ',
        !plays.value &&
          h('button', { type: 'button', onClick: () => (plays.value = true) }, 'Play it (10 seconds)'),
      ]),
    ]);
});

const links = [
  ['Get started', '/getting-started'],
  ['Tutorial', '/tutorial'],
  ['In an Express app', '/mounting-in-express'],
  ['Which guide do I need?', '/guides'],
] as const;

/** The first page: what it is, the command, a tool on the left, and a call of it on the right. */
export const Landing = defineComponent(
  () => () =>
    h('main', { class: 'landing' }, [
      h('h1', 'A TypeScript class becomes an MCP server'),
      h(
        'p',
        { class: 'landing-line' },
        'The signature of a method is the schema of its tool. Every call is validated, limited and recorded before your code runs.',
      ),
      h(Start),
      h(
        'nav',
        { class: 'landing-links', 'aria-label': 'First steps' },
        links.map(([text, to], index) => h('a', { href: withBase(to), class: index === 0 && 'first' }, text)),
      ),
      h('div', { class: 'landing-halves' }, [
        h('section', { 'aria-label': 'A tool', class: 'vp-doc' }, h(Content)),
        h('section', { 'aria-label': 'A call of it' }, [
          h('figure', [
            ...picture(
              'console-failure',
              'A call that failed: the error, and the line of the source that threw, in red',
            ),
            h('figcaption', 'The same call in the console of toolwright dev: the line that threw.'),
          ]),
        ]),
      ]),
      h('section', { 'aria-label': 'An edit', class: 'landing-film' }, h(FilmOfAnEdit)),
    ]),
);
