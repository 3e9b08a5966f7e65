import type { Layout } from '../../model/layout.ts';
import { parseViXml } from './vi-xml.ts';

/** Number of layouts kept: some tens of megabytes at most. */
const KEPT = 16;

/**
 * A cache of layouts read or written recently, by their Vi-XML: parsing takes longer than comparing. A page that was
 * filled from its template is analysed next, and a page that is visited often is compared with what was just written.
 */
export class KeptLayouts {
  readonly #byXml = new Map<string, Layout>();
  /** How often parsing was avoided. */
  spared = 0;

  parse(viXml: string): Layout {
    const known = this.#byXml.get(viXml);
    if (known) this.spared++;
    const layout = known ?? parseViXml(viXml);
    this.keep(viXml, layout);
    return layout;
  }

  /** Keeps the layout that `viXml` describes; the least recently used goes first. */
  keep(viXml: string, layout: Layout): void {
    this.#byXml.delete(viXml);
    this.#byXml.set(viXml, layout);
    if (this.#byXml.size > KEPT) this.#byXml.delete(this.#byXml.keys().next().value as string);
  }
}
