import { describe, expect, it } from 'vitest';
import { captureHash, isReplayMessage, parseCaptureHash, parseWorkerPath } from './messages.ts';

describe('capture hash', () => {
  it('#still/20240101/http://x/?a=1#top => mode, timestamp and URL, fragment kept', () => {
    const capture = { mode: 'still', timestamp: '20240101', url: 'http://x/?a=1#top' } as const;
    expect(parseCaptureHash('#still/20240101/http://x/?a=1#top')).toEqual(capture);
    const newest = { mode: 'scripts', timestamp: '', url: 'http://x/' } as const;
    expect(parseCaptureHash(captureHash(newest))).toEqual(newest);
    expect(parseCaptureHash('#live/1/http://x/')).toBeUndefined();
    expect(parseCaptureHash('')).toBeUndefined();
  });

  it('/w/scripts/20240101mp_/http://x/a => mode, timestamp and URL', () => {
    const capture = { mode: 'scripts', timestamp: '20240101', url: 'http://x/a' } as const;
    expect(parseWorkerPath('/w/scripts/20240101mp_/http://x/a')).toEqual(capture);
    expect(parseWorkerPath('/w/still//http://x/a?b#c')?.url).toBe('http://x/a?b#c');
    expect(parseWorkerPath('/assets/x.js')).toBeUndefined();
  });
});

describe('isReplayMessage', () => {
  it('a whole message => yes; a foreign or half one => no', () => {
    expect(isReplayMessage({ type: 'daguerre-replay', state: 'shown', url: 'u', title: 't' })).toBe(true);
    expect(isReplayMessage({ type: 'daguerre-replay', state: 'shown', url: 1, title: 't' })).toBe(false);
    expect(isReplayMessage({ wb_type: 'load' })).toBe(false);
    expect(isReplayMessage(null)).toBe(false);
  });
});
