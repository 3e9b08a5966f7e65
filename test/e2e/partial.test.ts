import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { daguerre, temporaryFolder } from './daguerre.ts';

/** Pages past the limits of a snapshot: what was not seen is never called unchanged. */

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});

async function pages(name: string, body: (end: string) => string): Promise<[string, string]> {
  const files = ['old', 'new'].map((end) => join(folder, `${name}-${end}.html`)) as [string, string];
  for (const file of files) {
    const html = `<!doctype html><title>long</title><h1>Long</h1>${body(file.includes('-old') ? 'before' : 'after')}`;
    await writeFile(file, html);
  }
  return files;
}

interface Report {
  readonly importance: number;
  readonly partial?: string;
  readonly operations: readonly unknown[];
}

describe('a page longer than a snapshot may be', () => {
  it('five million characters, the end differs => diff: partial, exit 8; segment too', async () => {
    const long = (end: string) =>
      `${Array.from({ length: 110 }, (_, i) => `<p>${`word${i} `.repeat(8_000)}</p>`).join('')}<p>${end}</p>`;
    const [old, now] = await pages('text', long);
    const json = await daguerre(['diff', old, now, '--json']);
    expect(json.code).toBe(8);
    const report = json.json<Report>();
    // Numbers alone: these texts are too long for a message.
    expect([report.importance, report.operations.length]).toEqual([0, 0]);
    expect(report.partial).toContain('texts past the limit of 5000000 characters are left out');
    const text = await daguerre(['diff', old, now]);
    expect(text.code).toBe(8);
    expect(text.stdout).toContain('PARTIAL: of text-old.html, texts past the limit');
    expect(text.stdout).toContain('importance at least 0.000');
    const xml = await daguerre(['diff', old, now, '--format', 'videlta']);
    expect(xml.stdout.slice(0, 500)).toMatch(/<Delta [^>]*partial="true"/);
    const view = await daguerre(['diff', old, now, '--format', 'html']);
    expect(view.stdout.includes('Only a part of the page was compared')).toBe(true);
    expect(view.stdout.includes('Nothing that a reader would notice')).toBe(false);
    const segmented = await daguerre(['segment', old]);
    expect(segmented.code).toBe(8);
    expect(segmented.stdout.slice(0, 500)).toMatch(/<Document [^>]*partial="texts past the limit/);
  }, 300_000);

  it('45,001 paragraphs, the last differs => within the limits: the change is found', async () => {
    const many = (end: string) =>
      `${Array.from({ length: 45_000 }, (_, i) => `<p>paragraph ${i}</p>`).join('')}<p>${end}</p>`;
    const [old, now] = await pages('nodes', many);
    const { code, json } = await daguerre(['diff', old, now, '--json']);
    expect(code).toBe(0);
    const report = json<Report>();
    expect(report.partial).toBeUndefined();
    expect(report.importance).toBeGreaterThan(0);
    expect(JSON.stringify(report.operations)).toContain('after');
  }, 300_000);
});
