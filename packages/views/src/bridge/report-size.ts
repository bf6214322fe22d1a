import type { Frame } from './frame.js';

/** Says how much space the page needs, now and whenever that changes. */
export function reportSize(
  { document, ResizeObserver }: Frame,
  say: (size: { width: number; height: number }) => void,
): void {
  const root = document.documentElement;
  let last = '';
  const measure = () => {
    const { height } = root.style;
    // The page may be as high as its frame. Only its content says how high it must be.
    root.style.height = 'max-content';
    const box = root.getBoundingClientRect();
    root.style.height = height;
    const size = { width: Math.ceil(box.width), height: Math.ceil(box.height) };
    const now = `${size.width} ${size.height}`;
    if (now === last) return;
    last = now;
    say(size);
  };
  measure();
  new ResizeObserver(measure).observe(root);
}
