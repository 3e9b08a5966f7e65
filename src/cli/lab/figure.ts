import { join } from 'node:path';
import { type PlotOptions, plot } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { resultFolder } from '../../archive/result-folder.ts';

/** A figure in words, for readers who do not see it. */
export interface FigureText {
  readonly title: string;
  readonly description?: string;
}

/** One self-contained SVG file. Plot needs a document only to create elements; no browser runs. */
export function figureSvg(options: PlotOptions, { title, description }: FigureText): string {
  const { document } = parseHTML('<!doctype html><body></body>');
  const drawn = plot({
    ...options,
    document,
    style: { background: 'white', fontFamily: 'sans-serif', ...(options.style as object | undefined) },
  } as PlotOptions);
  // With a legend or a title Plot returns a figure element; only its drawing goes into the file.
  const svg = (drawn.localName === 'svg' ? drawn : drawn.querySelector('svg')) as unknown as Element;
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('role', 'img');
  const said = [
    ['title', title],
    ['desc', description],
  ] as const;
  for (const [name, text] of said.toReversed()) {
    if (text === undefined) continue;
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    element.textContent = text;
    svg.insertBefore(element, svg.firstChild);
  }
  return `${svg.outerHTML}\n`;
}

/** Writes into the folder, which is created if missing. */
export async function writeDrawing(folder: string, name: string, svg: string): Promise<void> {
  await (await resultFolder(folder))(name, svg);
  process.stderr.write(`written to ${join(folder, name)}\n`);
}
