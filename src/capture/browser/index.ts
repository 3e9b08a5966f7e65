export { type BrowserRenderer, openBrowserRenderer } from './browser-renderer.ts';
export { findChromium } from './find-chromium.ts';
export { LIVE_TABS } from './live-tabs.ts';
export { folderAnswers, givenHtml } from './local-answers.ts';
export { openPageViewer } from './page-viewer.ts';
