import { useEffect } from 'react';
import { Setting, useSetting } from '../data/setting.js';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const setting = new Setting<Theme>('theme', 'system');

/** The colours that the person wants. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, set] = useSetting(setting);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  return [theme, set];
}
