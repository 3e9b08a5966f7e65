import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame, Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll } from 'vitest';

export { chromiumPath } from './chromium-path.ts';
export { CHROMIUM_ARGS, replayAddress } from './replay-address.ts';

/** The web page and replay's scripts, built into a folder that is gone when the test file is done. */
export async function builtWeb(): Promise<string> {
  const webRoot = await mkdtemp(path.join(tmpdir(), 'daguerre-'));
  afterAll(() => rm(webRoot, { recursive: true, force: true }));
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'silent', build: { outDir: webRoot, emptyOutDir: true } });
  return webRoot;
}

/** The frame that shows this archived URL, once its headline is there. */
export async function shown(tab: Page, url: string, headline: string): Promise<Frame> {
  const at = (frame: Frame): boolean =>
    /\/w\/[^/]+\/\d+(?:mp|if)_\//.test(frame.url()) && frame.url().endsWith(`/${url}`);
  const deadline = Date.now() + 30_000;
  for (;;) {
    for (const frame of tab.frames().filter(at)) {
      const text = await frame.textContent('h1', { timeout: 1000 }).catch(() => undefined);
      if (text === headline) return frame;
    }
    if (Date.now() > deadline) {
      const frames = tab.frames().map((frame) => frame.url());
      throw new Error(
        `'${headline}' is not shown; frames: ${frames.join(' ')}; ${await tab.textContent('body')}`,
      );
    }
    await tab.waitForTimeout(50);
  }
}
