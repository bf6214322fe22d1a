import { useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { Setting, useSetting } from '../data/current.js';

/** Widths that the person has chosen, in pixels, by the name of the pane. */
const widthSetting = new Setting<Readonly<Record<string, number>>>('widths', {});

const STEP = 24;
const LEAST = 160;

interface ResizerProps {
  /** Under this name the width is remembered. */
  readonly name: string;
  readonly label: string;
  /** Which side of the line has the width. */
  readonly side: 'before' | 'after';
}

/** A line between two panes, which the mouse moves, and arrow keys. A double click gives the first width back. */
export function Resizer({ name, label, side }: ResizerProps) {
  const [widths, setWidths] = useSetting(widthSetting);
  const width = widths[name];
  const line = useRef<HTMLDivElement>(null);

  const box = () => line.current?.parentElement;

  // The box around both panes gets the width as a variable of CSS.
  useLayoutEffect(() => {
    if (width === undefined) box()?.style.removeProperty('--width');
    else box()?.style.setProperty('--width', `${width}px`);
  }, [width]);

  const most = () => Math.max(LEAST, (box()?.clientWidth ?? 0) - LEAST);
  const set = (next: number) =>
    setWidths({ ...widths, [name]: Math.round(Math.min(Math.max(next, LEAST), most())) });
  const current = () => {
    const pane = side === 'before' ? line.current?.previousElementSibling : line.current?.nextElementSibling;
    return width ?? pane?.getBoundingClientRect().width ?? LEAST;
  };
  const move = ({ clientX, currentTarget, pointerId }: PointerEvent<HTMLElement>) => {
    const place = box()?.getBoundingClientRect();
    if (!place || !currentTarget.hasPointerCapture(pointerId)) return;
    const { left, right } = place;
    set(side === 'before' ? clientX - left : right - clientX);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(current() + (side === 'before' ? step : -step));
  };
  const reset = () => {
    const { [name]: _, ...others } = widths;
    setWidths(others);
  };
  return (
    <div
      ref={line}
      className="resizer"
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={width ?? LEAST}
      aria-valuemin={LEAST}
      tabIndex={0}
      title="Drag to resize. A double click gives the first width back."
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={move}
      onDoubleClick={reset}
      onKeyDown={press}
    />
  );
}

interface SplitProps {
  readonly name: string;
  /** What is listed, such as `Tools`. */
  readonly title: string;
  readonly side: ReactNode;
  readonly detail: ReactNode;
  /** Where the list is. On a small screen, list and detail have it one after the other. */
  readonly back: string;
  readonly isChosen: boolean;
}

/** A list to choose from, and what is chosen. */
export function Split({ name, title, side, detail, back, isChosen }: SplitProps) {
  return (
    <div className={`split ${isChosen ? 'at-detail' : 'at-list'}`}>
      <div className="side">{side}</div>
      <Resizer name={name} label={`Width of the list: ${title}`} side="before" />
      <div className="detail" tabIndex={0} role="region" aria-label={`Chosen in the list: ${title}`}>
        <a className="back" href={back}>
          ← {title}
        </a>
        {detail}
      </div>
    </div>
  );
}
