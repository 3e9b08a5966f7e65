import type { RenderRequest } from '../../ports/renderer.ts';
import type { VisitContext, VisitPorts } from './visit-state.ts';

export function renderRequest(
  url: string,
  { analyser }: Pick<VisitPorts, 'analyser'>,
  { spec, signal }: VisitContext,
): RenderRequest {
  return {
    url,
    userAgent: spec.politeness.userAgent,
    timeLimit: spec.limits.responseTime,
    sizeLimit: spec.limits.responseSize,
    screenshots: true,
    snapshot: analyser !== undefined,
    ...(signal && { signal }),
  };
}
