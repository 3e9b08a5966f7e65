/** Which attributes name pictures, as source text: the snapshot's walk uses these patterns inside pages. */

/** Attributes of `img` and `source` that name pictures: `src`, `srcset`, `data-src`, `data-lazy-srcset`, `data-original`… */
export const PICTURE_ATTRIBUTE =
  '^(?:src|srcset|data-(?:[a-z0-9-]+-)?(?:src|srcset|original|lazy|image|img|url)(?:-[a-z0-9-]+)?|data-lazyload|lazy-src|lazysrc)$';

/** The first address of a value: a path or URL, but not a template, a number, a `data:` URL or a piece of JSON. */
export const FIRST_ADDRESS =
  '^\\s*((?:https?:)?//[^\\s,{}\\[\\]"<>]+[^\\s{}\\[\\]"<>]*[^\\s,{}\\[\\]"<>]|[^\\s,:{}\\[\\]"<>]*[/.][^\\s:{}\\[\\]"<>]*[^\\s,:{}\\[\\]"<>])(?:\\s|,|$)';

/** Per picture: enough to recognise it by, few enough to be written down for each. */
export const MOST_CANDIDATES = 4;
