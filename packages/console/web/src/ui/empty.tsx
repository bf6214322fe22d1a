import type { ReactNode } from 'react';

/** Stands where nothing is to be seen yet, and says why and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <div>{children}</div>
    </div>
  );
}
