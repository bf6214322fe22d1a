import { defineConfig } from 'vitepress';
import { anchorOf } from './build/anchor.js';
import { brokenLinks } from './build/check-links.js';
import { titleOf } from './build/page.js';
import { previewOf } from './build/preview.js';
import { indexedPart, indexSettings } from './build/search.js';
import { stagePages } from './build/stage.js';
import { siteVersion } from './build/versions.js';
import { sidebarOf, versionMenu } from './navigation.js';

const { pages, leftOut } = await stagePages();
const titles = new Map(
  pages.filter(({ path }) => path !== 'index.md').map((page) => [page.path, titleOf(page)]),
);

/** Where the site and the repository are is known to who publishes them, and is in no file: a fork would name ours. */
const { SITE_BASE: base = '/', SITE_URL: address, GITHUB_REPOSITORY: repository } = process.env;

export default defineConfig({
  lang: 'en',
  title: 'Toolwright',
  description: 'A decorator-based framework for MCP servers in TypeScript.',
  base,
  cleanUrls: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}images/logo.svg` }]],
  transformHead: ({ pageData, title, description }) =>
    previewOf(pageData.relativePath, { title, description, address }),
  srcDir: '.vitepress/pages',
  outDir: 'dist',
  markdown: { html: false, anchor: { slugify: anchorOf } },
  ignoreDeadLinks: [...leftOut].map((path) => `/${path.replace(/\.md$/, '')}`),
  buildEnd: ({ outDir, site }) => {
    const broken = brokenLinks(outDir, site.base, leftOut);
    if (broken.length > 0) throw new Error(`Links that lead nowhere:\n${broken.join('\n')}`);
  },
  themeConfig: {
    logo: '/images/logo.svg',
    ...(repository && { socialLinks: [{ icon: 'github', link: `https://github.com/${repository}` }] }),
    footer: { message: 'MIT License' },
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
        detailedView: true,
        miniSearch: indexSettings,
        _render: (source, env, markdown) =>
          markdown.render(indexedPart(source, String(env.relativePath)), env),
      },
    },
  },
});
