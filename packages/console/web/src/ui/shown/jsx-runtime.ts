import type { ElementType } from 'react';
import { Fragment, jsx as plain, jsxs as plainAll } from 'react/jsx-runtime';
import { showHiddenInLine, showHidden } from '../../../../../json/src/text/hidden-characters.js';

export { Fragment };

type Props = Readonly<Record<string, unknown>>;
type Make = typeof plain;

/** What browsers show of an element beside its text. */
const TEXTS = ['title', 'aria-label', 'placeholder', 'alt'] as const;

/**
 * Makes the elements of this page in place of React. Servers, tools and clients choose their own names and texts, so everything
 * that is shown passes here: hidden characters are written out, whatever pane shows them. Values of fields stay what they are.
 */
export const jsx: Make = (type, props, key) => plain(type, shown(type, props as Props), key);
export const jsxs: Make = (type, props, key) => plainAll(type, shown(type, props as Props), key);

function shown(type: ElementType, props: Props): Props {
  // The children of a component are shown where it puts them into an element.
  if (typeof type !== 'string' && type !== Fragment) return props;
  const { children } = props;
  const written = Array.isArray(children) ? children.map(write) : write(children);
  const isSame = Array.isArray(children)
    ? children.every((child, index) => child === (written as unknown[])[index])
    : children === written;
  const texts = TEXTS.filter(
    (name) => typeof props[name] === 'string' && showHiddenInLine(props[name]) !== props[name],
  );
  if (isSame && texts.length === 0) return props;
  return {
    // An option without a value has its text as its value.
    ...(type === 'option' && { value: children }),
    ...props,
    ...(!isSame && { children: written }),
    ...Object.fromEntries(texts.map((name) => [name, showHiddenInLine(props[name] as string)])),
  };
}

const write = (child: unknown): unknown => {
  if (Array.isArray(child)) return child.some((each) => write(each) !== each) ? child.map(write) : child;
  return typeof child === 'string' ? showHidden(child) : child;
};
