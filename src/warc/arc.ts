import type { HeaderList } from '../model/exchange.ts';
import { parseTimestamp14 } from './cdxj.ts';

/** ARC, the format before WARC: a line of words per record, then the HTTP response, then a line end. */
export interface ArcHead {
  readonly version: string;
  readonly fields: HeaderList;
  /** Bytes of the line, including its end. */
  readonly length: number;
  /** Bytes of the content; undefined if the line does not give it in digits. */
  readonly size: number | undefined;
}

/** `<url> <ip> <date> <mime> … <length>`; the URL may contain spaces, so words are counted from the end. */
const LINE = /^([a-z][a-z0-9+.-]*:.*?) (\S+) (\d{12,18}) (\S+)((?: \S+){5})? (\S+)$/i;

/**
 * What early crawlers left: dates with fewer digits, no media type (two spaces, or nothing at all), no address.
 * Only where a record line is expected: in running text such lines are too common.
 */
const SHORT_LINE = /^([a-z][a-z0-9+.-]*:.*?)(?: ([^\s/]*))? (\d{4,18})(?: (\S*))? (\S+)$/i;

const LONGEST_LINE = 64 * 1024;

/** The record line at the start of `bytes`; undefined when there is none. */
export function parseArcHead(bytes: Buffer, lines: 'any' | 'strict' = 'any'): ArcHead | undefined {
  const end = bytes.subarray(0, LONGEST_LINE).indexOf(10);
  if (end < 0) return undefined;
  const line = bytes.toString('utf8', 0, end).trimEnd();
  const match = LINE.exec(line) ?? (lines === 'any' ? shortLine(line) : undefined);
  if (!match) return undefined;
  const [, url = '', ip = '', date = '', mime = '', more, size = ''] = match;
  const at = parseTimestamp14(date.slice(0, 14));
  const isFiledesc = url.startsWith('filedesc:');
  const isHttp = /^https?:/i.test(url);
  return {
    version: more === undefined ? 'ARC/1' : 'ARC/2',
    fields: [
      ['WARC-Type', isFiledesc ? 'warcinfo' : isHttp ? 'response' : 'resource'],
      ['WARC-Target-URI', url],
      ['WARC-Date', Number.isNaN(at) ? date : new Date(at).toISOString()],
      ...(ip === '' ? [] : ([['WARC-IP-Address', ip]] as const)),
      ['Content-Type', isHttp ? 'application/http; msgtype=response' : mime || 'application/octet-stream'],
      ['Content-Length', size],
    ],
    length: end + 1,
    size: /^\d{1,15}$/.test(size) ? Number(size) : undefined,
  };
}

function shortLine(line: string): (string | undefined)[] | undefined {
  const match = SHORT_LINE.exec(line);
  if (!match) return undefined;
  const [all, url, ip, date, mime, size] = match;
  return [all, url, ip, date, mime, undefined, size];
}
