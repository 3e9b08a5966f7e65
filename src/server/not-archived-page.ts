import { escaped } from '../access/safe-html.ts';

/** Shown inside the replay frame in place of a page that is not there. The meta element tells the loader. */
export function notArchivedPage(
  url: string,
  reason: 'not-archived' | 'original-missing',
  why: readonly string[] = [],
): string {
  const text =
    reason === 'not-archived'
      ? ['Not in this archive', 'No capture of this address was stored:']
      : [
          'Its content is missing',
          'This capture refers to an earlier one with the same content, and that record is not in this archive. Import the WARC file that holds it:',
        ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="daguerre-replay" content="${reason}">
<title>${text[0]}</title>
<style>
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:15vh auto;padding:0 1.5rem}
h1{font-size:1.4rem;margin:0 0 .5rem}
code{word-break:break-all}
</style></head>
<body><h1>${text[0]}</h1><p>${text[1]}</p><p><code>${escaped(url)}</code></p>${why
    .map((sentence) => `<p>${escaped(sentence)}</p>`)
    .join('')}</body></html>`;
}
