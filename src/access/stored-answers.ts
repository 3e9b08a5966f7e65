import type { Millis } from '../model/time.ts';
import type { KeptAnswer, ViewRequest } from '../ports/page-viewer.ts';
import type { CaptureResolver, ResolvedCapture } from './resolve-capture.ts';

/** The archive at a time, as answers: what a stored page and all that it loads are shown from. */
export function storedAnswers(resolver: CaptureResolver, at: Millis): ViewRequest['answer'] {
  return async (url) => {
    const resolution = await resolver.resolve(url, at);
    if (resolution.kind !== 'found') return undefined;
    return storedAnswer(resolution.capture);
  };
}

/** A capture as the answer it was. */
export const storedAnswer = ({ status, headers, payload }: ResolvedCapture): KeptAnswer => ({
  status,
  // The payload comes without it.
  headers: headers.filter(([name]) => name.toLowerCase() !== 'transfer-encoding'),
  body: payload,
  framing: 'identity',
});
