export {
  type BrowserRenderer,
  type BrowserRendererOptions,
  openBrowserRenderer,
} from './browser-renderer.ts';
export { type FoundChromium, findChromium } from './find-chromium.ts';
