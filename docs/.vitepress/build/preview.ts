import type { HeadConfig } from 'vitepress';

/**
 * What chats and search engines show of a link to a page: its title, a sentence, a picture, and its one address. Addresses in
 * these tags are absolute, so the last two need to know where the site is published.
 *
 * @param path the page, such as `runbook/index.md`
 * @param about.address where the site is published: `https://docs.example.com/`
 */
export function previewOf(
  path: string,
  { title, description, address }: { title: string; description: string; address?: string | undefined },
): HeadConfig[] {
  const meta = (property: string, content: string): HeadConfig => ['meta', { property, content }];
  const said = [meta('og:type', 'website'), meta('og:title', title), meta('og:description', description)];
  if (!address) return said;
  const at = (name: string) => new URL(name, address.endsWith('/') ? address : `${address}/`).href;
  const page = at(path.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, ''));
  return [
    ...said,
    meta('og:url', page),
    meta('og:image', at('images/preview.webp')),
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
    ['link', { rel: 'canonical', href: page }],
  ];
}
