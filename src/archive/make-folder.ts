/** For whoever writes results beside the archive. */
export { makeFolder } from '../storage/make-folder.ts';
