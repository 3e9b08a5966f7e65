import { describe, expect, it } from 'vitest';
import { originsFor, replayHostCheck } from './origins.ts';

const PORTS = { uiPort: 1, replayPort: 2 };

describe('originsFor', () => {
  it('on loopback => the web page by address, replay by names below localhost', () => {
    const origins = originsFor({ host: '127.0.0.1', ...PORTS });
    expect(origins.ui('127.0.0.1:1')).toBe('http://127.0.0.1:1');
    expect(origins.replay('127.0.0.1:1')).toBe('http://*.localhost:2');
    expect(origins.raw('127.0.0.1:1')).toBe('http://127.0.0.1:2');
  });

  it('on an address of the network => one origin: *.localhost is another machine', () => {
    expect(originsFor({ host: '10.0.0.5', ...PORTS }).replay('10.0.0.5:1')).toBe('http://10.0.0.5:2');
    expect(originsFor({ host: '10.0.0.5', ...PORTS }).replay('127.0.0.1:1')).toBe('http://127.0.0.1:2');
  });

  it('a public wildcard => kept, with a label for raw captures', () => {
    const urls = { publicUrl: 'https://a.org', publicReplayUrl: 'https://*.replay.a.org/' };
    const origins = originsFor({ host: '127.0.0.1', ...PORTS, ...urls });
    expect(origins.replay(undefined)).toBe('https://*.replay.a.org');
    expect(origins.raw(undefined)).toBe('https://raw.replay.a.org');
    const check = replayHostCheck({ host: '127.0.0.1', ...PORTS, ...urls });
    expect(() => check('x-1.replay.a.org')).not.toThrow();
    for (const name of ['replay.a.org.b.org', 'x.y.replay.a.org', 'x.localhost']) {
      expect(() => check(name)).toThrow('does not answer');
    }
  });
});
