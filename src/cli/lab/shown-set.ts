import type { Command } from 'commander';
import type { PageViewer } from '../../ports/page-viewer.ts';
import { type LabFlags, labOptions } from './lab-options.ts';

/** Flags of experiments that show pages in a browser. */
export interface ShownSetFlags extends LabFlags {
  readonly set: string;
  readonly snapshots?: string;
}

export function setOptions(command: Command, set: string): Command {
  return labOptions(command.requiredOption('--set <dir>', set)).option(
    '--snapshots <dir>',
    'keep there what the browser showed, and take it from there the next time',
  );
}

/** Pages shown at once. */
export const TABS = 2;

/** The browser opens for the first page that is not kept. */
export async function withViewer(use: (viewer: () => Promise<PageViewer>) => Promise<void>): Promise<void> {
  let viewer: Promise<PageViewer> | undefined;
  const open = async (): Promise<PageViewer> => {
    const { openPageViewer } = await import('../../archive/look/page-parts.ts');
    return openPageViewer({ tabs: TABS });
  };
  try {
    await use(() => {
      viewer ??= open();
      return viewer;
    });
  } finally {
    await (await viewer)?.close();
  }
}
