/** @jsxImportSource react */
import { useEffect, useRef } from 'react';
import type { ViewOf } from '@toolwright/views';
import { describeChart, drawChart } from './view-name-drawing';
import './view-name.css';

export default function Chart({ result, view }: ViewOf<'view_name'>) {
  const { title, unit, labels, series } = result;
  const { locale, theme } = view.host;
  const box = useRef<HTMLDivElement>(null);

  // The chart is drawn again with the colours of another theme. Nothing in it moves by itself.
  useEffect(
    () => (box.current ? drawChart(box.current, result, locale) : undefined),
    [result, locale, theme],
  );

  const text = (value: number | null | undefined) => value?.toLocaleString(locale) ?? '–';

  if (labels.length === 0) return <p role="status">There are no figures.</p>;
  return (
    <figure aria-labelledby="title">
      <figcaption>
        <h1 id="title">
          {title} ({unit})
        </h1>
      </figcaption>
      <div ref={box} className="chart" role="img" aria-label={describeChart(result, locale)} />
      <details>
        <summary>Show the figures</summary>
        <div className="scroll" role="region" aria-labelledby="title" tabIndex={0}>
          <table aria-labelledby="title">
            <thead>
              <tr>
                <td />
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, index) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  {series.map(({ name, values }) => (
                    <td key={name}>{text(values[index])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
