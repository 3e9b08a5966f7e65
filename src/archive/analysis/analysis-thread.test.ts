import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import type { PageAnalyser } from '../../ports/page-analyser.ts';
import { analysisThread } from './analysis-thread.ts';

/** Real threads that do what the request's version says. */
const THREAD = `
const { parentPort } = require('node:worker_threads');
parentPort.postMessage({ ready: true, note: 'no lists' });
parentPort.on('message', ({ version, packed }) => {
  if (version === 'exit') process.exit(3);
  if (version === 'throw') throw new Error('thrown');
  if (version === 'hang') for (;;) {}
  if (version === 'memory') { const all = []; for (;;) all.push(new Array(1e5).fill(packed + all.length)); }
  if (version === 'refuse') parentPort.postMessage({ ok: false, message: 'refused' });
  else parentPort.postMessage({ ok: true, analysis: { kind: 'first', viXml: packed } });
});`;

let analyser: PageAnalyser | undefined;
let starts = 0;
let notes: string[] = [];
afterEach(async () => {
  await analyser?.close();
  starts = 0;
  notes = [];
});

function open(timeLimit = 60_000): PageAnalyser {
  analyser = analysisThread(
    () => {
      starts++;
      return new Worker(THREAD, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 24 } });
    },
    timeLimit,
    (note) => notes.push(note),
  );
  return analyser;
}

const ask = (to: PageAnalyser, version: string, packed = version) =>
  to.analyse({ url: 'https://example.org/', version, packed });

describe('the analysing thread', () => {
  it('many requests at once => each its own answer, by one thread', async () => {
    const thread = open();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => ask(thread, 'page', `${i}`)));
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => ({ kind: 'first', viXml: `${i}` })));
    expect(starts).toBe(1);
    expect(notes).toEqual(['no lists']);
  });

  it.each([
    ['refuse', 'refused', 1],
    ['throw', 'thrown', 2],
    ['exit', 'ended', 2],
    ['memory', 'memory', 2],
  ])('a page that makes it %s => that page fails, the next is answered', async (version, said, threads) => {
    const thread = open();
    const [bad, good] = await Promise.allSettled([ask(thread, version), ask(thread, 'page')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(said) } });
    expect(good).toMatchObject({ status: 'fulfilled', value: { viXml: 'page' } });
    expect(starts).toBe(threads);
  });

  it('a page without end => fails when its time is over, the next is answered', async () => {
    const thread = open(1000);
    await expect(ask(thread, 'hang')).rejects.toThrow('longer than 1000 ms');
    expect(await ask(thread, 'page')).toMatchObject({ viXml: 'page' });
  });

  it('closed => what waits is rejected, and so is what comes later', async () => {
    const thread = open();
    const waiting = [ask(thread, 'hang'), ask(thread, 'page')];
    const settled = Promise.allSettled(waiting);
    await thread.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(ask(thread, 'page')).rejects.toThrow('closed');
  });
});
