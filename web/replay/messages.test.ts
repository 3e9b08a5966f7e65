import { describe, expect, it } from 'vitest';
import { archivedUrl, captureHash, isReplayMessage, parseCaptureHash } from './messages.ts';

describe('capture hash', () => {
  it('#20240101/http://x/?a=1#top => timestamp and URL, fragment kept', () => {
    expect(parseCaptureHash('#20240101/http://x/?a=1#top')).toEqual({
      timestamp: '20240101',
      url: 'http://x/?a=1#top',
    });
    expect(parseCaptureHash(captureHash('', 'http://x/'))).toEqual({ timestamp: '', url: 'http://x/' });
    expect(parseCaptureHash('')).toBeUndefined();
  });

  it('/w/archive-1/20240101mp_/http://x/a => http://x/a', () => {
    expect(archivedUrl('/w/archive-1/20240101mp_/http://x/a')).toBe('http://x/a');
    expect(archivedUrl('/assets/x.js')).toBeUndefined();
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
