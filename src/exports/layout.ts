/** `daguerre/layout`: a page as a tree of blocks, and Vi-XML. See docs/library.md. */
export type { Block, ImageElement, Layout, LinkElement, TextElement } from '../model/layout.ts';
export type { PageSnapshot } from '../model/page-snapshot.ts';
export { unpackSnapshot } from '../model/snapshot-codec.ts';
export { layoutSvg } from '../science/layout/layout-svg.ts';
export { type PageLayoutOptions, pageLayout, USUAL_SEGMENTER } from '../science/layout/page-layout.ts';
export { type PlaceWords, placeWords } from '../science/layout/place-words.ts';
export { parseViXml, ViXmlError, writeViXml } from '../science/layout/vi-xml.ts';
