import { type Theme, withBase } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { defineComponent, h } from 'vue';
import { Landing } from './landing.mjs';
import { searchSettings } from './search-settings.js';
import './style.css';

/** The page for addresses that lead nowhere: with a landmark, and with a way on. */
const NotFound = defineComponent(
  () => () =>
    h('main', { class: 'vp-doc not-found' }, [
      h('h1', 'There is no such page'),
      h('p', ['Search for it, or begin at the ', h('a', { href: withBase('/') }, 'first page'), '.']),
    ]),
);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
  enhanceApp: ({ app, siteData }) => {
    // The default theme takes a component of this name in place of its own.
    app.component('home', Landing);
    // The generator sends functions as text, without what they import.
    const { themeConfig } = siteData.value;
    const options = { ...themeConfig.search.options, miniSearch: searchSettings };
    siteData.value = {
      ...siteData.value,
      themeConfig: { ...themeConfig, search: { ...themeConfig.search, options } },
    };
  },
} satisfies Theme;
