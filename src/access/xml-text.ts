const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Characters that XML 1.0 cannot hold, half surrogate pairs among them, become U+FFFD. */
export const xmlText = (text: string): string =>
  text
    .replace(/[&<>"]/g, (mark) => ENTITIES[mark] ?? mark)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
