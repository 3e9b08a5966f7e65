export {
  type BrowserRenderer,
  type BrowserRendererOptions,
  openBrowserRenderer,
} from './browser-renderer.ts';
export { type FoundChromium, findChromium } from './find-chromium.ts';
export { folderAnswers, givenHtml } from './local-answers.ts';
export { openPageViewer } from './page-viewer.ts';
