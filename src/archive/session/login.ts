import { type LoginWindow, openLoginWindow } from '../../capture/browser/own-state.ts';
import { openGuardProxy } from '../../capture/http/guard-proxy.ts';
import type { SessionState } from '../../capture/session/visitors.ts';
import { UserError } from '../user-error.ts';
import { givenWays } from './given-ways.ts';
import { SessionFile } from './session-file.ts';
import type { SessionSettings } from './session-settings.ts';

/** Interval between two reads of the window, in milliseconds: once it is closed, its state can no longer be read. */
const LOOK_EVERY = 500;

export interface LoginOptions extends Pick<SessionSettings, 'proxy' | 'proxyDns'> {
  readonly sessionFile: string;
  readonly allowPrivate: boolean;
  /** Resolves when the person says that they are done, or closes the window. */
  readonly done: Promise<void>;
  readonly onOpen: () => void;
}

export interface SavedLogin {
  readonly file: string;
  readonly cookies: number;
  readonly origins: number;
  /** There was a session before. */
  readonly replaced?: boolean;
}

/** Opens a window where a person logs in, and stores what the browser then has, encrypted. */
export async function login(url: string, options: LoginOptions): Promise<SavedLogin> {
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY && process.platform === 'linux')
    throw new UserError(
      'there is no display to open a window on: run it where there is one, or over ssh -X; or give archive a --storage-state that was made elsewhere',
    );
  const { file, saved } = SessionFile.open(options.sessionFile);
  const ways = givenWays(options);
  const proxy = await openGuardProxy({ allowPrivate: options.allowPrivate, ...(ways && { ways }) });
  try {
    const window = await openLoginWindow(url, proxy.url);
    try {
      options.onOpen();
      const state = await lastState(window, options.done);
      if (state.cookies.length + state.storage.length === 0)
        throw new UserError(
          'nothing to keep: the browser has neither cookies nor storage; nothing was written',
        );
      // What crawls kept of the previous session belongs to the previous login.
      await file.save({ isPrivate: true, supplied: state, sites: new Map() });
      return {
        file: options.sessionFile,
        cookies: state.cookies.length,
        origins: state.storage.length,
        ...(saved && { replaced: true }),
      };
    } finally {
      await window.close();
    }
  } finally {
    await proxy.close();
  }
}

async function lastState(window: LoginWindow, done: Promise<void>): Promise<SessionState> {
  let state: SessionState = { cookies: [], storage: [] };
  let isOver = false;
  const over = Promise.race([done, window.closed]).then(() => {
    isOver = true;
  });
  for (;;) {
    // A closed window no longer answers: what was seen last counts.
    const now = await window.read().catch(() => undefined);
    if (!now) return state;
    state = now;
    if (isOver) return state;
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))]);
  }
}
