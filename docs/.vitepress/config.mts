import { defineConfig } from 'vitepress';
import { anchorOf } from './build/anchor.js';
import { brokenLinks } from './build/check-links.js';
import { titleOf } from './build/page.js';
import { indexedPart, searchSettings } from './build/search.js';
import { stagePages } from './build/stage.js';
import { siteVersion } from './build/versions.js';
import { sidebarOf, versionMenu } from './navigation.js';

const { pages, leftOut } = await stagePages();
const titles = new Map(
  pages.filter(({ path }) => path !== 'index.md').map((page) => [page.path, titleOf(page)]),
);

const icon =
  'data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 32 32%22><rect width=%2232%22 height=%2232%22 rx=%226%22 fill=%22%233451b2%22/><path d=%22M8 9h16M16 9v15%22 stroke=%22white%22 stroke-width=%224%22/></svg>';

export default defineConfig({
  lang: 'en',
  title: 'Toolwright',
  description: 'A decorator-based framework for MCP servers in TypeScript.',
  base: process.env['SITE_BASE'] ?? '/',
  // Without one, browsers ask for a file that is not there.
  head: [['link', { rel: 'icon', href: icon }]],
  srcDir: '.vitepress/pages',
  outDir: 'dist',
  markdown: { html: false, anchor: { slugify: anchorOf } },
  ignoreDeadLinks: [...leftOut].map((path) => `/${path.replace(/\.md$/, '')}`),
  buildEnd: ({ outDir, site }) => {
    const broken = brokenLinks(outDir, site.base, leftOut);
    if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`);
  },
  themeConfig: {
    nav: [
      {
        text: 'Guide',
        link: '/getting-started',
        activeMatch: '^/(?!reference|packages|errors|changelog|upgrading)',
      },
      { text: 'Reference', link: '/reference/', activeMatch: '^/(reference|packages|errors)' },
      versionMenu(siteVersion(), process.env['SITE_VERSIONS']),
    ],
    sidebar: sidebarOf(titles),
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: searchSettings,
        _render: (source, env, markdown) =>
          markdown.render(indexedPart(source, String(env.relativePath)), env),
      },
    },
  },
});
