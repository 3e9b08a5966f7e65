/** What can go wrong with an archive as a whole, besides UserError and system errors: for callers to tell apart. */
export { CatalogFault, type CatalogFaultKind } from '../catalog/faults.ts';
export { StorageFull } from '../ports/record-store.ts';
export { ArchiveLocked, LockFileDamaged } from '../storage/archive-lock.ts';
export { IdentityFileFault } from '../storage/identity-file.ts';
export { KeyFileFault } from '../storage/key-list.ts';
export { WriterGone } from './writer/messages.ts';
