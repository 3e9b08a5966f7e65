/** One block of content as HTML; the role determines the form. */
import type { ContentBlock, Image, Item } from '../content.ts';
import { escapeHtml as esc } from './parts.ts';

export type Laziness = 'eager' | 'native' | 'script';

export function image({ src, alt, width, height }: Image, lazy: Laziness): string {
  const size = `width="${width}" height="${height}" alt="${esc(alt)}"`;
  if (lazy === 'script') return `<img class="lazy" data-src="${src}" ${size}>`;
  return `<img src="${src}" ${size}${lazy === 'native' ? ' loading="lazy"' : ''}>`;
}

const anchor = (item: Item): string =>
  item.link ? `<a href="${esc(item.link.href)}">${esc(item.link.text)}</a>` : '';
const kicker = (item: Item): string =>
  item.label === undefined ? '' : `<p class="kicker">${esc(item.label)}</p>`;
const text = (item: Item): string => (item.text === undefined ? '' : `<p>${esc(item.text)}</p>`);

function story(item: Item, level: 1 | 2 | 3, lazy: Laziness): string {
  const picture = item.image
    ? `<a class="pic" href="${esc(item.link?.href ?? '#')}">${image(item.image, lazy)}</a>`
    : '';
  return `<article>${picture}<div>${kicker(item)}<h${level}>${anchor(item)}</h${level}>${text(item)}</div></article>`;
}

function row(item: Item): string {
  const cells = (item.text ?? '').split(' | ').map((cell) => `<td>${esc(cell)}</td>`);
  return `<tr><th scope="row">${esc(item.label ?? '')}</th>${cells.join('')}</tr>`;
}

function head(items: readonly Item[]): string {
  return items
    .map((item) => {
      if (item.key === 'headline') return `<h1>${esc(item.text ?? '')}</h1>`;
      if (item.key === 'standfirst') return `<p class="standfirst">${esc(item.text ?? '')}</p>`;
      if (item.key === 'byline')
        return `<p class="byline">By ${anchor(item)} · <time>${esc(item.label ?? '')}</time></p>`;
      return `<p class="updated">${esc(item.label ?? '')}</p>`;
    })
    .join('');
}

function inner({ role, items }: ContentBlock): string {
  switch (role) {
    case 'masthead':
      return items.map(text).join('');
    case 'lead':
      return items.map((item) => story(item, 2, 'eager')).join('');
    case 'top':
      return items.map((item) => story(item, 3, 'native')).join('');
    case 'section-box':
      return items
        .map((item, i) => (i === 0 ? story(item, 3, 'script') : `<p class="line">${anchor(item)}</p>`))
        .join('');
    case 'page-title':
      return items.map((item) => `<h1>${esc(item.text ?? '')}</h1>${kicker(item)}`).join('');
    case 'article-head':
      return head(items);
    case 'figure':
      return items
        .map((item) =>
          item.image
            ? `<figure>${image(item.image, 'eager')}<figcaption>${esc(item.image.alt)}</figcaption></figure>`
            : '',
        )
        .join('');
    case 'body':
    case 'correction':
      return items.map(text).join('\n');
    case 'table':
      return `<table>${items.map(row).join('')}</table>`;
    case 'cards':
      return `<div class="cards">${items.map((item) => `<div>${kicker(item)}${text(item)}</div>`).join('')}</div>`;
    case 'weather':
      return items
        .map(
          (item) =>
            `<p class="now">${esc(item.text ?? '')}</p><p>${anchor(item)} · ${esc(item.label ?? '')}</p>`,
        )
        .join('');
    case 'comments':
      return items
        .map((item) =>
          item.label === undefined
            ? text(item)
            : `<blockquote><b>${esc(item.label)}</b>${text(item)}</blockquote>`,
        )
        .join('');
    case 'live':
      return `<ol>${items.map((item) => `<li><time>${esc(item.label ?? '')}</time> ${esc(item.text ?? '')}</li>`).join('')}</ol>`;
    default:
      return `<ul>${items.map((item) => `<li>${item.label === undefined ? '' : `<span class="kicker">${esc(item.label)}</span>`}${anchor(item)}${text(item)}</li>`).join('')}</ul>`;
  }
}

export function blockHtml(block: ContentBlock): string {
  const heading = block.heading === undefined ? '' : `<h2 class="rule">${esc(block.heading)}</h2>`;
  const tag = block.role === 'article-head' || block.role === 'page-title' ? 'header' : 'section';
  return `<${tag} id="${block.id}" class="b-${block.role}">${heading}${inner(block)}</${tag}>\n`;
}
