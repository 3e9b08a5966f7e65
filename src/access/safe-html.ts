/** HTML that was put together here: texts of archived pages reach it escaped, or not at all. */
export class SafeHtml {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

type Part = string | number | SafeHtml | readonly (string | SafeHtml)[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template whose values are escaped unless they are SafeHtml themselves. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): SafeHtml {
  return new SafeHtml(literals.reduce((out, literal, i) => out + literal + markupOf(parts[i]), ''));
}

function markupOf(part: Part | undefined): string {
  if (part === undefined) return '';
  if (part instanceof SafeHtml) return part.markup;
  if (Array.isArray(part)) return part.map(markupOf).join('');
  return escaped(String(part));
}

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
