/** `daguerre/warc`: records of WARC and ARC files, and CDXJ. */
export { type CdxjEntry, cdxjLine, parseCdxjLine, readCdxj, writeCdxj } from '../warc/cdxj.ts';
export { readRecords } from '../warc/read-records.ts';
