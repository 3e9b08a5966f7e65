/** What the package gives to other programs. See docs/library.md. */
export * from './archive/index.ts';
export { PortTaken } from './server/port-taken.ts';
export { serveArchive } from './server/serve-archive.ts';
