/** `daguerre/quality`: completeness, the clairvoyant optimum, BCubed, intervals. */
export { bcubed } from '../science/quality/bcubed.ts';
export * from '../science/quality/bootstrap.ts';
export { clairvoyantSchedule, type Job } from '../science/quality/clairvoyant.ts';
export {
  archiveCompleteness,
  type PageCaptures,
  type PageVersion,
  pageCompleteness,
} from '../science/quality/completeness.ts';
